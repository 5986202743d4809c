"""Postings: who rated each item, in the order and the forms that the loops over them like best.

The order is by activity: a *place* is the rank of a user by number of ratings, the busiest first. It stays inside the
kernels. An entry is a place and the code of a rating in one word. Beside its entries, an item that many of the busiest
rated has a *column*: a byte for each of the first places, the rating as a small whole number or 0. A column is as many
tiles of places long as it pays; the entries behind it are summed one by one.
"""

from typing import NamedTuple

import numpy as np

from privet.arrays import AnyArray, ByteArray, FloatArray, IntArray, frozen

CODE_BITS = 5
CODES = 1 << CODE_BITS
WHOLE = 15  # the largest rating of a column: its square, and the product of two, fit 16 bits many times
# Powers of two alone: what they multiply is not rounded, so that sums of whole numbers and sums of the ratings as they
# are agree to the last bit, and no rating of somebody else, on the grid or off it, moves the similarity of two users.
FACTORS = (1.0, 2.0, 4.0, 8.0, 16.0)
TILE = 2048  # three sums of 16 bits for each place of a tile stay in the nearest cache
# What adding up a place of a column takes, in entries. Measured on two shapes of MovieLens and on ten million ratings:
# .03 to .12 lie within a tenth of one another, tiles of 1,024 to 4,096 places too.
COLUMN_COST = 0.06


class Columns(NamedTuple):
    """The dense part: bytes for the busiest users."""

    whole: ByteArray  # the rating of a code, as a small whole number; 0 where there is none
    unit: float  # what a rating is multiplied by to become that number
    tiles: IntArray  # of each item, how many its column is long
    offsets: IntArray  # of each item, where its column begins
    values: ByteArray
    behind: IntArray  # of each item, its first entry that is in no column

    def own(self, values: FloatArray) -> IntArray | None:
        """Whole ratings of a target as they are to be multiplied with these, if they are as small and positive."""
        if len(values) and (values.min() < 1 or values.max() > WHOLE):
            return None
        return values.astype(np.int64)


class Postings(NamedTuple):
    """Who rated each item, the busiest first."""

    rows: IntArray  # the row at each place
    starts: IntArray  # of each item, its first entry; and the end
    entries: AnyArray  # uint32: place << 5 | code
    columns: Columns | None

    @property
    def users(self) -> int:
        """How many places there are."""
        return len(self.rows)


def posted(
    user_starts: IntArray, user_items: AnyArray, codes: ByteArray, item_starts: IntArray, grid: FloatArray
) -> Postings:
    """The raters of ratings on a grid, from the records of the users."""
    from privet.kernels.similarity import compiled

    rows = np.argsort(-np.diff(user_starts), kind="stable")
    entries = np.empty(len(user_items), np.uint32)
    compiled.enter(user_starts, user_items, codes, rows, item_starts[:-1].copy(), entries)
    columns = _columns(item_starts, entries, len(rows), grid)
    return Postings(frozen(rows), item_starts, frozen(entries), columns)


def _columns(starts: IntArray, entries: AnyArray, users: int, grid: FloatArray) -> Columns | None:
    from privet.kernels.similarity import compiled

    unit = whole_unit(grid)
    if unit is None or not len(entries) or grid.min() <= 0 or grid.max() * unit > WHOLE:
        return None
    whole = np.zeros(CODES, np.uint8)
    whole[: len(grid)] = grid * unit
    tiles = np.zeros(len(starts) - 1, np.int64)
    behind = np.empty(len(tiles), np.int64)
    compiled.measure(starts, entries, users, COLUMN_COST, tiles, behind)
    lengths = np.minimum(tiles * TILE, users)
    ends = np.cumsum(lengths)
    values = np.zeros(int(ends[-1]), np.uint8)
    offsets = ends - lengths
    compiled.fill(starts, behind, entries, offsets, whole, values)
    return Columns(frozen(whole), unit, frozen(tiles), frozen(offsets), frozen(values), frozen(behind))


def whole_unit(values: FloatArray) -> float | None:
    """The least factor that makes all these ratings whole numbers: 2 for half stars. None where there is no such."""
    for factor in FACTORS:
        scaled = values * factor
        if (scaled == np.rint(scaled)).all():
            return factor
    return None
