import numpy as np
import pytest

from privet.ratings import Ratings
from privet.similarity import cosine, cosine_full
from privet.similarity.protocol import terms_of

SCALE = (1, 5)


def ratings_of(*records, scale=SCALE):
    """Ratings from one mapping of items to values per user; items are a, b, c ..."""
    cells = [(user, item, value) for user, record in enumerate(records) for item, value in record.items()]
    users, items, values = zip(*cells, strict=True)
    return Ratings.of(users, items, values, users=range(len(records)), items=list("abcdef"), scale=scale)


def test_the_cosine_runs_over_common_items_only():
    """By hand: (5, 3) and (4, 1) on a and b, whatever either of them rated elsewhere."""
    ratings = ratings_of({"a": 5, "b": 3, "c": 1}, {"a": 4, "b": 1, "d": 5})
    assert cosine(ratings, 0)[1] == pytest.approx(23 / np.sqrt(34 * 17))


def test_without_a_common_item_the_cosine_is_0():
    """Users who share nothing, and users who rated nothing, are at 0."""
    assert cosine(ratings_of({"a": 5}, {"b": 5}, {}), 0).tolist() == [1, 0, 0]


def test_one_common_item_makes_the_cosine_1():
    """The paper's co-rated cosine cannot tell 5 and 1 apart on a single item."""
    assert cosine(ratings_of({"a": 5}, {"a": 1}), 0)[1] == 1


def test_zeros_are_ratings_without_a_direction():
    """A record of zeros has no angle to anything, and no warning either."""
    ratings = ratings_of({"a": 0, "b": 0}, {"a": 0, "b": 3}, scale=(0, 5))
    assert cosine(ratings, 0).tolist() == cosine_full(ratings, 0).tolist() == [0, 0]


def test_a_stranger_has_the_similarities_of_an_equal_member():
    """A profile without a row is compared with everybody."""
    ratings = ratings_of({"a": 5, "b": 3}, {"a": 4, "b": 1}, {"b": 2})
    assert cosine(ratings, ratings.stranger({"a": 5, "b": 3})).tolist() == cosine(ratings, 0).tolist()


def test_the_full_cosine_runs_over_whole_records():
    """By hand: the dot product of what is common, over the norms of (5, 3, 1) and of (4, 1, 5)."""
    ratings = ratings_of({"a": 5, "b": 3, "c": 1}, {"a": 4, "b": 1, "d": 5}, {"d": 5})
    assert cosine_full(ratings, 0).tolist() == pytest.approx([1, 23 / np.sqrt(35 * 42), 0])


def test_the_full_cosine_of_a_profile_with_an_item_hidden_has_its_own_norm():
    """What is hidden is hidden from the target's norm as well, though the row still holds it."""
    ratings = ratings_of({"a": 5, "b": 3, "c": 1}, {"a": 4, "b": 1, "d": 5})
    hidden = ratings.profile(0).without(0)
    assert cosine_full(ratings, hidden)[1] == pytest.approx(3 / np.sqrt(10 * 42))


@pytest.mark.parametrize("similarity", [cosine, cosine_full])
def test_the_bound_is_2_where_ratings_have_both_signs(similarity):
    """One rating can turn an angle round only if ratings can be negative; the profile and the users do not matter."""
    for low, bound in ((1, 1), (0.5, 1), (0, 1), (-1e-9, 2), (-10, 2)):
        terms = terms_of((ratings := ratings_of({"a": 5}, scale=(low, 10))), ratings.profile(0))
        assert similarity.bound(terms) == (bound, bound)


@pytest.mark.parametrize("similarity", [cosine, cosine_full])
def test_an_added_rating_moves_a_cosine_by_1(similarity):
    """From nothing in common to one item: the bound on scales without negative ratings, met."""
    before, after = ratings_of({"a": 5}, {}), ratings_of({"a": 5}, {"a": 1})
    assert (similarity(before, 0)[1], similarity(after, 0)[1]) == (0, 1)


@pytest.mark.parametrize("similarity", [cosine, cosine_full])
def test_a_changed_rating_turns_a_cosine_round(similarity):
    """From 10 to -10 on one common item: the bound on scales with both signs, met."""
    before, after = (ratings_of({"a": 10}, {"a": value}, scale=(-10, 10)) for value in (10, -10))
    assert similarity(before, 0)[1] - similarity(after, 0)[1] == 2


def test_a_change_to_or_from_0_moves_a_cosine_by_1():
    """On scales from 0 a changed rating does what an added one does: both sides of the bound are met."""
    before, after = (ratings_of({"a": 5}, {"a": value}, scale=(0, 5)) for value in (0, 1))
    assert (cosine(before, 0)[1], cosine(after, 0)[1]) == (0, 1)
