import numpy as np
import pytest

from privet.ratings import Ratings
from privet.similarity import cosine, rank, rs

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
    assert cosine(ratings_of({"a": 0, "b": 0}, {"a": 0, "b": 3}, scale=(0, 5)), 0).tolist() == [0, 0]


def test_a_stranger_has_the_similarities_of_an_equal_member():
    """A profile without a row is compared with everybody."""
    ratings = ratings_of({"a": 5, "b": 3}, {"a": 4, "b": 1}, {"b": 2})
    assert cosine(ratings, ratings.stranger({"a": 5, "b": 3})).tolist() == cosine(ratings, 0).tolist()


def test_the_bound_is_2_where_ratings_have_both_signs():
    """One rating can turn an angle round only if ratings can be negative."""
    assert cosine.bound(ratings_of({"a": 1}, scale=(0, 5))) == (1, 1)
    assert cosine.bound(ratings_of({"a": 1}, scale=(-10, 10))) == (2, 2)


def test_rank_drops_the_target_by_row_and_breaks_ties_by_row():
    """Nearest first; equal users in registry order; the target is not among them though others are as near."""
    ratings = ratings_of({"a": 1, "b": 5}, {"a": 5, "b": 3}, {"a": 5, "b": 3}, {"c": 1}, {"a": 5, "b": 3})
    found = rank(ratings, 2)
    assert found.rows.tolist() == [1, 4, 0, 3]
    assert found.similarities.tolist() == [1, 1, pytest.approx(20 / np.sqrt(34 * 26)), 0]
    assert (found.ordered, len(found), found.released) == (4, 4, False)


def test_rank_keeps_everybody_for_a_stranger():
    """Nobody is left out for a profile without a row."""
    ratings = ratings_of({"a": 1}, {"a": 2}, {"b": 3})
    assert rank(ratings, ratings.stranger({"a": 4})).rows.tolist() == [0, 1, 2]


@pytest.mark.parametrize("depth", [0, 1, 2, 3, 5, 6, 99])
def test_a_list_ordered_to_a_depth_begins_like_the_whole(depth):
    """The head is that of the full order, ties across the edge included; the rest follows by row."""
    ratings = ratings_of(
        {"a": 5, "b": 3}, {"a": 5, "b": 3}, {"a": 1, "b": 5}, {"a": 5, "b": 3}, {}, {"a": 5, "b": 3}, {"a": 1, "b": 5}
    )
    whole, part = rank(ratings, 0), rank(ratings, 0, depth=depth)
    cut = min(depth, 6)
    assert part.ordered == cut
    assert part.rows[:cut].tolist() == whole.rows[:cut].tolist()
    assert part.rows[cut:].tolist() == sorted(whole.rows[cut:].tolist())
    assert np.array_equal(part.similarities, cosine(ratings, 0)[part.rows])


def test_rs_by_hand():
    """With (5, 3) and (4, 1) the first term is 20/3, clamped; with two equal records of three both terms are equal."""
    assert rs(ratings_of({"a": 5, "b": 3}, {"a": 4, "b": 1}), 0)[1] == 1
    long = ratings_of({"a": 1, "b": 5, "c": 5}, {"a": 1, "b": 5, "c": 5})
    first = 25 / 26  # b or c: the product over the norms of the two that are left
    second = 51 * (51 - 50) / (51 * 50)  # a: what the dot product gains by shorter norms; for b it is 25/26 as well
    assert rs(long, 0)[1] == pytest.approx(max(first, second))


def test_rs_is_the_bound_without_two_common_items():
    """One or no common item: anything may happen."""
    assert rs(ratings_of({"a": 5}, {"a": 4, "b": 1}, {"b": 3}), 0).tolist() == [1, 1, 1]
    assert rs(ratings_of({"a": 5}, {"a": 4}, scale=(-10, 10)), 0).tolist() == [2, 2]


def test_rs_is_the_bound_where_a_norm_vanishes():
    """The only rating that is not zero goes, and no angle is left."""
    assert rs(ratings_of({"a": 5, "b": 0}, {"a": 5, "b": 3}, scale=(0, 5)), 0)[1] == 1


def test_rs_of_chosen_others_is_that_of_all():
    """Asking for some users, in any order, gives their entries."""
    ratings = ratings_of({"a": 1, "b": 5, "c": 5}, {"a": 1, "b": 4, "c": 5}, {"a": 2, "b": 5, "c": 3}, {"a": 5, "c": 1})
    chosen = np.array([3, 1])
    assert rs(ratings, 0, chosen).tolist() == rs(ratings, 0)[chosen].tolist()
    candidates = rank(ratings, 0)
    places = np.array([2, 0])
    assert candidates.rs(places).tolist() == rs(ratings, 0)[candidates.rows[places]].tolist()


@pytest.mark.parametrize("scale", [(1, 5), (0, 5), (-10, 10)])
def test_rs_covers_the_loss_of_any_common_rating(scale):
    """By force: take every common item away from random pairs; no cosine moves by more than RS."""
    rng = np.random.default_rng(1)
    checked = 0
    for _ in range(150):
        items = list("abcdef")[: rng.integers(2, 6)]
        low, high = scale
        pair = [dict(zip(items, rng.integers(low, high + 1, len(items)).tolist(), strict=True)) for _ in range(2)]
        full = ratings_of(*pair, scale=scale)
        sensitivity = rs(full, 0)[1]
        for item in items:
            left = [{key: value for key, value in record.items() if key != item} for record in pair]
            moved = abs(cosine(ratings_of(*left, scale=scale), 0)[1] - cosine(full, 0)[1])
            assert moved <= sensitivity + 1e-9
            checked += 1
    assert checked > 300
