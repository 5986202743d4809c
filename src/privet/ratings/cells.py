"""Cells: the ratings themselves, by rows, in two orders.

By user and by item, each as starts and slices. On a grid of at most 32 values a rating takes 9 bytes: by user the item
(4) and the code of its value (1), by item the user and the code packed into one word (4). Off the grid it takes 16
where 32-bit floats are exact and 24 where they are not. Timestamps are kept apart, by user.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from privet.arrays import AnyArray, FloatArray, FrozenArrays, IntArray
from privet.errors import RatingsError
from privet.ratings.values import CODE_BITS, GRID, Values, decoded, smallest_float

CODE_MASK = np.uint32(GRID - 1)
PACKABLE = 1 << (32 - CODE_BITS)  # users that fit beside a code into 32 bits
_LARGEST = 1 << 31


class Shape(NamedTuple):
    """How many users and items there are, ratings or none."""

    users: int
    items: int

    @property
    def item_bits(self) -> int:
        """The bits that tell the items apart: a cell is the user, shifted by these, and the item."""
        return max(1, (self.items - 1).bit_length())

    @property
    def bits(self) -> int:
        """The bits of a cell."""
        return max(1, (self.users - 1).bit_length()) + self.item_bits

    def cells(self, users: AnyArray, items: AnyArray) -> IntArray:
        """One ascending number per (user, item)."""
        for size, noun in ((self.users, "users"), (self.items, "items")):
            if size >= _LARGEST:
                raise RatingsError(f"at most {_LARGEST - 1:,} {noun} are possible; got {size:,}")
        numbers = users.astype(np.int64)
        numbers <<= self.item_bits
        numbers |= items
        return numbers

    def pairs(self, cells: IntArray) -> tuple[IntArray, IntArray]:
        """The users and items of cells."""
        return cells >> self.item_bits, cells & ((1 << self.item_bits) - 1)

    def pair(self, cell: int) -> tuple[int, int]:
        """The user and the item of one cell."""
        return divmod(int(cell), 1 << self.item_bits)


@dataclass(frozen=True, eq=False)
class Cells(FrozenArrays):
    """Who rated what how, by user and by item."""

    user_starts: IntArray
    user_items: AnyArray  # int32, ascending within a user
    user_values: AnyArray  # uint8 codes, or float32, or float64
    item_starts: IntArray
    item_users: AnyArray  # uint32, user << 5 | code; or int32 users; ascending within an item
    item_values: AnyArray | None  # floats, off the grid only
    grid: FloatArray | None
    timestamps: IntArray | None  # by user

    def arrays(self) -> dict[str, AnyArray]:
        """The arrays that are there, by name: what a file holds and what memory is taken."""
        return {name: array for name, array in vars(self).items() if array is not None}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cells):
            return NotImplemented
        return (
            np.array_equal(self.user_starts, other.user_starts)
            and np.array_equal(self.user_items, other.user_items)
            and np.array_equal(self.values(), other.values())
            and _equal(self.timestamps, other.timestamps)
        )

    __hash__ = None  # type: ignore[assignment]

    def feed(self, update: Callable[[bytes], None]) -> None:
        """Hand who rated what how to a digest, the same in whatever form the values are kept; no times."""
        update(f"{len(self)} ".encode())
        update(self.user_starts.astype("<i8").tobytes())
        update(self.user_items.astype("<i4").tobytes())
        for start in range(0, len(self), 1 << 20):
            update(decoded(self.user_values[start : start + (1 << 20)], self.grid).astype("<f8").tobytes())

    @property
    def shape(self) -> Shape:
        """How many users and items."""
        return Shape(len(self.user_starts) - 1, len(self.item_starts) - 1)

    def __len__(self) -> int:
        """How many ratings."""
        return len(self.user_items)

    def of_user(self, user: int) -> tuple[IntArray, FloatArray]:
        """The items of one user, ascending, and their values."""
        part = slice(self.user_starts[user], self.user_starts[user + 1])
        return self.user_items[part].astype(np.int64), decoded(self.user_values[part], self.grid)

    def of_item(self, item: int) -> tuple[IntArray, FloatArray]:
        """The users of one item, ascending, and their values."""
        part = slice(self.item_starts[item], self.item_starts[item + 1])
        users = self.item_users[part]
        if self.item_values is None:
            return (users >> CODE_BITS).astype(np.int64), decoded(users & CODE_MASK, self.grid)
        return users.astype(np.int64), self.item_values[part].astype(np.float64)

    def users(self) -> AnyArray:
        """The user of every rating, in order."""
        return np.repeat(np.arange(self.shape.users, dtype=np.int32), np.diff(self.user_starts))

    def values(self) -> FloatArray:
        """The value of every rating, in order."""
        return decoded(self.user_values, self.grid)

    def values_at(self, which: AnyArray) -> Values:
        """The values of some ratings, in the smallest form for them."""
        stored = self.user_values[which]
        return Values.of(stored.astype(np.float64)) if self.grid is None else Values(stored, self.grid)

    def values_in_use(self) -> FloatArray:
        """The different values, ascending; a grid may hold more than are in use."""
        if self.grid is None:
            return np.unique(self.user_values).astype(np.float64)
        used = np.zeros(GRID, np.int64)
        for start in range(0, len(self), 1 << 20):
            used += np.bincount(self.user_values[start : start + (1 << 20)], minlength=GRID)
        return np.sort(self.grid[np.flatnonzero(used)])

    def widened(self) -> "Cells":
        """The same ratings with values as floats."""
        if self.grid is None:
            return self
        by_item = decoded(self.item_users & CODE_MASK, self.grid)
        return Cells(
            self.user_starts,
            self.user_items,
            smallest_float(self.values()),
            self.item_starts,
            (self.item_users >> CODE_BITS).astype(np.int32),
            smallest_float(by_item),
            None,
            self.timestamps,
        )


def in_order(cells: IntArray, shape: Shape) -> tuple[IntArray, AnyArray]:
    """The cells, ascending, and the place that each had before; equal cells keep their order. It takes `cells` over.

    The place rides in the low bits of the cell, so that one sort of plain numbers does it, far faster than an
    argsort; where the bits do not suffice, an argsort does. Nothing here is as long as the cells but what is returned.
    """
    place_bits = max(1, (len(cells) - 1).bit_length())
    if shape.bits + place_bits > 63:
        places = np.argsort(cells, kind="stable")
        return cells[places], places
    kind = np.uint32 if place_bits <= 32 else np.int64
    cells <<= place_bits
    for start, part in _parts(cells):
        part |= np.arange(start, start + len(part))
    cells.sort()
    places = np.empty(len(cells), kind)
    np.bitwise_and(cells, (1 << place_bits) - 1, out=places, casting="unsafe")
    cells >>= place_bits
    return cells, places


def lay_out(cells: IntArray, values: Values, timestamps: IntArray | None, shape: Shape) -> Cells:
    """The two orders, made from ascending cells. It takes `cells` over, and spoils it."""
    user_starts = np.searchsorted(cells, np.arange(shape.users + 1) << shape.item_bits)
    user_items = np.empty(len(cells), np.int32)
    np.bitwise_and(cells, (1 << shape.item_bits) - 1, out=user_items, casting="unsafe")
    cells >>= shape.item_bits
    if values.grid is not None and shape.users < PACKABLE:
        for start, part in _parts(cells):  # now the item comes first, then the user, then the code
            part <<= CODE_BITS
            part |= values.stored[start : start + len(part)]
            part |= user_items[start : start + len(part)].astype(np.int64) << 32
        cells.sort()
        item_starts = np.searchsorted(cells, np.arange(shape.items + 1) << 32)
        packed = np.empty(len(cells), np.uint32)
        np.bitwise_and(cells, 0xFFFFFFFF, out=packed, casting="unsafe")
        return Cells(user_starts, user_items, values.stored, item_starts, packed, None, values.grid, timestamps)
    by_item = np.argsort(user_items, kind="stable")
    item_starts = np.searchsorted(user_items[by_item], np.arange(shape.items + 1))
    floats = smallest_float(values.floats())
    item_users = cells.astype(np.int32)[by_item]
    return Cells(user_starts, user_items, floats, item_starts, item_users, floats[by_item], None, timestamps)


def _parts(cells: IntArray) -> Iterator[tuple[int, IntArray]]:
    """Views of the cells, short enough that what is computed beside them takes no room to speak of."""
    for start in range(0, len(cells), 1 << 18):
        yield start, cells[start : start + (1 << 18)]


def _equal(one: AnyArray | None, other: AnyArray | None) -> bool:
    if one is None or other is None:
        return one is other
    return np.array_equal(one, other)
