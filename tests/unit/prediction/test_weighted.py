import numpy as np
import pytest

from privet.prediction import WeightedMean
from privet.ratings import Ratings
from privet.urns import Neighbours

RATINGS = Ratings.of(
    ["ann", "bob", "bob", "eve", "eve", "dan"],
    ["a", "b", "c", "b", "d", "d"],
    [4, 5, 2, 3, 1, 5],
    users=["ann", "bob", "eve", "dan", "new"],
    items=["a", "b", "c", "d", "e"],
    scale=(1, 5),
)
ITEMS = np.arange(5)


def neighbours_of(rows, similarities, weights=None):
    """Chosen users, without a list behind them."""
    rows = np.array(rows)
    return Neighbours(
        rows=rows,
        positions=np.arange(len(rows)),
        similarities=np.array(similarities, float),
        weights=np.ones(len(rows)) if weights is None else np.array(weights, float),
        urns=np.zeros(len(rows), int),
    )


def predicted(neighbours, user=0, items=ITEMS, ratings=RATINGS):
    """Answers for one user."""
    return WeightedMean().predict(ratings, ratings.profile(user), neighbours, items)


def test_the_weighted_mean_by_hand():
    """Eq. (6): b by bob (5) at .5 and eve (3) at 1; c by bob alone; a and e by nobody, so ann's own mean."""
    found = predicted(neighbours_of([1, 2], [0.5, 1.0]))
    assert found.values.tolist() == pytest.approx([4, 5.5 / 1.5, 2, 1, 4])
    assert found.basis.tolist() == ["user mean", "neighbours", "neighbours", "neighbours", "user mean"]
    assert found.raters.tolist() == [0, 2, 1, 1, 0]


def test_half_widths_follow_the_spread():
    """Ratings 5 and 3 with equal weights: variance 2, and that of one more rating 3; unknown with one rater or none."""
    found = predicted(neighbours_of([1, 2], [1.0, 1.0]))
    assert found.half_widths[1] == pytest.approx(1.959964 * np.sqrt(3))
    assert np.isnan(found.half_widths[[0, 2, 3, 4]]).all()


def test_weights_of_neighbours_scale_similarities():
    """A neighbour of half weight counts half."""
    found = predicted(neighbours_of([1, 2], [1.0, 1.0], weights=[0.5, 1.0]))
    assert found.values[1] == pytest.approx(5.5 / 1.5)


def test_negative_similarities_are_clamped_to_the_scale():
    """Eq. (6) divides by absolute similarities: an opposite counts negatively, and answers stay on the scale."""
    found = predicted(neighbours_of([1, 2], [-1.0, 0.2]))
    assert found.values[1] == 1
    assert found.basis[1] == "neighbours"


def test_neighbours_without_similarity_say_nothing():
    """At similarity 0 the mean is 0/0: the answer falls back, and says so."""
    found = predicted(neighbours_of([1, 2], [0.0, 0.0]))
    assert found.values.tolist() == [4] * 5
    assert set(found.basis) == {"user mean"}
    assert found.raters.tolist() == [0, 2, 1, 1, 0]


def test_without_a_rating_of_ones_own_items_answer_for_themselves():
    """A new user gets item means, and the mean of everything for an item that nobody rated."""
    found = predicted(None, user=4)
    assert found.values.tolist() == pytest.approx([4, 4, 2, 3, 20 / 6])
    assert found.basis.tolist() == ["item mean"] * 4 + ["global mean"]


def test_without_any_rating_the_middle_of_the_scale_is_named():
    """Nothing is known, and the basis does not call it a mean."""
    empty = Ratings.of([], [], [], users=["ann"], items=["a"], scale=(0, 10))
    found = predicted(None, items=np.array([0]), ratings=empty)
    assert found.values.tolist() == [5]
    assert found.basis.tolist() == ["middle of the scale"]


def test_items_may_come_in_any_order_and_twice():
    """One answer per item asked for."""
    neighbours = neighbours_of([1, 2], [0.5, 1.0])
    asked = np.array([3, 1, 1, 0])
    assert predicted(neighbours, items=asked).values.tolist() == predicted(neighbours).values[asked].tolist()
    assert len(predicted(neighbours, items=np.empty(0, int))) == 0
