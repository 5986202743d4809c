"""Terms: what a promise may depend on; and a bound, how far one rating of somebody else moves a similarity."""

from dataclasses import dataclass
from typing import NamedTuple

STEPS = 64
"""The public grid: terms of similarities, likes and votes are whole multiples of 1/64."""


class Bound(NamedTuple):
    """The most by which a similarity moves when one rating of the other user changes, or comes or goes."""

    changed: float
    inserted: float

    @property
    def widest(self) -> float:
        """The larger of the two."""
        return max(self.changed, self.inserted)


@dataclass(frozen=True, kw_only=True, slots=True)
class Terms:
    """Public numbers: all that a promise or a refusal may depend on, and never a rating.

    >>> Terms(users=943, items=1682, profile=20, scale=(1, 5)).threshold
    4.0
    """

    users: int
    items: int
    profile: int  # how many items the target rated
    scale: tuple[float, float]
    k: int | None = None  # none where nobody is chosen
    like: float | None = None
    steps: int = STEPS
    declared: frozenset[str] = frozenset()

    @property
    def unit(self) -> float:
        """A quarter of the scale: a star where there are five."""
        return unit(self.scale)

    @property
    def threshold(self) -> float:
        """The lowest rating that is a like."""
        return like_threshold(self.scale, self.like)


def unit(scale: tuple[float, float]) -> float:
    """A quarter of a scale: a star where there are five."""
    low, high = scale
    return (high - low) / 4


def like_threshold(scale: tuple[float, float], declared: float | None = None) -> float:
    """The lowest rating that is a like: the declared one, or three quarters up the scale."""
    return scale[0] + 3 * unit(scale) if declared is None else declared
