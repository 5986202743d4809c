"""Columns: ratings on their way in, and what a caller may hand in as one."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from privet.arrays import AnyArray, FloatArray, IntArray, RowArray
from privet.errors import RatingsError
from privet.formats.places import LATEST, Place
from privet.ratings.ids import Id, Ids, Side, listed, typed
from privet.ratings.profile import Profile
from privet.ratings.scale import Scale, outside
from privet.ratings.values import Values


class Coded(NamedTuple):
    """A column of ids: one code per rating, and the distinct ids that the codes stand for, ascending."""

    codes: RowArray
    ids: Sequence[Id] | IntArray

    @classmethod
    def of(cls, ids: Ids, side: Side) -> "Coded":
        """A column of ids as a caller holds it: all whole numbers, or all text."""
        column = typed(ids, side)
        if isinstance(column, np.ndarray):
            distinct, inverse = np.unique(column, return_inverse=True)
            return cls(inverse.astype(np.int32), distinct)
        distinct_texts = sorted(set(column))
        ranks = {id: rank for rank, id in enumerate(distinct_texts)}
        return cls(np.fromiter((ranks[id] for id in column), np.int32, len(column)), distinct_texts)


def row_of_columns(row: int) -> Place:
    """The place of a rating that came in columns."""
    return Place(row=row)


class Columns:
    """Ratings in columns, on their way to become cells; a column that is taken is gone, so that its memory is free."""

    def __init__(
        self,
        users: Coded,
        items: Coded,
        values: Values | None,
        timestamps: IntArray | None,
        place: Callable[[int], Place] = row_of_columns,
    ):
        self.users, self.items = [users], [items]
        self.values, self.timestamps = [values], [timestamps]
        self.place = place

    def __len__(self) -> int:
        """How many ratings."""
        return len(self.users[0].codes) if self.users else 0


def numbers(given: Any, scale: Scale | None) -> FloatArray:
    """Ratings as finite numbers on the scale, if there is one."""
    array = _array(given, "ratings")
    if array.dtype.kind not in "iuf":
        array = np.array([_number(value, row) for row, value in enumerate(array.tolist())], np.float64)
    found = array.astype(np.float64) + 0.0  # a negative zero is a zero
    if fault := outside(found, scale):
        raise RatingsError(fault[1], row=fault[0])
    return found


def seconds(given: Any) -> IntArray:
    """Times as whole seconds."""
    array = _array(given, "timestamps")
    if array.dtype.kind == "M":
        if np.isnat(array).any():
            raise RatingsError("a timestamp is missing", row=int(np.argmax(np.isnat(array))))
        return np.array(array.astype("datetime64[s]"), np.int64)
    if not len(array):
        return np.empty(0, np.int64)
    if array.dtype.kind not in "iuf":
        raise RatingsError(f"timestamps must be numbers of seconds; got an array of {array.dtype}")
    if array.dtype.kind == "f":
        array = np.floor(array.astype(np.float64))
    fits = np.abs(array.astype(np.float64)) <= LATEST
    if not fits.all():
        raise RatingsError("a timestamp must be a number of seconds up to the year 9999", row=int(np.argmin(fits)))
    return np.array(array, np.int64)


def _array(given: Any, what: str) -> AnyArray:
    """One column, as an array."""
    if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
        raise RatingsError(f"{what} must come as a column; got {given!r}"[:200])
    if isinstance(given, np.ma.MaskedArray) and given.mask.any():
        raise RatingsError(f"{what} must not be missing", row=int(np.argmax(given.mask)))
    try:
        array: AnyArray = np.asarray(given if hasattr(given, "__array__") else list(given))
    except ValueError as problem:
        raise RatingsError(f"{what} must be numbers: {problem}") from None
    if array.ndim != 1:
        raise RatingsError(f"{what} must come as one column; got {array.ndim} dimensions")
    return array


def _number(value: object, row: int) -> float:
    if isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            raise RatingsError("a rating must be a finite number; got one that no float can hold", row=row) from None
    raise RatingsError(f"a rating must be a number; got {value!r}"[:200], row=row)


class Upserts(NamedTuple):
    """Ratings to write, as a caller names them."""

    users: Ids
    items: Ids
    values: Any
    timestamps: IntArray | None

    @classmethod
    def given(cls, columns: Any, *, timestamped: bool) -> "Upserts":
        """The columns (user_ids, item_ids, values) and, for ratings with times, timestamps."""
        if columns is None:
            return cls([], [], [], None)
        if not isinstance(columns, (tuple, list)) or len(columns) not in (3, 4):
            raise RatingsError(
                "upserts are columns: (user_ids, item_ids, values) and, where there are times, timestamps"
            )
        users, items, values = listed(columns[0]), listed(columns[1]), _array(columns[2], "ratings")
        times = seconds(columns[3]) if len(columns) == 4 and columns[3] is not None else None
        if not len(users) == len(items) == len(values) or (times is not None and len(times) != len(users)):
            raise RatingsError("the columns of the upserts differ in length")
        if len(users) and timestamped != (times is not None):
            has = "have" if timestamped else "have no"
            raise RatingsError(f"these ratings {has} timestamps, and so must the upserts")
        return cls(users, items, values, times)


class Deletes(NamedTuple):
    """Ratings to delete, as a caller names them."""

    users: Ids
    items: Ids

    @classmethod
    def given(cls, columns: Any) -> "Deletes":
        """The columns (user_ids, item_ids)."""
        if columns is None:
            return cls([], [])
        if not isinstance(columns, (tuple, list)) or len(columns) != 2:
            raise RatingsError("deletes are two columns: (user_ids, item_ids)")
        users, items = listed(columns[0]), listed(columns[1])
        if len(users) != len(items):
            raise RatingsError("the columns of the deletes differ in length")
        return cls(users, items)


def newcomers(given: Any, new_ids: Callable[[int], list[Id]], *, items: int, scale: Scale | None) -> dict[Id, Profile]:
    """Profiles by id, each of items that there are and on the scale; in a sequence they get new ids."""
    if not isinstance(given, (Mapping, Sequence)):
        raise RatingsError(f"who joins comes as a mapping from ids to profiles, or as a list; got {given!r}"[:200])
    named = given if isinstance(given, Mapping) else dict(zip(new_ids(len(given)), given, strict=True))
    for profile in named.values():
        if not isinstance(profile, Profile):
            raise RatingsError(f"who joins must have a profile, as `stranger` makes one; got {profile!r}"[:200])
        if len(profile) and profile.items[-1] >= items:
            raise RatingsError(f"a profile names the item row {profile.items[-1]} of {items:,}")
        numbers(profile.values, scale)
    return dict(named)
