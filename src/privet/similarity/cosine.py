"""Co-rated cosine: the angle between two users on the items that both have rated."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from privet.arrays import FloatArray
from privet.privacy import Noise
from privet.ratings import Ratings, Target
from privet.similarity.corated import corated
from privet.similarity.protocol import Bound, Scaled


@dataclass(frozen=True)
class Cosine:
    """The cosine over co-rated items, norms included; 0 without a common item.

    Paper: Eq. (5)
    """

    corated: ClassVar[bool] = True
    released: ClassVar[bool] = False

    def bound(self, terms: Scaled) -> Bound:
        """1 where ratings have one sign, so that no angle is obtuse; otherwise 2."""
        return Bound(1.0, 1.0) if terms.scale[0] >= 0 else Bound(2.0, 2.0)

    def __call__(
        self, ratings: Ratings, target: Target, *, world: object = None, noise: Noise | None = None
    ) -> FloatArray:
        """The cosine with every user."""
        common = corated(ratings, ratings.profile(target))
        users = len(ratings.users)
        products = common.sums(common.own * common.theirs, users)
        lengths = np.sqrt(common.sums(common.own**2, users) * common.sums(common.theirs**2, users))
        cosines = np.divide(products, lengths, out=np.zeros(users), where=lengths > 0)
        return np.clip(cosines, -1.0, 1.0)


cosine = Cosine()
