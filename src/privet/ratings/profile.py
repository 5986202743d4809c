"""Profile: one person's frozen record."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from privet.arrays import FloatArray, FrozenArrays, IntArray
from privet.errors import RatingsError
from privet.settings import is_whole


@dataclass(frozen=True, eq=False)
class Profile(FrozenArrays):
    """Which items one person rated, by row and ascending, and how. Without a row of its own it is a stranger's."""

    items: IntArray
    values: FloatArray
    row: int | None = None

    def __post_init__(self) -> None:
        """Keep copies of what was handed in, if it can be a record."""
        items, values = np.array(self.items), np.array(self.values)
        if items.ndim != 1 or items.shape != values.shape or (len(items) and items.dtype.kind not in "iu"):
            raise RatingsError("a profile is one column of item rows and one of ratings, equally long")
        if len(items) and (items[0] < 0 or not (items[1:] > items[:-1]).all()):
            raise RatingsError("the items of a profile are rows, ascending, each once")
        if values.dtype.kind not in "iuf" or not np.isfinite(values).all():
            raise RatingsError("the ratings of a profile must be finite numbers")
        if self.row is not None and not is_whole(self.row, at_least=0):
            raise RatingsError(f"the row of a profile is a whole number from 0, or none; got {self.row!r}")
        object.__setattr__(self, "items", items.astype(np.int64))
        object.__setattr__(self, "values", values.astype(np.float64) + 0.0)
        super().__post_init__()

    def __len__(self) -> int:
        """How many items are rated."""
        return len(self.items)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Profile):
            return NotImplemented
        return (
            self.row == other.row
            and np.array_equal(self.items, other.items)
            and np.array_equal(self.values, other.values)
        )

    __hash__ = None  # type: ignore[assignment]

    def __contains__(self, item: int) -> bool:
        return self.value(item) is not None

    def value(self, item: int) -> float | None:
        """The rating of one item, if there is one."""
        place = int(np.searchsorted(self.items, item))
        if place == len(self.items) or self.items[place] != item:
            return None
        return float(self.values[place])

    def without(self, item: int) -> "Profile":
        """The same record with one item not rated."""
        keep = self.items != item
        return Profile(self.items[keep], self.values[keep], self.row)


Target: TypeAlias = int | Profile
