"""Values: one number per rating, in the smallest form that is exact."""

from typing import NamedTuple

import numpy as np

from privet.arrays import AnyArray, ByteArray, FloatArray

CODE_BITS = 5
GRID = 1 << CODE_BITS  # the most values that a code can tell apart


class Values(NamedTuple):
    """Codes into an ascending grid of at most 32 values, or floats where there is no such grid."""

    stored: AnyArray
    grid: FloatArray | None

    @classmethod
    def of(cls, values: FloatArray) -> "Values":
        """Values in their smallest form."""
        coder = ValueCoder()
        coder.add(values)
        return coder.finish()

    def __len__(self) -> int:
        """How many values."""
        return len(self.stored)

    def floats(self) -> FloatArray:
        """The values as they came."""
        return decoded(self.stored, self.grid)

    def taken(self, places: AnyArray) -> "Values":
        """The values at these places."""
        return Values(self.stored[places], self.grid)


class ValueCoder:
    """Takes values as they arrive and codes them against a grid that grows; keeps floats once it outgrows the codes."""

    def __init__(self) -> None:
        self._grid = np.empty(0)  # in order of arrival: a code once given keeps its meaning
        self._codes: list[ByteArray] | None = []
        self._floats: list[FloatArray] = []

    def add(self, values: FloatArray) -> None:
        """Take the next block."""
        values = values + 0.0  # a negative zero is a zero
        if self._codes is not None and self._outgrown_by(values):
            self._floats = [self._grid[codes] for codes in self._codes]
            self._codes = None
        if self._codes is None:
            self._floats.append(values)
        else:
            self._codes.append(codes_on(self._grid, values))

    def finish(self) -> Values:
        """All values, in order of arrival."""
        if self._codes is None:
            floats = np.concatenate(self._floats)
            self._floats.clear()
            return Values(smallest_float(floats), None)
        ascending = np.argsort(self._grid)
        ranks = np.empty(len(ascending), np.uint8)
        ranks[ascending] = np.arange(len(ascending), dtype=np.uint8)
        codes = np.concatenate(self._codes) if self._codes else np.empty(0, np.uint8)
        self._codes.clear()
        return Values(ranks[codes], self._grid[ascending])

    def _outgrown_by(self, values: FloatArray) -> bool:
        """Whether the grid, grown by what is new in these values, is too long for a code."""
        if len(self._grid) and len(values):
            ascending = np.sort(self._grid)
            nearest = ascending[np.minimum(np.searchsorted(ascending, values), len(ascending) - 1)]
            values = values[nearest != values]
        strange = np.unique(values)
        if len(self._grid) + len(strange) > GRID:
            return True
        self._grid = np.concatenate([self._grid, strange])
        return False


def codes_on(grid: FloatArray, values: FloatArray) -> ByteArray:
    """The place of every value in a grid that holds them all, in whatever order the grid is."""
    if not len(grid):
        return np.empty(0, np.uint8)
    ascending = np.argsort(grid)
    return ascending.astype(np.uint8)[np.searchsorted(grid[ascending], values)]


def decoded(stored: AnyArray, grid: FloatArray | None) -> FloatArray:
    """Codes or floats as the values they stand for."""
    return stored.astype(np.float64) if grid is None else grid[stored]


def smallest_float(values: FloatArray) -> AnyArray:
    """32-bit floats where they are exact, 64-bit floats where they are not."""
    with np.errstate(over="ignore"):  # what overflows is not equal and stays as it is
        narrow = values.astype(np.float32)
    return narrow if np.array_equal(narrow, values) else values
