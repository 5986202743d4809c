import numpy as np
import pytest

from privet.ratings import Ratings
from privet.similarity import cosine, rank, rs


def ratings_of(*records, scale=(1, 5)):
    """Ratings from one mapping of items to values per user; items are a, b, c ..."""
    cells = [(user, item, value) for user, record in enumerate(records) for item, value in record.items()]
    users, items, values = zip(*cells, strict=True)
    return Ratings.of(users, items, values, users=range(len(records)), items=list("abcdef"), scale=scale)


def test_rs_by_hand():
    """With (5, 3) and (4, 1) the first term is 20/3, clamped; with two equal records of three both terms are equal."""
    assert rs(ratings_of({"a": 5, "b": 3}, {"a": 4, "b": 1}), 0)[1] == 1
    long = ratings_of({"a": 1, "b": 5, "c": 5}, {"a": 1, "b": 5, "c": 5})
    first = 25 / 26  # b or c: the product over the norms of the two that are left
    second = 51 * (51 - 50) / (51 * 50)  # a: what the dot product gains by shorter norms; for b it is 25/26 as well
    assert rs(long, 0)[1] == pytest.approx(max(first, second))


def test_the_second_term_may_be_the_larger():
    """By hand, (5, 1, 1) and (1, 1, 5): without an end the cosine leaps from 11/27 to 6/root 52, without b to 10/26."""
    second = 11 * (27 - np.sqrt(2 * 26)) / (27 * np.sqrt(2 * 26))
    first = 5 / np.sqrt(2 * 26)
    assert second > first
    assert rs(ratings_of({"a": 5, "b": 1, "c": 1}, {"a": 1, "b": 1, "c": 5}), 0)[1] == 1 < second
    ratings = ratings_of({"a": 3, "b": 3, "c": 2, "d": 2}, {"a": 2, "b": 2, "c": 3, "d": 3})
    dot, before, after = 24, 26, np.sqrt(17 * 22)
    assert rs(ratings, 0)[1] == pytest.approx(max(6 / after, dot * (before - after) / (before * after)))


def test_rs_is_the_difference_of_the_terms_on_scales_with_both_signs():
    """By hand, (2, 1, 2) and (1, -1, 2): the loss of each item is |cos - cos'|, and RS the largest of the three."""
    ratings = ratings_of({"a": 2, "b": 1, "c": 2}, {"a": 1, "b": -1, "c": 2}, scale=(-10, 10))
    before = 5 / np.sqrt(9 * 6)
    losses = [abs(before - after) for after in (3 / 5, 6 / np.sqrt(8 * 5), 1 / np.sqrt(5 * 2))]
    assert rs(ratings, 0)[1] == pytest.approx(max(losses))


def test_rs_is_the_bound_without_two_common_items():
    """One or no common item: anything may happen."""
    assert rs(ratings_of({"a": 5}, {"a": 4, "b": 1}, {"b": 3}, {}), 0).tolist() == [1, 1, 1, 1]
    assert rs(ratings_of({"a": 5}, {"a": 4}, {"b": 4}, {}, scale=(-10, 10)), 0).tolist() == [2, 2, 2, 2]


@pytest.mark.parametrize(("scale", "bound"), [((0, 5), 1), ((-10, 10), 2)])
def test_rs_is_the_bound_where_a_norm_vanishes(scale, bound):
    """The only rating that is not zero goes, of either user, and no angle is left; nor where there was none."""
    ratings = ratings_of({"a": 5, "b": 0}, {"a": 5, "b": 3}, {"a": 0, "b": 0}, scale=scale)
    assert rs(ratings, 0).tolist() == [bound] * 3
    assert rs(ratings, 1)[0] == bound


def test_rs_of_chosen_others_is_that_of_all():
    """Asking for some users, in any order and more than once, gives their entries."""
    ratings = ratings_of({"a": 1, "b": 5, "c": 5}, {"a": 1, "b": 4, "c": 5}, {"a": 2, "b": 5, "c": 3}, {"a": 5, "c": 1})
    chosen = np.array([3, 1, 0, 3])
    assert rs(ratings, 0, chosen).tolist() == rs(ratings, 0)[chosen].tolist()
    assert rs(ratings, 0, chosen[:0]).tolist() == []
    candidates = rank(ratings, 0)
    places = np.array([2, 0])
    assert candidates.rs(places).tolist() == rs(ratings, 0)[candidates.rows[places]].tolist()


@pytest.mark.parametrize("values", [np.arange(1, 6.0), np.arange(-10, 11.0), np.linspace(1, 5, 999)])
def test_few_others_are_looked_up_and_many_are_added_up(values):
    """In a shop where both ways are taken by themselves, either gives the same bits."""
    rng = np.random.default_rng(0)
    cells = np.argwhere(rng.random((900, 40)) < np.where(np.arange(900) < 800, 0.5, 0.05)[:, None])
    found = rng.choice(values, len(cells))
    scale = (min(1, values[0]), max(5, values[-1]))
    ratings = Ratings.of(cells[:, 0], cells[:, 1], found, users=range(900), items=range(40), scale=scale)
    whole = rs(ratings, 5)
    assert len(set(whole.tolist())) > 500
    for size in (1, 3, 10, 100, 900):
        chosen = rng.integers(0, 900, size)
        assert rs(ratings, 5, chosen).tolist() == whole[chosen].tolist()


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


def test_a_little_that_is_left_is_no_vanished_norm():
    """By hand, on a scale with both signs: without the tens the ones decide, and they agree, or they do not."""
    alike = ratings_of({"a": 10, "b": 1}, {"a": 10, "b": 1}, scale=(-10, 10))
    assert rs(alike, 0)[1] == pytest.approx(0, abs=1e-12)
    unlike = ratings_of({"a": 10, "b": 1}, {"a": 10, "b": -1}, scale=(-10, 10))
    assert rs(unlike, 0)[1] == pytest.approx(99 / 101 + 1)
