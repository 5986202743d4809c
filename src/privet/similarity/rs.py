"""RS, the recommendation-aware sensitivity: how far one common item can move a co-rated cosine."""

import numpy as np

from privet.arrays import FloatArray, IntArray
from privet.errors import ParameterError
from privet.kernels.similarity.plain import losses_of, product_terms, scattered
from privet.ratings import Ratings, Target
from privet.similarity.comparison import Comparison
from privet.similarity.corated import Corated, by_item, by_user
from privet.similarity.cosine import cosine
from privet.similarity.protocol import terms_of

_VANISHED = 1e-12  # of a squared norm: what is left when its only rating that is not zero goes, up to rounding
_NOTHING = -1.0  # where nothing is common
_BY_USER = 16  # looking a rating up by its user takes so many times as long as adding it up by its item


def rs(ratings: Ratings, target: Target, others: IntArray | None = None) -> FloatArray:
    """RS of the target and each of these users, or of all users: the most that losing one common item changes.

    With one or no common item, or where a norm vanishes, it is the bound of the cosine. It covers the loss of a
    rating, not its change, so no promise may be made from it. Of some users it costs in proportion to their records.

    Paper: Eq. (3)
    Departs: rs-dot-product
    """
    if others is not None:
        others = _checked(ratings, others)
    comparison = Comparison(ratings, ratings.profile(target))
    bound = cosine.bound(terms_of(ratings, comparison.profile)).widest
    if others is not None and _few(comparison, others):
        return np.minimum(_losses_by_user(comparison, others), bound)
    sensitivities = np.minimum(_losses_by_item(comparison), bound)
    return sensitivities if others is None else sensitivities[others]


def _checked(ratings: Ratings, others: object) -> IntArray:
    rows = np.asarray(others)
    if rows.ndim != 1 or (len(rows) and rows.dtype.kind not in "iu"):
        raise ParameterError(
            f"RS is asked for of a column of rows; got {others!r}"[:200] + ".", name="others", got=others
        )
    if len(rows):
        ratings.users.check_row(int(rows.min()))
        ratings.users.check_row(int(rows.max()))
    return rows.astype(np.int64)


def _few(comparison: Comparison, others: IntArray) -> bool:
    cells = comparison.ratings.cells
    records = int(np.diff(cells.user_starts)[others].sum())
    raters = int(np.diff(cells.item_starts)[comparison.profile.items].sum())
    return _BY_USER * records < raters + len(comparison.ratings.users)


def _by_columns(comparison: Comparison) -> IntArray | None:
    """The target's ratings as small positive numbers: then both terms of Eq. (3) grow with both ratings of an item."""
    return None if _signed(comparison) else comparison.columnar


def _signed(comparison: Comparison) -> bool:
    return terms_of(comparison.ratings, comparison.profile).scale[0] < 0


def _losses_by_item(comparison: Comparison) -> FloatArray:
    from privet.kernels.similarity import compiled

    ratings, profile = comparison.ratings, comparison.profile
    own = _by_columns(comparison)
    if own is not None:
        assert ratings.postings is not None
        losses = np.empty(len(ratings.users))
        losses[ratings.postings.rows] = compiled.largest_losses(ratings.postings, profile.items, own)
        return losses
    found = comparison.products()
    sums = np.empty_like(found.lines)
    sums[:, found.rows] = found.lines
    losses = np.full(len(ratings.users), _NOTHING)
    for part in by_item(ratings, profile):
        np.maximum.at(losses, part.users, _terms(comparison, part, sums))
    return np.where(losses == _NOTHING, np.inf, losses)


def _losses_by_user(comparison: Comparison, others: IntArray) -> FloatArray:
    common = by_user(comparison.ratings, comparison.profile, others)
    own, theirs = comparison.own[common.which], comparison.whole(common.values)
    if _by_columns(comparison) is not None:
        return losses_of(common.users, own, theirs, len(others))
    sums = scattered(common.users, product_terms(own, theirs), len(others))
    losses = np.full(len(others), _NOTHING)
    np.maximum.at(losses, common.users, _terms(comparison, common, sums))
    return np.where(losses == _NOTHING, np.inf, losses)


def _terms(comparison: Comparison, common: Corated, sums: FloatArray) -> FloatArray:
    """For each common rating, what Eq. (3) says; infinite where a norm vanishes."""
    own, theirs = comparison.own[common.which], comparison.whole(common.values)
    dots, own_squares, squares = sums[:, common.users]
    own_left, left = own_squares - own**2, squares - theirs**2
    rounding = _VANISHED if comparison.unit is None else 0.0  # sums of whole numbers are not rounded
    vanished = (own_left <= rounding * own_squares) | (left <= rounding * squares)
    before = np.sqrt(own_squares * squares)
    after = np.sqrt(np.where(vanished, 1.0, own_left * left))
    dropped = own * theirs / after
    shrunk = np.divide(dots * (before - after), before * after, out=np.zeros(len(dots)), where=before > 0)
    signed = _signed(comparison)
    return np.where(vanished, np.inf, np.abs(dropped - shrunk) if signed else np.maximum(dropped, shrunk))
