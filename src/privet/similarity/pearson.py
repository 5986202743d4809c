"""Pearson: how far two users' ratings of common items move together about the mean of all their ratings."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from privet.arrays import FloatArray, IntArray
from privet.privacy import Bound, Terms
from privet.similarity.comparison import Comparison
from privet.similarity.cosine import quotients
from privet.similarity.summed import Compared, Summed

# Of what a variance is the difference of: below it nothing but rounding is left. On five stars a rating that is not at
# the mean of n ratings is at least 1/n from it, so nobody with fewer than 200,000 ratings is taken for constant.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Pearson(Summed):
    """The correlation over co-rated items, each user's ratings taken from the mean of all that the user rated.

    0 without a common item, and where one of the two rated all common items at their mean.

    Paper: Eq. (4)
    """

    corated: ClassVar[bool] = False

    def bound(self, terms: Terms) -> Bound:
        """From one end to the other."""
        return Bound(2.0, 2.0)

    def compared(self, comparison: Comparison) -> Compared:
        """From sums about 0 to sums about the means, times the squares of both numbers of ratings: all stays whole."""

        def lanes(which: IntArray, values: FloatArray) -> FloatArray:
            own, theirs = np.broadcast_arrays(comparison.own[which], comparison.whole(values))
            return np.stack([own * theirs, own * own, theirs * theirs, own, theirs, np.ones_like(own)])

        (products, own_squares, squares, own, theirs, common), rows = comparison.sums(lanes)
        count, total = float(len(comparison.own)), float(comparison.own.sum())
        counts = np.diff(comparison.ratings.cells.user_starts)[rows].astype(np.float64)
        totals = comparison.whole(comparison.ratings.user_sums)[rows]
        dots = count * counts * products - counts * total * theirs - count * totals * own + common * total * totals
        own_left = _left(count, total, own_squares, own, common)
        theirs_left = _left(counts, totals, squares, theirs, common)
        return Compared(rows, quotients(dots, own_left * theirs_left))


def _left(
    counts: FloatArray | float, totals: FloatArray | float, squares: FloatArray, sums: FloatArray, common: FloatArray
) -> FloatArray:
    """The sum of squares about a mean, times the square of how many the mean is of; 0 if only rounding is left."""
    whole = counts * counts * squares
    left = whole - 2 * counts * totals * sums + common * totals * totals
    return np.where(left > _ROUNDING * whole, left, 0.0)


pearson = Pearson()
