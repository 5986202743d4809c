"""Agreement: how much of what the target rated somebody else rated alike."""

from dataclasses import dataclass

import numpy as np

from privet.arrays import FloatArray, IntArray
from privet.privacy import Bound, Terms
from privet.settings import check, setting
from privet.similarity.comparison import Comparison
from privet.similarity.summed import Compared, Summed


@dataclass(frozen=True)
class Agreement(Summed):
    """The sum over common items of 1 - |difference| / (hi - lo), over the number of the target's items, `m0` at least.

    The denominator is the target's own, so one rating of somebody else moves it by no more than 1 over it.
    """

    m0: int = setting(int, "the least number of items that agreement is divided by", default=20, at_least=1)

    def __post_init__(self) -> None:
        """Check the settings."""
        check(self)

    def bound(self, terms: Terms) -> Bound:
        """One item, from no agreement to all of it; met."""
        most = 1.0 / max(terms.profile, self.m0)
        return Bound(most, most)

    def compared(self, comparison: Comparison) -> Compared:
        """How much of the scale does not lie between the two ratings, over the scale and over the number of items."""
        low, high = comparison.ratings.scale
        span = (high - low) * (comparison.unit or 1.0)

        def lanes(which: IntArray, values: FloatArray) -> FloatArray:
            apart = np.minimum(np.abs(comparison.own[which] - comparison.whole(values)), span)
            return np.stack([apart, np.ones_like(apart)])

        (apart, common), rows = comparison.sums(lanes)
        alike = np.maximum(span * common - apart, 0.0)  # which rounding can take below 0
        return Compared(rows, alike / (span * max(len(comparison.profile), self.m0)))


agreement = Agreement()
