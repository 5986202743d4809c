"""What a similarity is, and what it may be told of public things."""

from typing import NamedTuple, Protocol

from privet.arrays import FloatArray
from privet.privacy import Noise
from privet.ratings import Ratings, Target


class Bound(NamedTuple):
    """The most by which a similarity moves when one rating of the other user changes, or comes or goes."""

    changed: float
    inserted: float

    @property
    def widest(self) -> float:
        """The larger of the two."""
        return max(self.changed, self.inserted)


class Scaled(Protocol):
    """Whatever has a rating scale."""

    @property
    def scale(self) -> tuple[float, float]:
        """The lowest and the highest rating."""


class Similarity(Protocol):
    """How near every user is to one target. Frozen settings; a value is a function of its arguments."""

    @property
    def corated(self) -> bool:
        """Whether it reads the other user on the target's items only."""

    @property
    def released(self) -> bool:
        """Whether it is private already."""

    def bound(self, terms: Scaled) -> Bound | None:
        """The global sensitivity, if one is known."""

    def __call__(
        self, ratings: Ratings, target: Target, *, world: object = None, noise: Noise | None = None
    ) -> FloatArray:
        """One number per user, the target included; 0 where there is no common item."""
