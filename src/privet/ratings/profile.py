"""Profile: one person's frozen record."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from privet.arrays import FloatArray, IntArray, frozen


@dataclass(frozen=True, eq=False)
class Profile:
    """Which items one person rated, ascending, and how. Without a row it is a stranger's."""

    items: IntArray
    values: FloatArray
    row: int | None = None

    def __post_init__(self) -> None:
        """Freeze what was handed in."""
        frozen(self.items)
        frozen(self.values)

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
