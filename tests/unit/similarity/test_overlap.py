import pytest

from privet.errors import ParameterError
from privet.ratings import Ratings
from privet.similarity import Overlap, overlap
from privet.similarity.protocol import terms_of


def ratings_of(*records, scale=(1, 5)):
    """Ratings from one mapping of items to values per user; items are a, b, c ..."""
    cells = [(user, item, value) for user, record in enumerate(records) for item, value in record.items()]
    users, items, values = zip(*cells, strict=True)
    return Ratings.of(users, items, values, users=range(len(records)), items=list("abcdef"), scale=scale)


def of_others(own, *others, scale=(1, 5), similarity=overlap):
    """The overlap with the others."""
    return similarity(ratings_of(own, *others, scale=scale), 0)[1:].tolist()


def test_overlap_by_hand():
    """1 for two likes, .8 and .7 where only one is, .56 for none, each cut to whole steps of 1/64."""
    own = {"a": 5, "b": 2}
    assert of_others(own, {"a": 4}, {"a": 3}, {"b": 4}, {"b": 1}, {"a": 4, "b": 1, "c": 5}, {"c": 5}) == [
        1, 51 / 64, 44 / 64, 35 / 64, 99 / 64, 0,
    ]  # fmt: skip


def test_each_term_is_cut_and_not_their_sum():
    """Five times 35.84 steps are 175, not 179."""
    own = dict.fromkeys("abcde", 1)
    assert of_others(own, own) == [175 / 64]
    assert of_others(own, own, similarity=Overlap(steps=10)) == [25 / 10]
    assert of_others(own, own, similarity=Overlap(steps=1)) == [0]


@pytest.mark.parametrize(
    ("scale", "like", "rest"), [((0.5, 5), 4, 3.5), ((1, 10), 8, 7.5), ((-10, 10), 5, 4.5), ((0, 5), 4, 3.5)]
)
def test_a_like_is_three_quarters_up_the_scale(scale, like, rest):
    """By default, on every scale, whatever anybody rated; the threshold itself is a like, on both sides."""
    assert of_others({"a": like}, {"a": like}, {"a": rest}, scale=scale) == [1, 51 / 64]
    assert of_others({"a": rest}, {"a": like}, {"a": rest}, scale=scale) == [44 / 64, 35 / 64]


def test_a_declared_like_holds():
    """For both sides, and 0 is a threshold like any other."""
    assert of_others({"a": 3}, {"a": 3}, {"a": 2}, similarity=Overlap(like=3)) == [1, 51 / 64]
    ratings = {"a": 0}, {"a": 0}, {"a": -1}
    assert of_others(*ratings, scale=(-5, 5), similarity=Overlap(like=0)) == [1, 51 / 64]


def test_the_bound_is_1_and_met():
    """A like on both sides comes or goes; on a grid of whole likes a change does as much."""
    terms = terms_of((ratings := ratings_of({"a": 5})), ratings.profile(0))
    assert overlap.bound(terms) == Overlap(steps=1).bound(terms) == (1, 1)
    assert of_others({"a": 5}, {"b": 1}, {"a": 5, "b": 1}) == [0, 1]
    assert of_others({"a": 5}, {"a": 1}, {"a": 5}, similarity=Overlap(steps=1)) == [0, 1]


@pytest.mark.parametrize(
    "settings", [{"like": "4"}, {"like": float("nan")}, {"like": True}, {"steps": 0}, {"steps": 1.5}, {"steps": None}]
)
def test_settings_are_checked_where_they_are_made(settings):
    """A like is a number or none, steps are a whole number."""
    (name,) = settings
    with pytest.raises(ParameterError, match=f"Overlap needs .*; got {name}="):
        Overlap(**settings)
