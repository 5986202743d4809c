"""Gathering: columns become cells and registries, whatever they came from."""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from privet.arrays import AnyArray, FloatArray, IntArray, RowArray
from privet.errors import ParameterError, RatingsError
from privet.formats.places import Place
from privet.ratings.cells import Cells, Shape, in_order, lay_out
from privet.ratings.index import Id, Index, Side, canonical_number, canonical_numbers
from privet.ratings.values import Values

Duplicates: TypeAlias = Literal["error", "last", "first", "mean"]
Scale: TypeAlias = tuple[float, float]
UNARY: Scale = (0.0, 1.0)


def row_of_columns(row: int) -> Place:
    """The place of a rating that came in columns."""
    return Place(row=row)


class Coded(NamedTuple):
    """A column of ids: one code per rating, and the distinct ids that the codes stand for."""

    codes: RowArray
    ids: Sequence[Id] | IntArray

    @classmethod
    def of(cls, ids: Sequence[Id] | AnyArray, side: Side) -> "Coded":
        """A column of ids as a caller holds it: all whole numbers, or all text."""
        if isinstance(ids, np.ndarray) and ids.dtype.kind in "iu":
            if ids.dtype == np.uint64 and len(ids) and ids.max() > np.iinfo(np.int64).max:
                raise RatingsError(f"the {side} id {ids.max()} does not fit into 64 bits with a sign")
            distinct, inverse = np.unique(ids.astype(np.int64), return_inverse=True)
            return cls(inverse.astype(np.int32), distinct)
        if isinstance(ids, np.ndarray) and ids.dtype.kind not in "OTU":
            raise RatingsError(f"{side} ids must be whole numbers or text; got an array of {ids.dtype}")
        found: dict[Id, int] = {}
        listed: Sequence[Id] = ids.tolist() if isinstance(ids, np.ndarray) else ids
        kinds = {type(id) for id in listed}
        if kinds - {str}:
            return cls._of_objects(listed, side)
        codes: RowArray = np.fromiter((found.setdefault(id, len(found)) for id in listed), np.int32, len(listed))
        return cls(codes, [str(id) for id in found])

    @classmethod
    def _of_objects(cls, ids: Sequence[Id], side: Side) -> "Coded":
        number = None
        for row, id in enumerate(ids):
            whole = isinstance(id, (int, np.integer)) and not isinstance(id, bool)
            if not whole and not isinstance(id, str):
                raise RatingsError(f"{side} ids must be whole numbers or text; got {id!r}", row=row)
            if number is not None and whole != number:
                raise RatingsError(
                    f"{side} ids must be all whole numbers or all text; got {id!r} after {ids[row - 1]!r}",
                    row=row,
                )
            number = whole
        if number is False:  # a subclass of str
            return cls.of([str(id) for id in ids], side)
        try:
            return cls.of(np.array([int(id) for id in ids], np.int64), side)
        except OverflowError:
            raise RatingsError(f"a {side} id does not fit into 64 bits with a sign") from None


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


class Gathered(NamedTuple):
    """What Ratings are made of."""

    users: Index
    items: Index
    cells: Cells
    scale: Scale
    scale_declared: bool


def gather(
    columns: Columns,
    *,
    users: Index | None,
    items: Index | None,
    scale: Scale | None,
    duplicates: Duplicates,
) -> Gathered:
    """Cells and registries from columns; registries and scale are inferred where none is declared."""
    if duplicates not in get_args(Duplicates):
        raise ParameterError(
            f"duplicates must be one of {', '.join(get_args(Duplicates))}; got {duplicates!r}."
            " It says what to do where a user rated an item twice.",
            name="duplicates",
            got=duplicates,
        )
    scale = scale if scale is None else checked_scale(scale)
    user_index, user_rows = _registered(columns.users.pop(), "user", users, columns.place)
    item_index, item_rows = _registered(columns.items.pop(), "item", items, columns.place)
    shape = Shape(len(user_index), len(item_index))
    cells = shape.cells(user_rows, item_rows)
    del user_rows, item_rows
    ascending, places = in_order(cells, shape)
    del cells
    again = np.flatnonzero(ascending[1:] == ascending[:-1]) + 1
    if len(again) and duplicates == "error":
        first, second = sorted((int(places[again[0] - 1]), int(places[again[0]])))
        user, item = shape.pair(ascending[again[0]])
        raise columns.place(second).error(
            f"the user {user_index.id(user)!r} rates the item {item_index.id(item)!r} again, first in"
            f' {columns.place(first)}; say duplicates="last", "first" or "mean" to keep one'
        )
    values, declared = _values(columns.values.pop(), len(ascending))
    values = values.taken(places)
    timestamps = columns.timestamps.pop()
    if timestamps is not None:
        timestamps = timestamps[places]
    del places
    if len(again):
        ascending, values, timestamps = _merged(ascending, values, timestamps, again, duplicates)
    if scale is None:
        scale = UNARY if declared else inferred_scale(values)
    else:
        declared = True
    return Gathered(user_index, item_index, lay_out(ascending, values, timestamps, shape), scale, declared)


def checked_scale(scale: Scale) -> Scale:
    """A scale as two finite numbers, the lower first."""
    try:
        low, high = (float(bound) for bound in scale)
    except (TypeError, ValueError):
        raise ParameterError(
            f"scale must be two numbers, such as (1, 5); got {scale!r}.", name="scale", got=scale
        ) from None
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise ParameterError(
            f"scale must be two finite numbers, the lower first; got {scale!r}.", name="scale", got=scale
        )
    return low, high


def inferred_scale(values: Values) -> Scale:
    """The scale that the values span; a single value v is taken for the upper end of v - 1 to v."""
    found = values.stored if values.grid is None else values.grid
    if not len(found):
        return UNARY
    low, high = float(found.min()), float(found.max())
    return (low, high) if low < high else (high - 1, high)


def outside(values: FloatArray, scale: Scale | None) -> tuple[int, str] | None:
    """The place and the fault of the first value that is no number, or lies outside a declared scale."""
    wrong = ~np.isfinite(values)
    if scale is not None:
        wrong |= (values < scale[0]) | (values > scale[1])
    if not wrong.any():
        return None
    place = int(np.argmax(wrong))
    value = float(values[place])
    if not np.isfinite(value):
        return place, f"a rating must be a finite number; got {value:g}"
    assert scale is not None
    return place, f"the rating {value:g} is outside the declared scale, {scale[0]:g} to {scale[1]:g}"


def _values(values: Values | None, ratings: int) -> tuple[Values, bool]:
    """The values, and whether they are unary feedback, which has its scale by definition."""
    if values is None:
        return Values(np.zeros(ratings, np.uint8), np.ones(1)), True
    return values, False


def _registered(
    column: Coded, side: Side, declared: Index | None, place: Callable[[int], Place]
) -> tuple[Index, RowArray]:
    """The registry of one side, and the row of every rating in it."""
    ids = column.ids
    if not isinstance(ids, np.ndarray):
        for code, id in enumerate(ids):
            if fault := _fault(id, side):
                raise place(_first(column.codes, code)).error(fault)
    if declared is None:
        index, rows = Index.ascending(ids, side=side)
    else:
        index, rows = declared, declared.rows_if_any(ids)
        if (rows < 0).any():
            code = int(np.argmax(rows < 0))
            raise place(_first(column.codes, code)).error(
                f"the {side} {ids[code]!s} is not in the declared registry of {side}s"
            )
    return index, rows.astype(np.int32)[column.codes]


LONGEST = 4096  # characters; what is longer is a damaged file, not a name


def _fault(id: Id, side: Side) -> str | None:
    if isinstance(id, int):
        return None
    if not id.strip():
        return f"the {side} id is blank"
    if "\0" in id:
        return f"the {side} id {id[:60]!r} holds a NUL character"
    if len(id) > LONGEST:
        return f"the {side} id is {len(id):,} characters long; at most {LONGEST:,} are possible"
    return None


def as_typed(ids: Sequence[str], declared: Index | None) -> Sequence[Id] | IntArray:
    """Ids read as text: whole numbers if every one is spelt as one, else text; what a registry declares wins."""
    if declared is not None and len(declared) and not declared.of_numbers:
        return ids
    numbers = canonical_numbers(ids)
    if numbers is not None:
        return numbers
    if declared is not None and declared.of_numbers:  # what is no number will be found missing there, and named
        return [text if (number := canonical_number(text)) is None else number for text in ids]
    return ids


def _merged(
    cells: IntArray, values: Values, timestamps: IntArray | None, again: IntArray, duplicates: Duplicates
) -> tuple[IntArray, Values, IntArray | None]:
    """One rating per cell, of ratings in the order of their cells and, within a cell, of their lines."""
    opens = np.ones(len(cells), np.bool_)
    opens[again] = False
    firsts = np.flatnonzero(opens)
    lasts = np.append(firsts[1:], len(cells)) - 1
    kept = firsts if duplicates == "first" else lasts
    if duplicates == "mean":
        sums = np.add.reduceat(values.floats(), firsts)
        merged = Values.of(sums / (lasts - firsts + 1))
    else:
        merged = values.taken(kept)
    return cells[firsts], merged, None if timestamps is None else timestamps[kept]


def _first(codes: RowArray, code: int) -> int:
    return int(np.argmax(codes == code))
