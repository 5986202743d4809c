"""RS, the recommendation-aware sensitivity: how far one common item can move a co-rated cosine."""

import numpy as np

from privet.arrays import FloatArray, IntArray
from privet.ratings import Ratings, Target
from privet.similarity.corated import Corated, corated
from privet.similarity.cosine import cosine

_VANISHED = 1e-12  # of a squared norm: what is left when its only rating that is not zero goes, up to rounding


def rs(ratings: Ratings, target: Target, others: IntArray | None = None) -> FloatArray:
    """RS of the target and each of these users, or of all users: the most that losing one common item changes.

    With one or no common item, or where a norm vanishes, it is the bound of the cosine. It covers the loss of a
    rating, not its change, so no promise may be made from it.

    Paper: Eq. (3)
    Departs: rs-dot-product
    """
    users = len(ratings.users)
    common = corated(ratings, ratings.profile(target))
    if others is not None:
        wanted = np.zeros(users, np.bool_)
        wanted[others] = True
        kept = wanted[common.users]
        common = Corated(common.users[kept], common.own[kept], common.theirs[kept])
    bound = cosine.bound(ratings).widest
    losses = np.zeros(users)
    np.maximum.at(losses, common.users, _losses(common, users, signed=ratings.scale[0] < 0))
    few = np.bincount(common.users, minlength=users) < 2
    sensitivities = np.where(few, bound, np.minimum(losses, bound))
    return sensitivities if others is None else sensitivities[others]


def _losses(common: Corated, users: int, *, signed: bool) -> FloatArray:
    """For each common rating, the terms of Eq. (3); infinite where a norm vanishes."""
    product = common.own * common.theirs
    dot = common.sums(product, users)[common.users]
    own = common.sums(common.own**2, users)[common.users]
    theirs = common.sums(common.theirs**2, users)[common.users]
    own_left, theirs_left = own - common.own**2, theirs - common.theirs**2
    vanished = (own_left <= _VANISHED * own) | (theirs_left <= _VANISHED * theirs)
    before = np.sqrt(own * theirs)
    after = np.sqrt(np.where(vanished, 1.0, own_left * theirs_left))
    dropped = product / after
    shrunk = np.divide(dot * (before - after), before * after, out=np.zeros(len(dot)), where=before > 0)
    losses = np.abs(dropped - shrunk) if signed else np.maximum(dropped, shrunk)
    return np.where(vanished, np.inf, losses)
