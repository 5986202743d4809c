"""Laws that every registered similarity passes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privet.ratings import Ratings
from privet.similarity import SIMILARITIES, rank, rs

every_similarity = pytest.mark.parametrize("kind", SIMILARITIES.values(), ids=SIMILARITIES)


@st.composite
def tables(draw_from):
    """Users x items, not a number where nothing is rated."""
    users, items = draw_from(st.integers(1, 12)), draw_from(st.integers(1, 7))
    low = draw_from(st.sampled_from([1, 0, -5]))
    rng = np.random.default_rng(draw_from(st.integers(0, 2**32)))
    rated = rng.random((users, items)) < draw_from(st.floats(0, 1))
    return low, np.where(rated, rng.integers(low, 6, (users, items)), np.nan)


def ratings_of(low, table):
    """The ratings of a table."""
    cells = np.argwhere(~np.isnan(table))
    values = table[cells[:, 0], cells[:, 1]]
    users, items = table.shape
    return Ratings.of(cells[:, 0], cells[:, 1], values, users=range(users), items=range(items), scale=(low, 5))


@every_similarity
@given(table=tables(), order=st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_renaming_users_renames_similarities(kind, table, order):
    """A similarity does not know in which row a user stands, to the last bit."""
    low, values = table
    shuffled = list(range(len(values)))
    order.shuffle(shuffled)
    profile = ratings_of(low, values).profile(0)
    stranger = type(profile)(profile.items, profile.values)
    before = kind()(ratings_of(low, values), stranger)
    after = kind()(ratings_of(low, values[shuffled]), stranger)
    assert after.tolist() == before[shuffled].tolist()


@every_similarity
@given(table=tables())
@settings(max_examples=60)
def test_no_common_item_is_0_and_the_bound_is_wide_enough(kind, table):
    """0 where nothing is shared; erasing any one rating of another user moves the similarity by at most the bound."""
    low, values = table
    ratings = ratings_of(low, values)
    found = kind()(ratings, 0)
    shared = (~np.isnan(values) & ~np.isnan(values[0])).any(axis=1)
    assert np.isfinite(found).all()
    assert (found[~shared] == 0).all()
    bound = kind().bound(ratings)
    for user, item in np.argwhere(~np.isnan(values[1:])).tolist():
        moved = abs(kind()(ratings.without(user + 1, item), 0)[user + 1] - found[user + 1])
        assert bound is None or moved <= bound.inserted + 1e-12


@given(table=tables())
@settings(max_examples=60)
def test_cosine_is_that_of_the_formula(table):
    """Eq. (5) written down pair by pair."""
    low, values = table
    found = SIMILARITIES["cosine"]()(ratings_of(low, values), 0)
    for other, record in enumerate(values):
        both = ~np.isnan(values[0]) & ~np.isnan(record)
        own, theirs = values[0][both], record[both]
        norms = np.sqrt((own**2).sum() * (theirs**2).sum())
        assert found[other] == pytest.approx((own * theirs).sum() / norms if norms else 0)


@given(table=tables())
@settings(max_examples=60)
def test_rs_covers_every_erased_common_rating(table):
    """Eq. (3) as it must be read: no common rating can take more from the cosine than RS by leaving."""
    low, values = table
    ratings = ratings_of(low, values)
    found, sensitivities = SIMILARITIES["cosine"]()(ratings, 0), rs(ratings, 0)
    for other, item in np.argwhere(~np.isnan(values[1:]) & ~np.isnan(values[0])).tolist():
        left = SIMILARITIES["cosine"]()(ratings.without(other + 1, item), 0)[other + 1]
        assert abs(left - found[other + 1]) <= sensitivities[other + 1] + 1e-9


@every_similarity
@given(table=tables())
@settings(max_examples=40)
def test_rank_is_everybody_else_in_order(kind, table):
    """A permutation of the others, falling, ties by row."""
    low, values = table
    target = len(values) // 2
    found = rank(ratings_of(low, values), target, kind())
    pairs = list(zip((-found.similarities).tolist(), found.rows.tolist(), strict=True))
    assert pairs == sorted(pairs)
    assert sorted(found.rows.tolist()) == [row for row in range(len(values)) if row != target]
