"""The ratings that other users gave to one target's items: what co-rated similarities are made of."""

from typing import NamedTuple

import numpy as np

from privet.arrays import FloatArray, IntArray
from privet.ratings import Profile, Ratings


class Corated(NamedTuple):
    """One entry per rating of an item of the target: whose it is, the target's rating and theirs."""

    users: IntArray
    own: FloatArray
    theirs: FloatArray

    def sums(self, values: FloatArray, users: int) -> FloatArray:
        """Values summed by user."""
        return np.bincount(self.users, values, minlength=users).astype(np.float64)


def corated(ratings: Ratings, profile: Profile) -> Corated:
    """All ratings of the profile's items, item by item."""
    raters = [ratings.raters(item) for item in profile.items.tolist()]
    if not raters:
        return Corated(np.empty(0, np.int64), np.empty(0), np.empty(0))
    return Corated(
        np.concatenate([users for users, _ in raters]),
        np.repeat(profile.values, [len(users) for users, _ in raters]),
        np.concatenate([values for _, values in raters]),
    )
