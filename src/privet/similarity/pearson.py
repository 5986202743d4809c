"""Pearson: how far two users' ratings of common items move together about the mean of all their ratings."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from privet.privacy import Bound, Terms
from privet.similarity.comparison import ROUNDING, Comparison
from privet.similarity.cosine import quotients
from privet.similarity.summed import Compared, Summed


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
        """The products of deviations over both norms; what is 1 or -1 but for rounding is that: ties are ties."""
        (dots, own_squares, squares), rows = comparison.centred()
        found = quotients(dots, own_squares * squares)
        return Compared(rows, np.where(1 - np.abs(found) <= ROUNDING, np.sign(found), found))


pearson = Pearson()
