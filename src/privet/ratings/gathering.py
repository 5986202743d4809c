"""Gathering: columns become cells and registries, whatever they came from."""

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from privet.arrays import IntArray, RowArray
from privet.errors import ParameterError, RatingsError
from privet.formats.places import Place
from privet.formats.words import Words
from privet.ratings.cells import Cells, Shape, in_order, lay_out
from privet.ratings.columns import Coded, Columns
from privet.ratings.ids import LONGEST, Side, fault
from privet.ratings.index import Index
from privet.ratings.scale import UNARY, Scale, checked, inferred, outside
from privet.ratings.values import Values

Duplicates: TypeAlias = Literal["error", "last", "first", "mean"]


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
    refuse_unknown(duplicates)
    scale = scale if scale is None else checked(scale)
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
        _, item = shape.pair(ascending[again[0]])
        raise columns.place(second).error(
            f"the item {item_index.id(item)!r} is rated again by the same user, first in {columns.place(first)};"
            ' say what to do then with duplicates="last", "first" or "mean"'
        )
    values, declared = _values(columns.values.pop(), len(ascending), scale)
    values = values.taken(places)
    timestamps = columns.timestamps.pop()
    if timestamps is not None:
        timestamps = timestamps[places]
    del places
    if len(again):
        ascending, values, timestamps = _merged(ascending, values, timestamps, again, duplicates)
    laid_out = lay_out(ascending, values, timestamps, shape)
    if scale is None:
        scale = UNARY if declared else inferred(laid_out.values_in_use())
    else:
        declared = True
    return Gathered(user_index, item_index, laid_out, scale, declared)


def refuse_unknown(duplicates: str) -> None:
    """Refuse what is no way to treat duplicates."""
    if duplicates not in get_args(Duplicates):
        raise ParameterError(
            f"duplicates must be one of {', '.join(get_args(Duplicates))}; got {duplicates!r}."
            " It says what to do where a user rated an item twice.",
            name="duplicates",
            got=duplicates,
        )


def _values(values: Values | None, ratings: int, scale: Scale | None) -> tuple[Values, bool]:
    """The values, and whether they are unary feedback, which has its scale by definition."""
    if values is not None:
        return values, False
    if ratings and (found := outside(np.ones(1), scale)):
        raise RatingsError(f"without a column of ratings each is 1: {found[1]}")
    return Values(np.zeros(ratings, np.uint8), np.ones(1)), True


def _registered(
    column: Coded, side: Side, declared: Index | None, place: Callable[[int], Place]
) -> tuple[Index, RowArray]:
    """The registry of one side, and the row of every rating in it."""
    ids = column.ids
    if not isinstance(ids, np.ndarray):
        for code in ids.suspicious(LONGEST).tolist() if isinstance(ids, Words) else range(len(ids)):
            if reason := fault(ids[code], side):
                raise place(_first(column.codes, code)).error(reason)
    if declared is None:
        return Index.ascending(ids, side=side), column.codes
    rows = declared.rows_if_any(ids)
    if (rows < 0).any():
        code = int(np.argmax(rows < 0))
        who = "the user" if side == "user" else f"the item {ids[code]!s}"  # an error names no member
        raise place(_first(column.codes, code)).error(f"{who} is not in the declared registry of {side}s")
    return declared, rows.astype(np.int32)[column.codes]


def _merged(
    cells: IntArray, values: Values, timestamps: IntArray | None, again: IntArray, duplicates: Duplicates
) -> tuple[IntArray, Values, IntArray | None]:
    """One rating per cell, of ratings in the order of their cells and, within a cell, of their lines."""
    opens = np.ones(len(cells), np.bool_)
    opens[again] = False
    firsts = np.flatnonzero(opens)
    lasts = np.append(firsts[1:], len(cells)) - 1
    kept = firsts if duplicates == "first" else lasts
    merged = _means(values, firsts, lasts) if duplicates == "mean" else values.taken(kept)
    return cells[firsts], merged, None if timestamps is None else timestamps[kept]


def _means(values: Values, firsts: IntArray, lasts: IntArray) -> Values:
    """The means of stretches, each within its stretch's values: what rounds beyond them is not a mean."""
    floats = values.floats()
    counts = lasts - firsts + 1
    means = np.add.reduceat(floats / np.repeat(counts, counts), firsts)
    return Values.of(np.clip(means, np.minimum.reduceat(floats, firsts), np.maximum.reduceat(floats, firsts)))


def _first(codes: RowArray, code: int) -> int:
    return int(np.argmax(codes == code))
