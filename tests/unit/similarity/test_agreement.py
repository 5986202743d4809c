import numpy as np
import pytest

from privet.errors import ParameterError
from privet.ratings import Profile, Ratings
from privet.similarity import Agreement, agreement, rank
from privet.similarity.protocol import terms_of


def ratings_of(*records, scale=(1, 5)):
    """Ratings from one mapping of items to values per user; items are a, b, c ..."""
    cells = [(user, item, value) for user, record in enumerate(records) for item, value in record.items()]
    users, items, values = zip(*cells, strict=True)
    return Ratings.of(users, items, values, users=range(len(records)), items=list("abcdef"), scale=scale)


def test_agreement_by_hand():
    """A star apart is three quarters, four stars nothing; over 20, or over the target's items if they are more."""
    ratings = ratings_of({"a": 5, "b": 1, "c": 3}, {"a": 4, "b": 5}, {"a": 5, "d": 5}, {"d": 3})
    assert agreement(ratings, 0).tolist() == pytest.approx([3 / 20, 0.75 / 20, 1 / 20, 0])
    assert Agreement(m0=1)(ratings, 0).tolist() == pytest.approx([1, 0.25, 1 / 3, 0])
    assert Agreement(m0=4)(ratings, 0).tolist() == pytest.approx([0.75, 0.1875, 0.25, 0])


def test_the_denominator_is_the_targets_own():
    """It is not symmetric: the other's record does not matter beyond what is common."""
    ratings = ratings_of({"a": 5}, {"a": 5, "b": 1, "c": 3, "d": 3})
    assert (Agreement(m0=1)(ratings, 0)[1], Agreement(m0=1)(ratings, 1)[0]) == (1, 0.25)


@pytest.mark.parametrize(("scale", "apart"), [((0.5, 5), 4.5), ((1, 10), 9), ((-10, 10), 20), ((0, 5), 5), ((0, 1), 1)])
def test_agreement_is_measured_in_the_whole_scale(scale, apart):
    """From one end to the other is no agreement, from an end to the middle a half, on every scale."""
    low, high = scale
    ratings = ratings_of({"a": low}, {"a": high}, {"a": low + apart / 2}, {"a": low}, scale=scale)
    assert Agreement(m0=1)(ratings, 0).tolist() == pytest.approx([1, 0, 0.5, 1])


def test_more_than_the_scale_apart_is_no_agreement_and_not_less():
    """Where the scale was only inferred a profile may lie beyond it; a term stays within 0 and 1."""
    ratings = Ratings.of([0, 0, 1, 1], ["a", "b", "a", "b"], [1, 1, 5, 5])
    outside = Profile(np.array([0, 1]), np.array([9.5, 5.0]))
    assert Agreement(m0=1)(ratings, outside).tolist() == [0, 0.5]


@pytest.mark.parametrize(("low", "high"), [(1, 5), (0.8, 2.8), (0.3, 1.5)])
def test_who_disagrees_in_all_does_not_stand_behind_those_who_share_nothing(low, high):
    """Six items rated at opposite ends are no agreement, and no less than none by rounding, whatever the scale."""
    ratings = ratings_of(dict.fromkeys("abcdef", low), dict.fromkeys("abcdef", high), {}, scale=(low, high))
    assert (Agreement(m0=1)(ratings, 0) >= 0).all()
    assert Agreement(m0=1)(ratings, 0).tolist() == pytest.approx([1, 0, 0])


@pytest.mark.parametrize(("rated", "m0"), [(1, 1), (1, 20), (3, 2), (6, 4), (6, 20)])
def test_the_bound_is_one_item_and_met_both_ways(rated, m0):
    """1 over the target's items, m0 at least: an item comes with full agreement, or turns from none to full."""
    similarity, own = Agreement(m0=m0), dict.fromkeys("abcdef"[:rated], 5)
    bound = 1 / max(rated, m0)
    ratings = ratings_of(own)
    assert similarity.bound(terms_of(ratings, ratings.profile(0))) == (bound, bound)
    found = [similarity(ratings_of(own, record), 0)[1] for record in ({}, {"a": 1}, {"a": 5})]
    assert found == [0, 0, bound]


def test_what_somebody_rates_elsewhere_moves_nobody_else_among_tenths():
    """Two who agree alike keep their places, whatever a third rates, on the grid or off it, that the target has not."""
    found = []
    for value in (0.5, 0.123456789):
        ratings = ratings_of({"a": 0, "b": 0}, {"a": 0, "b": 0.8}, {"a": 0.1, "b": 0.7}, {"c": value}, scale=(0, 1))
        found.append((rank(ratings, 0, agreement).rows.tolist(), agreement(ratings, 0).tolist()))
    assert found[0] == found[1]


@pytest.mark.parametrize("m0", [0, -1, 2.5, True, "5", None])
def test_m0_is_a_whole_number(m0):
    """At least 1: what is divided by must not vanish."""
    with pytest.raises(ParameterError, match="Agreement needs a whole number m0 >= 1; got m0="):
        Agreement(m0=m0)
