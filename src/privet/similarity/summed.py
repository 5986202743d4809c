"""What the similarities of this house have in common: a target is compared with everybody by sums over common items."""

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

import numpy as np

from privet.arrays import FloatArray, IntArray
from privet.errors import ParameterError
from privet.privacy import Bound, Noise, Terms
from privet.ratings import Ratings, Target
from privet.similarity.comparison import Comparison
from privet.world import World


class Compared(NamedTuple):
    """Users by row, in any order, and how similar they are."""

    rows: IntArray
    similarities: FloatArray


class Summed(ABC):
    """A similarity that says what each common item adds to which sums, and what the sums make."""

    corated: ClassVar[bool] = True
    released: ClassVar[bool] = False

    @abstractmethod
    def bound(self, terms: Terms) -> Bound | None:
        """The global sensitivity, if one is known."""

    def fits(self, ratings: Ratings, world: World | None) -> None:
        """Refuse what it cannot work with, before anybody asks it; most work with any ratings and need no world."""
        return

    @abstractmethod
    def compared(self, comparison: Comparison) -> Compared:
        """How similar everybody is."""

    def __call__(
        self, ratings: Ratings, target: Target, *, world: World | None = None, noise: Noise | None = None
    ) -> FloatArray:
        """One number per user, the target included; 0 where there is no common item."""
        if noise is not None:
            raise ParameterError(f"{type(self).__name__} is exact and takes no noise.", name="noise")
        found = self.compared(Comparison(ratings, ratings.profile(target), world))
        similarities = np.empty(len(ratings.users))
        similarities[found.rows] = found.similarities
        return similarities
