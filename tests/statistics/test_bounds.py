"""The bounds of similarities, attacked: little worlds enumerated, and a search that climbs towards the worst case.

All records over some levels of each item are users of one table, so that one call compares a target with all of them,
and two records that differ in one rating are two places of an array. A search that finds nothing proves nothing: what
the attack must at least reach stands beside it, so that a bound half as wide would be found out. Fixed seeds.
"""

from itertools import product
from typing import NamedTuple

import numpy as np
import pytest

from privet.ratings import Profile, Ratings
from privet.similarity import Agreement, Cosine, CosineFull, Deviation, Overlap, Pearson, cosine, rs
from privet.similarity.protocol import terms_of
from privet.world import World

ITEMS = 4
SCALES = {  # the levels of every item; none where any number will do
    (1, 5): np.arange(1, 6.0),
    (0.5, 5): np.array([0.5, 1, 2.5, 3.5, 4, 5]),
    (1, 10): np.array([1, 3, 5, 7, 8, 10.0]),
    (0, 5): np.arange(6.0),
    (-10, 10): np.array([-10, -3, -1, 0, 1, 10.0]),
    (1, 5.5): None,
    (-3, 3): None,
}
SIMILARITIES = {  # and the share of its bound that a change, and an insertion, must reach on every scale
    "cosine": (Cosine(), (0.4, 0.99)),
    "cosine_full": (CosineFull(), (0.45, 0.66)),
    "pearson": (Pearson(), (1, 1)),
    "agreement": (Agreement(), (0.85, 0.99)),
    "agreement of 1": (Agreement(m0=1), (0.85, 0.99)),
    "agreement of 3": (Agreement(m0=3), (0.85, 0.99)),
    "deviation": (Deviation(), (1, 1)),
    "deviation of 1 step": (Deviation(steps=1), (1, 1)),
    "overlap": (Overlap(), (0.2, 1)),
    "overlap of 1 step": (Overlap(steps=1), (1, 1)),
    "overlap of everything": (Overlap(like=-10), (0, 1)),
}
every_similarity = pytest.mark.parametrize("name", SIMILARITIES)
every_scale = pytest.mark.parametrize("scale", SCALES, ids=str)


class Arena(NamedTuple):
    """Everybody who rates a few items in all the ways that some levels permit; the levels of an item are a line."""

    ratings: Ratings
    levels: np.ndarray

    @classmethod
    def of(cls, scale, levels):
        """Where there is no grid, others rate one item more, in more ways than a grid can hold."""
        records = np.array(list(product(*[[np.nan, *line] for line in levels])))
        cells = np.argwhere(~np.isnan(records))
        users, items, values = cells[:, 0], cells[:, 1], records[cells[:, 0], cells[:, 1]]
        more = np.linspace(*scale, 40) if SCALES[scale] is None else np.empty(0)
        ratings = Ratings.of(
            np.concatenate([users, len(records) + np.arange(len(more))]),
            np.concatenate([items, np.full(len(more), ITEMS)]),
            np.concatenate([values, more]),
            users=range(len(records) + len(more)),
            items=range(ITEMS + 1),
            scale=scale,
        )
        return cls(ratings, np.array(levels))

    def laid_out(self, numbers):
        """A number per user as an array with an axis per item: first without a rating, then level by level."""
        lengths = [len(line) + 1 for line in self.levels]
        return numbers[: np.prod(lengths)].reshape(lengths)

    def moves(self, numbers):
        """The furthest that a number moves when a rating of its user is changed; and when one comes or goes."""
        table = self.laid_out(numbers)
        found = np.zeros(2)
        for axis in range(table.ndim):
            without, *rated = np.moveaxis(table, axis, 0)
            changed = (np.max(rated, axis=0) - np.min(rated, axis=0)).max()
            found = np.maximum(found, [changed, np.abs(np.array(rated) - without).max()])
        return found


class Target(NamedTuple):
    """One target, and the world it is seen from."""

    items: np.ndarray
    values: np.ndarray  # of all items, rated or not
    world: World

    @classmethod
    def random(cls, rng, scale):
        """A record of one item at least."""
        items = np.flatnonzero(rng.random(ITEMS) < 0.7)
        counts = np.floor(rng.exponential(20, ITEMS + 1))
        world = World(rng.uniform(*scale), rng.normal(0, 1, ITEMS + 1), counts=counts, scale=scale)
        return cls(items if len(items) else rng.integers(ITEMS, size=1), some(rng, scale, ITEMS), world)

    @property
    def profile(self):
        """The record."""
        return Profile(self.items, self.values[self.items])


def some(rng, scale, shape):
    """Random ratings on a scale."""
    return rng.uniform(*scale, shape) if SCALES[scale] is None else rng.choice(SCALES[scale], shape)


def whole_arena(scale, rng):
    """All records of four items over all levels of a scale, or over six random ones of each item."""
    grid = SCALES[scale]
    return Arena.of(scale, some(rng, scale, (ITEMS, 6)) if grid is None else [grid] * ITEMS)


def shares(similarity, arena, target):
    """How far one rating moves somebody, in shares of the bound: by a change, and by coming or going."""
    ratings, profile = arena.ratings, target.profile
    bound = similarity.bound(terms_of(ratings, profile))
    return arena.moves(similarity(ratings, profile, world=target.world)) / bound


def climbed(similarity, scale, rng, side, steps=50):
    """The largest shares found by moving the target, a level or the world at a time, and keeping what is no worse."""
    target, levels = Target.random(rng, scale), some(rng, scale, (ITEMS, 3))
    best = shares(similarity, Arena.of(scale, levels), target)
    for _ in range(steps):
        other, tried, place = Target.random(rng, scale), levels.copy(), rng.integers(ITEMS)
        match rng.integers(4):
            case 0:
                moved = target._replace(items=other.items)
            case 1:
                moved = target._replace(values=np.where(np.arange(ITEMS) == place, other.values, target.values))
            case 2:
                moved = target._replace(world=other.world)
            case _:
                moved = target
                tried[place, rng.integers(3)] = some(rng, scale, ())
        found = shares(similarity, Arena.of(scale, tried), moved)
        if found[side] >= best[side]:
            target, levels, best = moved, tried, np.maximum(found, best)
    return best


@every_similarity
def test_every_change_in_a_tiny_world(name):
    """Three items, five stars: every target, every record of another, every rating changed, added, erased."""
    similarity, _ = SIMILARITIES[name]
    rng, arena = np.random.default_rng(2), Arena.of((1, 5), [SCALES[1, 5]] * 3)
    for record in product([np.nan, 1, 2, 3, 4, 5], repeat=3):
        values = np.array([*record, np.nan])
        target = Target.random(rng, (1, 5))._replace(items=np.flatnonzero(~np.isnan(values)), values=values)
        assert (shares(similarity, arena, target) <= 1 + 1e-12).all()


@every_scale
@every_similarity
def test_no_rating_moves_a_similarity_by_more_than_its_bound(name, scale):
    """Random targets against all records of four items, then a climb; what is found comes as near as it must."""
    similarity, reach = SIMILARITIES[name]
    rng = np.random.default_rng(3)
    arena = whole_arena(scale, rng)
    found = [shares(similarity, arena, Target.random(rng, scale)) for _ in range(120)]
    found += [climbed(similarity, scale, rng, side) for side in (0, 1)]
    worst = np.max(found, axis=0)
    assert (worst <= 1 + 1e-12).all()
    assert (worst >= np.array(reach) - 1e-9).all()


@pytest.mark.parametrize("scale", [scale for scale in SCALES if scale[0] >= 0], ids=str)
def test_ratings_of_one_sign_are_never_turned_away_from(scale):
    """Where no rating is negative no angle is obtuse: that is why a cosine moves by 1 and not by 2."""
    rng = np.random.default_rng(4)
    arena = whole_arena(scale, rng)
    for _ in range(100):
        found = cosine(arena.ratings, Target.random(rng, scale).profile)
        assert 0 <= found.min() <= found.max() <= 1


@every_scale
def test_rs_covers_every_loss_of_a_common_item(scale):
    """All records of four items, random targets: no cosine moves by more than RS when a common item goes.

    On scales with both signs RS is the largest loss itself, wherever two items are common and no norm vanishes.
    """
    rng = np.random.default_rng(5)
    arena = whole_arena(scale, rng)
    checked = met = 0
    for _ in range(100):
        profile = Target.random(rng, scale).profile
        cosines, sensitivities = (
            arena.laid_out(found) for found in (cosine(arena.ratings, profile), rs(arena.ratings, profile))
        )
        largest = np.zeros(cosines.shape)
        for item in profile.items.tolist():
            losses, before = np.moveaxis(largest, item, 0), np.moveaxis(cosines, item, 0)
            losses[1:] = np.maximum(losses[1:], np.abs(before[1:] - before[0]))
        assert (largest <= sensitivities + 1e-9).all()
        bound = cosine.bound(terms_of(arena.ratings, profile)).widest
        inside = sensitivities < bound - 1e-9
        checked += inside.sum()
        met += (np.abs(largest - sensitivities) < 1e-9)[inside].sum()
    assert checked > 10_000
    assert (met == checked) == (scale[0] < 0)
