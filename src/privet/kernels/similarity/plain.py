"""The specification of the kernels, in NumPy: what each must return, to the last bit where numbers are whole.

Users stand in places, as in `Postings`. A sum over the common items of a target and of everybody is made of *terms*:
what a rating with this code, of this item of the target, adds to each lane.
"""

import numpy as np

from privet.arrays import AnyArray, FloatArray, IntArray
from privet.kernels.similarity.postings import CODE_BITS, CODES, Postings


def common_sums(postings: Postings, items: IntArray, terms: IntArray) -> FloatArray:
    """Sums of whole terms [lane, item of the target, code] over common items, by lane and place."""
    places, which, codes = _entries(postings, items)
    return scattered(places, terms[:, which, codes].astype(np.float64), postings.users)


def scattered(places: IntArray, terms: FloatArray, users: int) -> FloatArray:
    """Terms [lane, rating], added up by the place of each rating, one after the other."""
    return np.array([np.bincount(places, lane, minlength=users) for lane in terms]).reshape(len(terms), users)


def product_terms(own: AnyArray, theirs: AnyArray) -> AnyArray:
    """The three products of ratings that a cosine is made of."""
    own, theirs = np.broadcast_arrays(own, theirs)
    return np.stack([own * theirs, own * own, theirs * theirs])


def product_sums(postings: Postings, items: IntArray, own: IntArray) -> FloatArray:
    """The sums of own * theirs, own * own and theirs * theirs over common items, in whole numbers."""
    assert postings.columns is not None
    terms = product_terms(own[:, None], postings.columns.whole.astype(np.int64))
    return common_sums(postings, items, terms)


def cosines(postings: Postings, items: IntArray, own: IntArray) -> FloatArray:
    """The co-rated cosine at every place; 0 without a common item. Ratings are positive."""
    return cosines_of(*product_sums(postings, items, own))


def cosines_of(dots: FloatArray, own_squares: FloatArray, squares: FloatArray) -> FloatArray:
    """The cosines that sums of whole, positive products make."""
    similarities: FloatArray = np.minimum(dots / np.sqrt(np.maximum(own_squares * squares, 1.0)), 1.0)
    return similarities


def largest_losses(postings: Postings, items: IntArray, own: IntArray) -> FloatArray:
    """The larger term of Eq. (3), over common items, at every place: see `losses_of`."""
    assert postings.columns is not None
    places, which, codes = _entries(postings, items)
    theirs = postings.columns.whole[codes]
    return losses_of(places, own[which].astype(np.float64), theirs.astype(np.float64), postings.users)


def losses_of(whose: IntArray, own: FloatArray, theirs: FloatArray, users: int) -> FloatArray:
    """The larger term of Eq. (3) over the common ratings of each user.

    Infinite where a norm vanishes, or nothing is common. For positive ratings: each term grows with both ratings of an
    item.
    """
    dots, own_squares, squares = scattered(whose, product_terms(own, theirs), users)
    left = (own_squares[whose] - own * own) * (squares[whose] - theirs * theirs)
    with np.errstate(divide="ignore", invalid="ignore"):  # where nothing is left the loss is infinite
        first = np.zeros(users)
        np.maximum.at(first, whose, (own * own) * (theirs * theirs) / left)
        least = np.full(users, np.inf)
        np.minimum.at(least, whose, left)
        shrunk = dots * (1 / np.sqrt(least) - 1 / np.sqrt(own_squares * squares))
        return np.where((least > 0) & (least < np.inf), np.maximum(np.sqrt(first), shrunk), np.inf)


def nearest(similarities: FloatArray, rows: IntArray, k: int) -> tuple[AnyArray, FloatArray]:
    """The k candidates of the largest similarities in a line of them, ties by row: their rows and similarities."""
    best = np.lexsort((rows, -similarities))[:k]
    return rows[best].astype(np.int32), similarities[best]


def _entries(postings: Postings, items: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """The place, the item of the target by position, and the code of every rating of these items."""
    parts = [postings.entries[postings.starts[item] : postings.starts[item + 1]] for item in items.tolist()]
    entries = np.concatenate([np.empty(0, np.uint32), *parts])
    which = np.repeat(np.arange(len(items)), [len(part) for part in parts])
    return (entries >> CODE_BITS).astype(np.int64), which, (entries & (CODES - 1)).astype(np.int64)
