"""Changed cells: ratings written and erased without building everything again."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from privet.arrays import AnyArray, FloatArray, IntArray
from privet.ratings.cells import PACKABLE, Cells, Shape
from privet.ratings.values import CODE_BITS, GRID, codes_on, smallest_float


class Writing(NamedTuple):
    """Ratings to write, at most one per cell."""

    users: IntArray
    items: IntArray
    values: FloatArray
    timestamps: IntArray | None


class Erasing(NamedTuple):
    """Cells to erase; an empty one stays empty."""

    users: IntArray
    items: IntArray


_NO_ROWS = np.empty(0, np.int64)
_NOTHING_WRITTEN = Writing(_NO_ROWS, _NO_ROWS, np.empty(0), None)
_NOTHING_ERASED = Erasing(_NO_ROWS, _NO_ROWS)


def changed(cells: Cells, shape: Shape, writing: Writing | None, erasing: Erasing | None) -> Cells:
    """The cells after a change, for registries that may have grown to `shape`. No cell is both written and erased."""
    writing, erasing = writing or _NOTHING_WRITTEN, erasing or _NOTHING_ERASED
    cells, stored = _with_room_for(cells, shape, writing.values)
    user_starts = _grown(cells.user_starts, shape.users)
    item_starts = _grown(cells.item_starts, shape.items)
    timestamps = writing.timestamps
    if cells.timestamps is not None and timestamps is None:
        timestamps = np.zeros(len(writing.users), np.int64)

    by_user = _Splice(user_starts, cells.user_items, writing.users, writing.items, erasing.users, erasing.items)
    new_user_items = by_user.apply(cells.user_items, writing.items)
    new_user_values = by_user.apply(cells.user_values, stored)
    new_times = None if cells.timestamps is None else by_user.apply(cells.timestamps, timestamps)

    packed = cells.item_values is None
    users_of_items = cells.item_users
    by_item = _Splice(
        item_starts,
        users_of_items,
        writing.items,
        writing.users,
        erasing.items,
        erasing.users,
        shift=CODE_BITS if packed else 0,
    )
    new_values = None
    if packed:
        words = (writing.users.astype(np.uint32) << np.uint32(CODE_BITS)) | stored.astype(np.uint32)
        new_item_users = by_item.apply(users_of_items, words)
    else:
        assert cells.item_values is not None
        new_item_users = by_item.apply(users_of_items, writing.users)
        new_values = by_item.apply(cells.item_values, stored)
    return Cells(
        by_user.starts,
        new_user_items,
        new_user_values,
        by_item.starts,
        new_item_users,
        new_values,
        cells.grid,
        new_times,
    )


class _Splice:
    """One order's change: which places are overwritten, which removed, and where new ones go in."""

    def __init__(
        self,
        starts: IntArray,
        minors: AnyArray,
        major_written: IntArray,
        minor_written: IntArray,
        major_erased: IntArray,
        minor_erased: IntArray,
        *,
        shift: int = 0,
    ):
        places, there = _find(starts, minors, major_written, minor_written, shift)
        self._overwritten, self._overwriting = places[there], np.flatnonzero(there)
        fresh = np.flatnonzero(~there)
        fresh = fresh[np.lexsort((minor_written[fresh], major_written[fresh]))]
        erased_places, erased_there = _find(starts, minors, major_erased, minor_erased, shift)
        removed = np.sort(erased_places[erased_there])
        self._length = len(minors) - len(removed) + len(fresh)
        self._keep: AnyArray | None = None
        if len(removed):
            self._keep = np.ones(len(minors), np.bool_)
            self._keep[removed] = False
        self._fresh = fresh
        self._into = places[fresh] - np.searchsorted(removed, places[fresh]) + np.arange(len(fresh))
        self._old: AnyArray | None = None
        if len(fresh):
            self._old = np.ones(self._length, np.bool_)
            self._old[self._into] = False
        steps = np.zeros(len(starts), np.int64)
        np.add.at(steps, major_written[fresh] + 1, 1)
        np.add.at(steps, major_erased[erased_there] + 1, -1)
        self.starts: IntArray = starts + np.cumsum(steps)

    def apply(self, array: AnyArray, written: AnyArray | None) -> AnyArray:
        """An array of this order after the change."""
        assert written is not None
        written = written.astype(array.dtype)
        result = array.copy() if self._keep is None and self._old is None else array
        if len(self._overwritten):
            result = result if result is not array else array.copy()
            result[self._overwritten] = written[self._overwriting]
        if self._keep is not None:
            result = result[self._keep]
        if self._old is not None:
            longer = np.empty(self._length, array.dtype)
            longer[self._old] = result
            longer[self._into] = written[self._fresh]
            result = longer
        return result


def _find(
    starts: IntArray, minors: AnyArray, major: IntArray, minor: IntArray, shift: int
) -> tuple[IntArray, AnyArray]:
    """Where each (major, minor) stands or would go in, and whether it is there: all binary searches at once."""
    low, end = starts[major], starts[major + 1]
    high = end.copy()
    wanted = minor.astype(np.int64)
    while True:
        open_ = np.flatnonzero(low < high)
        if not len(open_):
            break
        middle = (low[open_] + high[open_]) // 2
        below = (minors[middle] >> shift).astype(np.int64) < wanted[open_]
        low[open_] = np.where(below, middle + 1, low[open_])
        high[open_] = np.where(below, high[open_], middle)
    there = low < end
    inside = np.flatnonzero(there)
    there[inside] = (minors[low[inside]] >> shift).astype(np.int64) == wanted[inside]
    return low, there


def _grown(starts: IntArray, size: int) -> IntArray:
    """Starts for a registry that has grown at its end."""
    missing = size + 1 - len(starts)
    return starts if missing == 0 else np.concatenate([starts, np.full(missing, starts[-1])])


def _with_room_for(cells: Cells, shape: Shape, values: FloatArray) -> tuple[Cells, AnyArray]:
    """The cells in a form that holds these values too, and the values in that form."""
    if cells.grid is not None and shape.users < PACKABLE:
        strange = np.setdiff1d(values, cells.grid)
        if len(cells.grid) + len(strange) <= GRID:
            grid = np.concatenate([cells.grid, strange])  # old codes keep their meaning
            return replace(cells, grid=grid), codes_on(grid, values)
    wide = cells.widened()
    assert wide.item_values is not None
    if wide.user_values.dtype == np.float32 and smallest_float(values).dtype != np.float32:
        wide = replace(
            wide,
            user_values=wide.user_values.astype(np.float64),
            item_values=wide.item_values.astype(np.float64),
        )
    return wide, values
