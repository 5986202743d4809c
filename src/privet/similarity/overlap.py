"""Overlap: how much of what the target likes somebody else likes too."""

from dataclasses import dataclass

import numpy as np

from privet.arrays import FloatArray, IntArray
from privet.privacy import STEPS, Bound, Terms, like_threshold
from privet.settings import check, setting
from privet.similarity.comparison import Comparison
from privet.similarity.summed import Compared, Summed

OWN_REST = 0.7  # what an item counts that the target rated below a like, and
THEIR_REST = 0.8  # that the other did: chosen on inner splits of two public data sets


@dataclass(frozen=True)
class Overlap(Summed):
    """The sum over common items of what they count on either side: 1 for a like, less for another rating.

    A like is a rating at or above a public threshold, by default three quarters up the scale. A term is cut, toward
    zero, to the public grid: a whole number of 1/`steps`.
    """

    like: float | None = setting(float, "the lowest rating that is a like", default=None, optional=True)
    steps: int = setting(int, "the whole steps of the public grid in 1", default=STEPS, at_least=1)

    def __post_init__(self) -> None:
        """Check the settings."""
        check(self)

    def bound(self, terms: Terms) -> Bound:
        """A like on both sides comes or goes; met."""
        return Bound(1.0, 1.0)

    def compared(self, comparison: Comparison) -> Compared:
        """The terms, added up in steps."""
        threshold = like_threshold(comparison.ratings.scale, self.like)
        own = np.where(comparison.profile.values >= threshold, 1.0, OWN_REST)

        def lanes(which: IntArray, values: FloatArray) -> FloatArray:
            terms: FloatArray = np.trunc(self.steps * own[which] * np.where(values >= threshold, 1.0, THEIR_REST))
            return terms[None]

        (steps,), rows = comparison.sums(lanes)
        return Compared(rows, steps / self.steps)


overlap = Overlap()
