"""Deviation: whether two users like the same items better, or worse, than everybody does."""

from dataclasses import dataclass

import numpy as np

from privet.arrays import FloatArray, IntArray
from privet.errors import ParameterError
from privet.privacy import STEPS, Bound, Terms
from privet.ratings import Ratings
from privet.settings import check, setting
from privet.similarity.comparison import Comparison
from privet.similarity.summed import Compared, Summed
from privet.world import World

CLIP = 0.5  # units: beyond half a star the sign says nearly all; chosen on inner splits of public data


@dataclass(frozen=True)
class Deviation(Summed):
    """The sum over common items of both users' deviations from the released effects, clipped to half a unit.

    The target's are taken from its own part too, the other's from the released effects alone, never from the other's
    own mean. A term lies within -1 and 1 and is cut, toward zero, to the public grid: a whole number of 1/`steps`.
    """

    steps: int = setting(int, "the whole steps of the public grid in 1", default=STEPS, at_least=1)

    def __post_init__(self) -> None:
        """Check the settings."""
        check(self)

    def bound(self, terms: Terms) -> Bound:
        """A term turns round, or comes or goes; met."""
        return Bound(2.0, 1.0)

    def fits(self, ratings: Ratings, world: World | None) -> None:
        """It needs a world, of as many items and of the same scale."""
        _fitting(world, ratings)

    def compared(self, comparison: Comparison) -> Compared:
        """The terms, added up in steps."""
        world, profile = _fitting(comparison.world, comparison.ratings), comparison.profile
        own = _clipped(world.deviations(profile))

        def lanes(which: IntArray, values: FloatArray) -> FloatArray:
            theirs = _clipped(world.released_deviations(profile.items[which], values))
            return np.trunc(self.steps * own[which] * theirs)[None]

        (steps,), rows = comparison.sums(lanes)
        return Compared(rows, steps / self.steps)


def _clipped(deviations: FloatArray) -> FloatArray:
    return np.clip(deviations, -CLIP, CLIP) / CLIP


def _fitting(world: World | None, ratings: Ratings) -> World:
    if not isinstance(world, World):
        raise ParameterError(
            f"deviation needs a World, whose effects it measures from; got world={world!r}"[:200]
            + ". Hand it in as world=..., to the similarity or to the Recommender.",
            name="world",
            got=world,
        )
    if world.items != len(ratings.items) or world.scale != ratings.scale:
        raise ParameterError(
            f"deviation needs the World of these ratings, of {len(ratings.items):,} items on {ratings.scale}; got one"
            f" of {world.items:,} items on {world.scale}.",
            name="world",
            got=world,
        )
    return world


deviation = Deviation()
