"""Cosines: the angle between two users, on the items that both have rated or on all of them."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from privet.arrays import FloatArray
from privet.privacy import Bound, Terms
from privet.similarity.comparison import Comparison
from privet.similarity.summed import Compared, Summed


class _OfProducts(Summed):
    def bound(self, terms: Terms) -> Bound:
        """1 where ratings have one sign, so that no angle is obtuse; otherwise 2."""
        return Bound(1.0, 1.0) if terms.scale[0] >= 0 else Bound(2.0, 2.0)


@dataclass(frozen=True)
class Cosine(_OfProducts):
    """The cosine over co-rated items, norms included; 0 without a common item.

    Paper: Eq. (5)
    """

    def compared(self, comparison: Comparison) -> Compared:
        """The products over both norms."""
        from privet.kernels.similarity import compiled

        postings, own = comparison.ratings.postings, comparison.columnar
        if postings is not None and own is not None:
            return Compared(postings.rows, compiled.cosines(postings, comparison.profile.items, own))
        (dots, own_squares, squares), rows = comparison.products()
        return Compared(rows, quotients(dots, own_squares * squares))


@dataclass(frozen=True)
class CosineFull(_OfProducts):
    """The cosine of whole records: the products of common ratings over the norms of everything that both have rated.

    Who rated much beside what is common is less similar, which is what most libraries mean by cosine.
    """

    corated: ClassVar[bool] = False

    def compared(self, comparison: Comparison) -> Compared:
        """The products over both norms."""
        (dots, _, _), rows = comparison.products()
        own_square = float(comparison.own @ comparison.own)
        squares = comparison.ratings.user_squares[rows] * (comparison.unit or 1.0) ** 2
        return Compared(rows, quotients(dots, own_square * squares))


def quotients(dots: FloatArray, squares: FloatArray) -> FloatArray:
    """The dot products over the root of the products of squared norms; 0 where a norm is 0."""
    cosines = np.divide(dots, np.sqrt(squares), out=np.zeros(len(dots)), where=squares > 0)
    return np.clip(cosines, -1.0, 1.0, out=cosines)


cosine = Cosine()
cosine_full = CosineFull()
