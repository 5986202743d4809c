import copy
import pickle
from dataclasses import FrozenInstanceError
from math import log

import numpy as np
import pytest

from privet.errors import InputError, ParameterError, RatingsError
from privet.ratings import Profile
from privet.world import World

NOBODY = Profile(np.empty(0, np.int64), np.empty(0))


def profile_of(record):
    """The record of a stranger, from a mapping of rows to ratings."""
    return Profile(np.array(list(record), np.int64), np.array(list(record.values()), float))


def one_rated(features, rated, residual):
    """Ridge regression on one rating, by hand: x_y . P^-1 x_s residual / (1 + x_s . P^-1 x_s) for each item y."""
    shrunk = np.asarray(features[rated]) / (3, 5, 20)
    return [residual * (shrunk @ x) / (1 + shrunk @ features[rated]) for x in features]


def test_an_empty_profile_has_what_is_said_of_everybody():
    """Without ratings there is no own part: the centre and the effects, in ratings, exactly."""
    world = World(3.5, [1, -0.5, 0], counts=[7, 90, 1], scale=(1, 10))
    assert world.own_part(NOBODY).tolist() == [0, 0, 0]
    assert world.own(NOBODY).tolist() == [3.5 + 2.25 * effect for effect in (1, -0.5, 0)]
    assert world.deviations(NOBODY).tolist() == []


def test_who_rates_as_everybody_has_no_own_part():
    """Ratings that are what the world says leave nothing to explain."""
    world = World(3.0, [1, -1, 0.5])
    profile = profile_of({0: 4, 2: 3.5})
    assert world.own_part(profile).tolist() == [0, 0, 0]
    assert world.deviations(profile).tolist() == [0, 0]
    assert world.own(profile).tolist() == [4, 2, 3.5]


def test_an_offset_is_shrunk_by_3():
    """Without effects and counts the own part is the sum of the residuals over their number and 3, for every item."""
    world = World(3.0, [0, 0, 0, 0])
    assert world.own_part(profile_of({1: 5})) == pytest.approx([2 / 4] * 4)
    assert world.own_part(profile_of({0: 5, 1: 4, 3: 3})) == pytest.approx([3 / 6] * 4)
    assert world.deviations(profile_of({0: 5, 1: 4, 3: 3})) == pytest.approx([1.5, 0.5, -0.5])


def test_effects_are_weighed_by_a_penalty_of_5():
    """By hand: features (1, -1, 0) and residual 1 give (5, -3, 0) / 23."""
    world = World(3.0, [-1, 0])
    profile = profile_of({0: 3})
    assert world.own_part(profile) == pytest.approx([8 / 23, 5 / 23])
    assert world.own(profile) == pytest.approx([3 - 1 + 8 / 23, 3 + 5 / 23])
    assert world.deviations(profile) == pytest.approx([1 - 8 / 23])


def test_fame_is_weighed_by_a_penalty_of_20():
    """By hand, with all three features, on a scale whose unit is not 1."""
    world = World(5.0, [0.5, -1, 0], counts=[30, 200, 4], scale=(1, 10))
    features = [[1, effect, fame] for effect, fame in zip(world.effects, world.fame, strict=True)]
    residual = (2 - 5) / 2.25 + 1
    expected = one_rated(features, 1, residual)
    profile = profile_of({1: 2})
    assert abs(expected[0] - expected[2]) > 0.01
    assert world.own_part(profile) == pytest.approx(expected)
    assert world.deviations(profile) == pytest.approx([residual - expected[1]])


@pytest.mark.parametrize("seed", range(5))
def test_the_own_part_is_least_squares_with_three_more_equations(seed):
    """The same regression by another road: each penalty is an equation weight * root of the penalty = 0."""
    rng = np.random.default_rng(seed)
    world = World(3.2, rng.normal(0, 1, 30), counts=rng.exponential(50, 30) - 3)
    items = np.flatnonzero(rng.random(30) < 0.5)
    profile = Profile(items, rng.uniform(1, 5, len(items)))
    features = np.column_stack([np.ones(30), world.effects, world.fame])
    equations = np.concatenate([features[items], np.diag(np.sqrt([3, 5, 20]))])
    residuals = np.concatenate([profile.values - 3.2 - world.effects[items], np.zeros(3)])
    weights, *_ = np.linalg.lstsq(equations, residuals, rcond=None)
    assert world.own_part(profile) == pytest.approx(features @ weights)


def test_fame_by_hand():
    """The logarithm of the count, 5 at least, beside its mean over all raters; noise below 0 is nobody."""
    world = World(3.0, [0] * 5, counts=[20, 5, 0, -3, 75])
    middle = 0.2 * log(20) + 0.05 * log(5) + 0.75 * log(75)
    assert world.fame == pytest.approx([log(20) - middle, *[log(5) - middle] * 3, log(75) - middle])
    assert world.fame @ np.maximum(world.counts, 0) == pytest.approx(0)


def test_without_counts_nothing_is_famous():
    """No counts were released, so there is no third feature."""
    assert World(3.0, [1, 2]).fame.tolist() == [0, 0]


def test_where_nobody_rated_nothing_is_famous():
    """Counts that are all 0, or below it by noise, tell no item from another: 0 for each, and no second offset."""
    assert World(3.0, [1, 2], counts=[0, -4.5]).fame.tolist() == [0, 0]


@pytest.mark.parametrize("scale", [(1, 10), (0.5, 5), (-10, 10), (0, 5)])
def test_a_wider_scale_scales_all_that_is_a_rating(scale):
    """Units are quarters of the scale: with ratings stretched alike, what the world says of them is stretched too."""
    rng = np.random.default_rng(3)
    low, high = scale
    unit = (high - low) / 4

    def stretched(ratings):
        return low + (np.asarray(ratings) - 1) * unit

    effects, counts, values = rng.normal(0, 1, 8), rng.exponential(40, 8), rng.uniform(1, 5, 3)
    five = World(3.3, effects, counts=counts)
    other = World(stretched(3.3), effects, counts=counts, scale=scale)
    mine, theirs = Profile(np.array([0, 3, 6]), values), Profile(np.array([0, 3, 6]), stretched(values))
    assert (five.unit, other.unit) == (1, unit)
    assert other.own_part(theirs) == pytest.approx(five.own_part(mine))
    assert other.deviations(theirs) == pytest.approx(five.deviations(mine))
    assert other.own(theirs) == pytest.approx(stretched(five.own(mine)))


def test_deviations_of_others_are_from_the_effects_alone():
    """By hand, in units, of any items in any order; no own part of theirs."""
    world = World(5.0, [1, -2], counts=[8, 99], scale=(1, 10))
    found = world.released_deviations(np.array([1, 0, 1]), np.array([5, 9.5, 0.5]))
    assert found == pytest.approx([2, 1, 0])


def test_what_was_handed_in_is_copied_and_what_is_kept_is_frozen():
    """Neither a caller who goes on writing nor one who writes into a world can change it."""
    handed = {name: np.array([1.0, 2.0]) for name in ("effects", "errors", "counts")}
    world = World(3.0, **handed)
    for name, array in handed.items():
        array[0] = 99
        assert getattr(world, name).tolist() == [1, 2]
        with pytest.raises(ValueError, match="read-only"):
            getattr(world, name)[0] = 99
    for name in ("centre", "effects", "scale"):
        with pytest.raises(FrozenInstanceError):
            setattr(world, name, 1.0)


def test_fame_is_frozen_too():
    """It is computed once and read by every own part: whoever writes into it would change them all."""
    world = World(3.0, [1, 2], counts=[3, 90])
    with pytest.raises(ValueError, match="read-only"):
        world.fame[0] = 99


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda world: pickle.loads(pickle.dumps(world))])
def test_copies_say_the_same_and_are_frozen(again):
    """Copied, deeply copied and pickled."""
    world = World(3.25, [1, 2], errors=[0.5, 0.25], counts=[3, 90], scale=(0, 5))
    assert world.fame.tolist() != [0, 0]  # asked for before the copy is made
    found = again(world)
    assert (found.centre, found.scale, found.items) == (3.25, (0, 5), 2)
    for name in ("effects", "errors", "counts"):
        assert getattr(found, name).tolist() == getattr(world, name).tolist()
        assert not getattr(found, name).flags.writeable
    assert found.fame.tolist() == world.fame.tolist()
    assert again(World(3.0, [1])).errors is None


@pytest.mark.parametrize(
    ("handed", "sentence"),
    [
        ({"effects": [1, np.nan]}, "A world needs effects to be a column of finite numbers; got"),
        ({"effects": [1, np.inf]}, "A world needs effects to be a column of finite numbers; got"),
        ({"effects": [[1, 2]]}, "A world needs effects to be a column of finite numbers; got"),
        ({"effects": 3}, "A world needs effects to be a column of finite numbers; got"),
        ({"effects": None}, "A world needs effects to be a column of finite numbers; got"),
        ({"effects": "abc"}, "A world needs effects to be a column of finite numbers; got"),
        ({"effects": ["1", "2"]}, "A world needs effects to be a column of finite numbers; got"),
        ({"effects": [10**400, 1]}, "A world needs effects to be a column of finite numbers; got"),
        ({"effects": np.array([1j, 1])}, "A world needs effects to be a column of finite numbers; got"),
        ({"effects": np.array(["2020", "2021"], "M8[Y]")}, "A world needs effects to be a column of finite numbers"),
        ({"errors": [1, -np.inf]}, "A world needs errors to be a column of finite numbers; got"),
        ({"counts": [np.nan, 1]}, "A world needs counts to be a column of finite numbers; got"),
        ({"errors": [1]}, "A world has one of each for every item; got 2 effects and 1 errors"),
        ({"counts": [1, 2, 3]}, "A world has one of each for every item; got 2 effects and 3 counts"),
        ({"centre": np.nan}, "A world needs centre to be one finite number; got"),
        ({"centre": np.inf}, "A world needs centre to be one finite number; got"),
        ({"centre": [3]}, "A world needs centre to be one finite number; got"),
        ({"centre": None}, "A world needs centre to be one finite number; got"),
        ({"centre": "three"}, "A world needs centre to be one finite number; got"),
        ({"centre": "3"}, "A world needs centre to be one finite number; got"),
        ({"scale": (5, 1)}, "scale must be"),
        ({"scale": (3, 3)}, "scale must be"),
        ({"scale": (1, np.inf)}, "scale must be"),
        ({"scale": (np.nan, 5)}, "scale must be"),
        ({"scale": "15"}, "scale must be"),
        ({"scale": None}, "scale must be"),
        ({"scale": (1,)}, "scale must be"),
        ({"scale": (1, 2, 5)}, "scale must be"),
    ],
    ids=lambda part: f"{str(part)[:40]}" if isinstance(part, dict) else "",
)
def test_what_is_no_world_is_refused_in_a_sentence(handed, sentence):
    """What must be, what came, as an error of ours, in one sentence that ends."""
    given = {"centre": 3.0, "effects": [1.0, 2.0], **handed}
    with pytest.raises(ParameterError) as refusal:
        World(**given)
    assert str(refusal.value).startswith(sentence)
    assert str(refusal.value).endswith(".")
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("ask", ["own", "own_part", "deviations"])
def test_a_profile_of_another_catalogue_is_refused(ask):
    """An item that the world does not know has no effect; the message names the row and the size."""
    world = World(3.0, [1, 2])
    with pytest.raises(RatingsError, match="the profile names item row 2; the world speaks of 2 items"):
        getattr(world, ask)(profile_of({0: 3, 2: 3}))
    assert issubclass(RatingsError, InputError)


def test_a_world_of_nothing():
    """A catalogue may be empty; then there is nothing to say."""
    world = World(3.0, [], counts=[])
    assert world.items == 0
    assert world.fame.tolist() == world.own(NOBODY).tolist() == []
