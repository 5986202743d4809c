"""The co-rated cosine beside three products of sparse matrices, as SciPy computes them."""

import numpy as np
import pytest
from scipy import sparse

from privet.ratings import Ratings
from privet.similarity import cosine

SHOPS = {  # users, items, ratings, scale, density
    "stars": (800, 120, np.arange(1, 6.0), (1, 5), 0.15),
    "more than a tile of users": (5_000, 40, np.arange(1, 6.0), (1, 5), 0.4),
    "more than sixteen bits": (90, 700, np.array([14, 15.0]), (1, 15), 0.97),
    "half stars": (400, 80, np.arange(1, 11) / 2, (0.5, 5), 0.2),
    "ten points": (400, 80, np.arange(1, 11.0), (1, 10), 0.2),
    "both signs": (400, 80, np.arange(-10, 11.0), (-10, 10), 0.2),
    "zeros": (400, 80, np.arange(6.0), (0, 5), 0.2),
    "tenths": (400, 80, np.arange(11) / 10, (0, 1), 0.2),
    "large numbers": (400, 80, np.array([1, 1e3, 999_999, 1e6]), (0, 1e6), 0.2),
    "more values than a grid has": (400, 80, np.linspace(1, 5, 1_001), (1, 5), 0.2),
}


@pytest.mark.parametrize("name", SHOPS)
def test_cosines_are_three_sparse_products(name):
    """R R^T over the root of (R^2 P^T) (P R^2^T), where P says who rated what: within 1e-12, for every seventh user."""
    users, items, values, scale, density = SHOPS[name]
    rng = np.random.default_rng(7)
    activity, popularity = rng.random((users, 1)) ** 2, rng.random(items) ** 2
    mask = rng.random((users, items)) < np.minimum(1, 9 * density * activity * popularity)
    mask |= rng.random((users, items)) < density / 3
    where = np.nonzero(mask if density < 0.9 else rng.random((users, items)) < density)
    found = rng.choice(values, len(where[0]))
    ratings = Ratings.of(*where, found, users=range(users), items=range(items), scale=scale)
    wanted = np.arange(0, users, 7)

    def matrix(numbers):
        return sparse.csr_array((numbers, where), shape=(users, items))

    r, squares, p = matrix(found), matrix(found**2), matrix(np.ones(len(found)))
    dots = (r[wanted] @ r.T).toarray()
    norms = (squares[wanted] @ p.T).toarray() * (p[wanted] @ squares.T).toarray()
    expected = np.divide(dots, np.sqrt(norms), out=np.zeros(dots.shape), where=norms > 0)
    assert (expected != 0).mean() > 0.5
    for target, line in zip(wanted.tolist(), expected, strict=True):
        assert np.abs(cosine(ratings, target) - line).max() <= 1e-12
