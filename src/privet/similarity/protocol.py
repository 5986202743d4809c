"""What a similarity is."""

from typing import Protocol

from privet.arrays import FloatArray
from privet.privacy import Bound, Noise, Terms
from privet.ratings import Profile, Ratings, Target
from privet.world import World


class Similarity(Protocol):
    """How near every user is to one target. Frozen settings; a value is a function of its arguments."""

    @property
    def corated(self) -> bool:
        """Whether it reads the other user on the target's items only."""

    @property
    def released(self) -> bool:
        """Whether it is private already."""

    def bound(self, terms: Terms) -> Bound | None:
        """The global sensitivity, if one is known."""

    def __call__(
        self, ratings: Ratings, target: Target, *, world: World | None = None, noise: Noise | None = None
    ) -> FloatArray:
        """One number per user, the target included; 0 where there is no common item."""


def terms_of(ratings: Ratings, profile: Profile) -> Terms:
    """The public numbers of ratings and of a target, whose own ratings may lie beyond a scale that was inferred."""
    low, high = ratings.scale
    return Terms(
        users=len(ratings.users),
        items=len(ratings.items),
        profile=len(profile),
        scale=(float(profile.values.min(initial=low)), float(profile.values.max(initial=high))),
        declared=ratings.declared,
    )
