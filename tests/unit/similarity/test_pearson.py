import numpy as np
import pytest

from privet.errors import ParameterError
from privet.ratings import Ratings
from privet.similarity import pearson, rank
from privet.similarity.protocol import terms_of


def ratings_of(*records, scale=(1, 5)):
    """Ratings from one mapping of items to values per user; items are a, b, c ..."""
    cells = [(user, item, value) for user, record in enumerate(records) for item, value in record.items()]
    users, items, values = zip(*cells, strict=True)
    return Ratings.of(users, items, values, users=range(len(records)), items=list("abcdef"), scale=scale)


def many_values(*lines):
    """Ratings of all items by each line and, behind them, by others in more ways than a grid can hold."""
    rest = np.random.default_rng(0).uniform(1, 5, (40, len(lines[0])))
    table = np.concatenate([np.array(lines, float), rest])
    return Ratings.of(*np.indices(table.shape).reshape(2, -1), table.ravel(), scale=(1, 5))


def test_the_mean_is_that_of_all_ratings():
    """By hand: (2, 0) and (1, -1) about the means of whole records; about those of a and b it would be 1."""
    ratings = ratings_of({"a": 5, "b": 3, "c": 1}, {"a": 4, "b": 2, "d": 3})
    assert pearson(ratings, 0)[1] == pytest.approx(1 / np.sqrt(2))


def test_what_is_hidden_is_not_in_the_mean():
    """A profile with an item hidden has the mean of what is left, though its row still holds it."""
    ratings = ratings_of({"a": 5, "b": 3, "c": 1}, {"a": 4, "b": 2, "d": 3})
    assert pearson(ratings, ratings.profile(0).without(2))[1] == pytest.approx(1)


def test_opposites_are_at_minus_1():
    """Who likes what the other does not."""
    assert pearson(ratings_of({"a": 5, "b": 1}, {"a": 2, "b": 4}), 0)[1] == -1


def test_a_level_and_a_stretch_change_nothing():
    """Pearson sees neither how high nor how far apart somebody rates."""
    ratings = ratings_of({"a": 5, "b": 3, "c": 1}, {"a": 4, "b": 3.5, "c": 3}, {"a": 3, "b": 2, "c": 1})
    assert pearson(ratings, 0).tolist() == pytest.approx([1, 1, 1])


@pytest.mark.parametrize("value", [3, 2.5, 0.1, 1 / 3, 2 / 3, np.pi])
def test_who_rates_all_alike_is_at_0(value):
    """There is no direction in it: exactly 0, as a target and as another, whatever that one rating is."""
    alike = dict.fromkeys("abc", value)
    ratings = ratings_of({"a": 5, "b": 3, "c": 1}, alike, {"a": 0.7, "b": 0.7}, scale=(0, 5))
    assert pearson(ratings, 0)[1] == 0
    assert pearson(ratings, 1).tolist() == [0, 0, 0]


@pytest.mark.parametrize("value", [2.0, 1.1, np.e, 4.454560360982303])
def test_who_rates_all_alike_is_at_0_among_many_values(value):
    """Off the grid as well: what is left of three equal numbers about their mean is rounding, and no direction."""
    ratings = many_values([1.0588252198614772] * 3, [value] * 3, [1.5, 2.25, 4.75])
    assert ratings.cells.grid is None
    assert pearson(ratings, 0).tolist() == [0] * 43
    assert pearson(ratings, 2)[:2].tolist() == [0, 0]


def test_ratings_close_to_one_another_keep_their_direction():
    """A hundredth of a star is no rounding, on the grid and off it."""
    for ratings in (
        ratings_of({"a": 5, "b": 4.99}, {"a": 4.99, "b": 5}, {"a": 4.98, "b": 4.97}),
        many_values([5, 4.99], [4.99, 5], [4.98, 4.97]),
    ):
        assert pearson(ratings, 0)[:3].tolist() == pytest.approx([1, -1, 1], abs=1e-9)


def test_the_bound_is_2_and_met():
    """On one common item: what somebody rates elsewhere moves the mean to the other side of it, changed or added."""
    terms = terms_of((ratings := ratings_of({"a": 1})), ratings.profile(0))
    assert pearson.bound(terms) == (2, 2)
    own = {"a": 5, "b": 1}
    below, above = (pearson(ratings_of(own, {"a": 3, "c": r}), 0)[1] for r in (2, 4))
    assert below - above == 2
    before, after = (pearson(ratings_of(own, {"a": 3, "c": 2, **more}), 0)[1] for more in ({}, {"d": 5}))
    assert before - after == 2


def test_ratings_far_from_0_are_compared_all_the_same():
    """A million more on every rating, or on the scale of a hundred one 99 among thousands, takes nothing away."""
    far = Ratings.of([0, 0, 0, 1, 1, 1], [0, 1, 2] * 2, np.array([1, 2, 3, 1, 2, 3]) + 1e6, scale=(1e6, 1e6 + 4))
    assert pearson(far, 0).tolist() == [1, 1]
    many = np.full(12_000, 100.0)
    many[0] = 99
    nearly = Ratings.of(np.repeat([0, 1], 12_000), np.tile(np.arange(12_000), 2), np.tile(many, 2), scale=(1, 100))
    assert pearson(nearly, 0).tolist() == [1, 1]


def test_a_single_common_item_is_1_or_minus_1_and_ties_are_ties():
    """Off the grid too, where the ends would otherwise be told apart by rounding, and rows stand for equals."""
    columns = [0, 0, 1, 1, 2, 2], [0, 1, 0, 2, 0, 3], [4.26, 1.22, 3.91, 1.37, 3.40, 1.75]
    assert rank(Ratings.of(*columns, scale=(1, 5)), 0, pearson).rows.tolist() == [1, 2]
    rng = np.random.default_rng(1)
    users = np.repeat(np.arange(60), 2)
    items = np.column_stack([np.zeros(60, int), np.arange(1, 61)]).ravel()
    ratings = Ratings.of(users, items, rng.uniform(1, 5, 120), scale=(1, 5))
    assert set(np.abs(pearson(ratings, 0)).tolist()) == {1}


def test_noise_is_refused():
    """An exact similarity that swallowed noise would be taken for a private one."""
    with pytest.raises(ParameterError, match="Pearson is exact and takes no noise"):
        pearson(ratings_of({"a": 1}), 0, noise={"similarity": np.zeros(1)})
