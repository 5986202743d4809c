"""Columns: ratings on their way in, and what a caller may hand in as one."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from privet.arrays import AnyArray, FloatArray, IntArray, RowArray
from privet.errors import RatingsError
from privet.formats.places import Place
from privet.ratings.ids import Id, Ids, Side, listed, typed
from privet.ratings.scale import Scale, outside
from privet.ratings.values import Values


class Coded(NamedTuple):
    """A column of ids: one code per rating, and the distinct ids that the codes stand for."""

    codes: RowArray
    ids: Sequence[Id] | IntArray

    @classmethod
    def of(cls, ids: Ids, side: Side) -> "Coded":
        """A column of ids as a caller holds it: all whole numbers, or all text."""
        column = typed(ids, side)
        if isinstance(column, np.ndarray):
            distinct, inverse = np.unique(column, return_inverse=True)
            return cls(inverse.astype(np.int32), distinct)
        found: dict[str, int] = {}
        codes: RowArray = np.fromiter((found.setdefault(id, len(found)) for id in column), np.int32, len(column))
        return cls(codes, list(found))


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
    column = given if hasattr(given, "__array__") or isinstance(given, (list, tuple)) else list(given)
    try:
        array: AnyArray = np.asarray(column)
    except ValueError as problem:
        raise RatingsError(f"ratings must be numbers: {problem}") from None
    if array.ndim != 1:
        raise RatingsError(f"ratings must come as a column; got {array.ndim} dimensions")
    if array.dtype.kind not in "iuf":
        array = np.array([_number(value, row) for row, value in enumerate(column)], np.float64)
    found = array.astype(np.float64)
    if fault := outside(found, scale):
        raise RatingsError(fault[1], row=fault[0])
    return found


def seconds(given: Any) -> IntArray:
    """Times as whole seconds."""
    array: AnyArray = np.asarray(given)
    if array.dtype.kind == "M":
        if np.isnat(array).any():
            raise RatingsError("a timestamp is missing", row=int(np.argmax(np.isnat(array))))
        return np.array(array.astype("datetime64[s]"), np.int64)
    if array.dtype.kind not in "iuf" or array.ndim != 1:
        if array.ndim == 1 and not len(array):
            return np.empty(0, np.int64)
        raise RatingsError(f"timestamps must be numbers of seconds; got an array of {array.dtype}")
    if array.dtype.kind == "f":
        array = np.floor(array)
    fits = np.abs(array.astype(np.float64)) < 2.0**63
    if not fits.all():
        raise RatingsError("a timestamp must be a number of seconds", row=int(np.argmin(fits)))
    return np.array(array, np.int64)


def _number(value: object, row: int) -> float:
    if isinstance(value, (int, float, np.number)) and not isinstance(value, bool):
        return float(value)
    raise RatingsError(f"a rating must be a number; got {value!r}"[:200], row=row)


class Upserts(NamedTuple):
    """Ratings to write, as a caller names them."""

    users: Ids
    items: Ids
    values: Any
    timestamps: IntArray | None

    @classmethod
    def given(cls, columns: tuple[Any, ...] | None, *, timestamped: bool) -> "Upserts":
        """The columns (user_ids, item_ids, values) and, for ratings with times, timestamps."""
        if columns is None:
            return cls([], [], [], None)
        if len(columns) not in (3, 4):
            raise RatingsError(
                "upserts are columns: (user_ids, item_ids, values) and, where there are times, timestamps"
            )
        users, items, values = listed(columns[0]), listed(columns[1]), columns[2]
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
    def given(cls, columns: tuple[Any, ...] | None) -> "Deletes":
        """The columns (user_ids, item_ids)."""
        if columns is None:
            return cls([], [])
        if len(columns) != 2:
            raise RatingsError("deletes are two columns: (user_ids, item_ids)")
        users, items = listed(columns[0]), listed(columns[1])
        if len(users) != len(items):
            raise RatingsError("the columns of the deletes differ in length")
        return cls(users, items)
