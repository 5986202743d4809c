import numpy as np
import pytest

from privet.errors import ParameterError, RatingsError
from privet.ratings import Profile, Ratings
from privet.recommender import Recommender
from privet.similarity import Deviation, deviation, nearest, pairs
from privet.similarity.protocol import terms_of
from privet.world import World

FLAT = World(3.0, [0] * 6)


def ratings_of(*records, scale=(1, 5)):
    """Ratings from one mapping of items to values per user; items are a, b, c ..."""
    cells = [(user, item, value) for user, record in enumerate(records) for item, value in record.items()]
    users, items, values = zip(*cells, strict=True)
    return Ratings.of(users, items, values, users=range(len(records)), items=list("abcdef"), scale=scale)


def of_others(own, *others, world=FLAT, scale=(1, 5), similarity=deviation):
    """The deviation similarity of the others."""
    return similarity(ratings_of(own, *others, scale=scale), 0, world=world)[1:].tolist()


OWN = {"a": 5, "b": 1}  # residuals 2 and -2: no own part, so both terms are clipped to 1 and -1


def test_deviations_by_hand():
    """The same side of the world is 1 an item, the other side -1, what the world says 0."""
    assert of_others(OWN, {"a": 5}, {"a": 1}, {"a": 3}, {"a": 4, "b": 2}, {"a": 4, "b": 4}, {"c": 5}) == [
        1, -1, 0, 2, 0, 0,
    ]  # fmt: skip


def test_a_term_is_cut_toward_zero_to_the_grid():
    """A tenth of a star above or below is a fifth of the clip: 12.8 steps are 12, and -12.8 are -12."""
    ratings = {"a": 3.25}, {"a": 3.1}, {"a": 2.9}, {"a": 3.005}
    assert of_others(OWN, *ratings) == [32 / 64, 12 / 64, -12 / 64, 0]
    assert of_others(OWN, *ratings, similarity=Deviation(steps=7)) == [3 / 7, 1 / 7, -1 / 7, 0]
    assert of_others(OWN, {"a": 3.1, "b": 2.9}) == [24 / 64]  # each term, not their sum: that is 25.6


def test_terms_are_clipped_beside_the_effect_of_the_item():
    """Half a star and more is 1, measured from what is said of that item."""
    world = World(3.0, [1, 0, 0, 0, 0, 0])
    own = {"a": 5, "b": 1}
    found = world.deviations(ratings_of(own).profile(0))
    assert found[0] > 0.5
    assert of_others(own, {"a": 4.5}, {"a": 4.25}, {"a": 4}, {"a": 3}, world=world) == [1, 0.5, 0, -1]


def test_the_target_is_seen_from_its_own_part_and_the_others_are_not():
    """Who rates all a star too high likes nothing especially: 1 - 6/9 is a third; the others' level is no matter."""
    own = dict.fromkeys("abcdef", 4)
    assert FLAT.deviations(ratings_of(own).profile(0)) == pytest.approx([1 / 3] * 6)
    assert of_others(own, {"a": 5}, dict.fromkeys("abc", 5)) == [42 / 64, 3 * 42 / 64]


@pytest.mark.parametrize("scale", [(1, 10), (0.5, 5), (-10, 10)])
def test_units_are_quarters_of_the_scale(scale):
    """Ratings and a world stretched to another scale give the same similarities."""
    low, unit = scale[0], (scale[1] - scale[0]) / 4
    records = OWN, {"a": 3.375, "b": 5}, {"a": 2.75}, {"b": 3.25}
    stretched = [{item: low + (r - 1) * unit for item, r in record.items()} for record in records]
    effects = [0.25, 0, 0, 0, 0, 0]
    expected = of_others(*records, world=World(3.0, effects))
    assert of_others(*stretched, world=World(low + 2 * unit, effects, scale=scale), scale=scale) == expected
    assert expected == [0.25 - 1, -1, -0.5]


def test_the_bound_is_2_and_1_and_met():
    """A term turns round by a change of one rating; it comes or goes by an insertion."""
    ratings = ratings_of(OWN)
    assert deviation.bound(terms_of(ratings, ratings.profile(0))) == (2, 1)
    assert of_others(OWN, {"c": 3}, {"a": 5, "c": 3}, {"a": 1, "c": 3}) == [0, 1, -1]


def test_the_other_is_not_centred_by_what_else_they_rate():
    """However somebody rates elsewhere, their term is the same."""
    assert of_others(OWN, {"a": 3.25}, {"a": 3.25, "c": 5, "d": 5}, {"a": 3.25, "c": 1}) == [0.5] * 3


@pytest.mark.parametrize(
    ("world", "sentence"),
    [
        (None, "deviation needs a World, whose effects it measures from; got world=None."),
        (np.zeros(6), "deviation needs a World, whose effects it measures from; got world=array"),
        ("everybody", "deviation needs a World, whose effects it measures from; got world='everybody'."),
        (World, "deviation needs a World, whose effects it measures from; got world=<class"),
        (
            World(3.0, [0] * 5),
            "deviation needs the World of these ratings, of 6 items on (1.0, 5.0); got one of 5 items",
        ),
        (
            World(3.0, [0] * 7),
            "deviation needs the World of these ratings, of 6 items on (1.0, 5.0); got one of 7 items",
        ),
        (
            World(3.0, [0] * 6, scale=(1, 10)),
            "deviation needs the World of these ratings, of 6 items on (1.0, 5.0); got one of 6 items on (1.0, 10.0).",
        ),
    ],
)
def test_another_world_or_none_is_refused(world, sentence):
    """What must be, what came; a long one is not printed in full."""
    with pytest.raises(ParameterError) as refusal:
        deviation(ratings_of(OWN, {"a": 1}), 0, world=world)
    assert str(refusal.value).startswith(sentence)
    assert str(refusal.value).endswith(".")
    assert len(str(refusal.value)) < 300
    assert refusal.value.name == "world"


def test_a_profile_of_another_catalogue_is_refused():
    """It names an item that neither the ratings nor the world know."""
    with pytest.raises(RatingsError, match="the profile names item row 6; these ratings have 6 items"):
        deviation(ratings_of(OWN), Profile(np.array([6]), np.array([3.0])), world=FLAT)


@pytest.mark.parametrize("steps", [0, -64, 0.5, True, "64", None])
def test_steps_are_a_whole_number(steps):
    """At least 1."""
    with pytest.raises(ParameterError, match="Deviation needs a whole number steps >= 1; got steps="):
        Deviation(steps=steps)


def test_whoever_needs_a_world_says_so_before_the_first_question():
    """A recommender, and the ways over everybody, refuse at once; none of them waits for a question."""
    ratings = ratings_of(OWN)
    for asked in (
        lambda: Recommender(ratings, "knn; similarity=deviation"),
        lambda: pairs(ratings, deviation),
        lambda: nearest(ratings, 1, deviation, world=World(3.0, np.zeros(1), scale=(1, 7))),
    ):
        with pytest.raises(ParameterError, match="deviation needs"):
            asked()
