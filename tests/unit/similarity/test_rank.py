import numpy as np
import pytest

from privet.errors import ParameterError
from privet.privacy import Bound
from privet.ratings import Ratings
from privet.similarity import SIMILARITIES, cosine, cosine_full, deviation, overlap, rank, rs
from privet.world import World

every_similarity = pytest.mark.parametrize("name", SIMILARITIES)
WORLD = World(3.0, [0.5, -0.5, 0, 0, 0, 0])


def ratings_of(*records, scale=(1, 5)):
    """Ratings from one mapping of items to values per user; items are a, b, c ..."""
    cells = [(user, item, value) for user, record in enumerate(records) for item, value in record.items()]
    users, items, values = zip(*cells, strict=True)
    return Ratings.of(users, items, values, users=range(len(records)), items=list("abcdef"), scale=scale)


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


@every_similarity
@pytest.mark.parametrize("depth", [-1, 0, 1, 2, 3, 5, 6, 99])
def test_a_list_ordered_to_a_depth_begins_like_the_whole(name, depth):
    """The head is that of the full order, ties across the edge included; the rest follows by row."""
    ratings = ratings_of(
        {"a": 5, "b": 3}, {"a": 5, "b": 3}, {"a": 1, "b": 5}, {"a": 5, "b": 3}, {}, {"a": 5, "b": 3}, {"a": 1, "b": 5}
    )
    similarity = SIMILARITIES[name]()
    whole = rank(ratings, 0, similarity, world=WORLD)
    part = rank(ratings, 0, similarity, world=WORLD, depth=depth)
    cut = min(max(depth, 0), 6)
    assert part.ordered == cut
    assert part.rows[:cut].tolist() == whole.rows[:cut].tolist()
    assert part.rows[cut:].tolist() == sorted(whole.rows[cut:].tolist())
    assert np.array_equal(part.similarities, similarity(ratings, 0, world=WORLD)[part.rows])


def test_those_who_disagree_stand_behind_strangers():
    """Nobody is dropped: who shares nothing stands at 0, who has the opposite taste below."""
    ratings = ratings_of({"a": 5}, {"a": 1}, {"b": 5}, {"a": 5})
    found = rank(ratings, 0, deviation, world=WORLD)
    assert found.rows.tolist() == [3, 2, 1]
    assert np.sign(found.similarities).tolist() == [1, 0, -1]


def test_the_sensitivity_of_a_candidate_is_eq_3_for_the_cosine_alone():
    """RS is a statement about the co-rated cosine; for any other similarity it is the bound's wider side."""
    own = [3, 3, 4, 4, 5, 3]
    ratings = ratings_of(
        *[dict(zip("abcdef", record, strict=True)) for record in (own, own[::-1], [2] * 6, [4, 5] * 3)]
    )
    expected = {"cosine_full": 1, "pearson": 2, "agreement": 1 / 20, "deviation": 2, "overlap": 1}
    places = np.array([2, 0, 2])
    for name, kind in SIMILARITIES.items():
        found = rank(ratings, 0, kind(), world=WORLD)
        if name == "cosine":
            assert found.rs(places).tolist() == rs(ratings, 0)[found.rows[places]].tolist()
            assert len(set(found.rs(np.arange(3)))) == 3
        else:
            assert found.rs(places).tolist() == [expected[name]] * 3
            assert found.bound.widest == expected[name]
        assert found.rs(np.empty(0, np.int64)).tolist() == []


@pytest.mark.parametrize(("known", "widest"), [(Bound(1.0, 3.0), 3), (Bound(3.0, 1.0), 3), (None, 1)])
def test_the_wider_side_of_a_bound_counts_whichever_it_is(known, widest):
    """A similarity from elsewhere may move further by an insertion; one without a bound is taken to lie within 1."""

    class Mine(type(cosine_full)):
        """Somebody else's."""

        def bound(self, terms):
            """As it says."""
            return known

    found = rank(ratings_of({"a": 5}, {"a": 1}, {"b": 5}), 0, Mine())
    assert found.bound == known
    assert found.rs(np.array([1])).tolist() == [widest]


def test_the_bound_is_that_of_the_profile_at_hand():
    """Agreement divides by the target's items: with one hidden there are fewer, and one rating moves it further."""
    items = dict.fromkeys("abcdef", 5)
    ratings = ratings_of(items, items)
    agreement = SIMILARITIES["agreement"](m0=2)
    assert rank(ratings, 0, agreement).bound == (1 / 6, 1 / 6)
    assert rank(ratings, ratings.profile(0).without(3), agreement).bound == (1 / 5, 1 / 5)


def test_the_default_is_the_papers():
    """Without a word, the co-rated cosine."""
    ratings = ratings_of({"a": 5, "b": 3, "c": 1}, {"a": 4, "b": 1, "d": 5}, {"a": 1, "b": 1})
    assert rank(ratings, 0).similarities.tolist() == rank(ratings, 0, cosine).similarities.tolist()
    assert rank(ratings, 0).similarities.tolist() != rank(ratings, 0, overlap).similarities.tolist()


def test_a_similarity_that_needs_a_world_says_so():
    """Through `rank` too."""
    with pytest.raises(ParameterError, match="deviation needs a World"):
        rank(ratings_of({"a": 5}, {"a": 1}), 0, deviation)
