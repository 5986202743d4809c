"""Laws that every registered similarity passes, and each similarity against its formula, pair by pair."""

import importlib
from fractions import Fraction
from math import floor, fsum, log, sqrt
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privet.ratings import Profile, Ratings
from privet.similarity import SIMILARITIES, Agreement, Cosine, Deviation, Overlap, rank, rs
from privet.similarity.protocol import terms_of
from privet.world import World

every_similarity = pytest.mark.parametrize("kind", SIMILARITIES.values(), ids=SIMILARITIES)
LOCAL = {name: kind for name, kind in SIMILARITIES.items() if kind.corated}
GRIDS = {  # the ratings of each scale; none where any number will do
    (1, 5): np.arange(1, 6.0),
    (0.5, 5): np.arange(1, 11) / 2,
    (1, 10): np.arange(1, 11.0),
    (-10, 10): np.arange(-10, 11.0),
    (0, 5): np.arange(6.0),
    (0, 1): np.arange(11) / 10,
    (0, 2): np.arange(7) / 3,  # few values, and no factor makes them whole
    (0.05, 4.97): np.arange(1, 5.0),  # whole ratings, and a scale that no factor makes whole
    (0.1, 5.6): None,
    (-0.7, 0.4): None,
}


class Table(NamedTuple):
    """Users x items, not a number where nothing is rated; the world that they are seen from."""

    values: np.ndarray
    scale: tuple
    world: World

    @property
    def ratings(self):
        """The ratings of the table."""
        cells = np.argwhere(~np.isnan(self.values))
        users, items = self.values.shape
        found = self.values[cells[:, 0], cells[:, 1]]
        return Ratings.of(cells[:, 0], cells[:, 1], found, users=range(users), items=range(items), scale=self.scale)

    def where(self, user, item, value):
        """The same table with one rating changed, added or, if it is not a number, erased."""
        values = self.values.copy()
        values[user, item] = value
        return self._replace(values=values)


def some(rng, scale, shape):
    """Random ratings on a scale; where any number will do, its ends all the same now and then."""
    grid = GRIDS[scale]
    if grid is not None:
        return rng.choice(grid, shape)
    return np.where(rng.random(shape) < 0.2, rng.choice(scale, shape), rng.uniform(*scale, shape))


@st.composite
def tables(draw_from, scales=tuple(GRIDS)):
    """Small tables on all kinds of scales; empty users, single items and users who rate all alike among them."""
    scale = draw_from(st.sampled_from(scales))
    users, items = draw_from(st.integers(1, 12)), draw_from(st.integers(1, 7))
    rng = np.random.default_rng(draw_from(st.integers(0, 2**32)))
    rated = rng.random((users, items)) < draw_from(st.floats(0, 1))
    alike = rng.random((users, 1)) < draw_from(st.sampled_from([0, 0.5]))
    values = np.where(rated, np.where(alike, some(rng, scale, (users, 1)), some(rng, scale, (users, items))), np.nan)
    if GRIDS[scale] is None:  # others with more than 32 values: so many lie on no grid
        values = np.concatenate([values, rng.uniform(*scale, (33 // items + 1, items))])
    counts = np.floor(rng.exponential(60, items)) - 4
    counts = draw_from(st.sampled_from([counts, -counts * (counts > 0), None]))
    world = World(rng.uniform(*scale), rng.normal(0, 1, items), counts=counts, scale=scale)
    return Table(values, scale, world)


@st.composite
def targets(draw_from, table):
    """A member, a member with an item hidden, or a stranger with ratings between the values of the scale."""
    ratings = table.ratings
    profile = ratings.profile(draw_from(st.integers(0, len(table.values) - 1)))
    how = draw_from(st.sampled_from(["member", "hidden", "stranger"]))
    if how == "stranger":
        rng = np.random.default_rng(draw_from(st.integers(0, 2**32)))
        return Profile(profile.items, rng.uniform(*table.scale, len(profile)))
    if how == "hidden" and len(profile):
        return profile.without(int(profile.items[draw_from(st.integers(0, len(profile) - 1))]))
    return profile


# The formulas, each of two records: mappings from items to ratings.


def cosine_of(own, theirs, table):
    """Eq. (5)."""
    both = own.keys() & theirs.keys()
    norms = sqrt(fsum(own[s] ** 2 for s in both)) * sqrt(fsum(theirs[s] ** 2 for s in both))
    return fsum(own[s] * theirs[s] for s in both) / norms if norms else 0


def cosine_full_of(own, theirs, table):
    """The norms run over everything that each has rated."""
    norms = sqrt(fsum(r**2 for r in own.values())) * sqrt(fsum(r**2 for r in theirs.values()))
    return fsum(own[s] * theirs[s] for s in own.keys() & theirs.keys()) / norms if norms else 0


def pearson_of(own, theirs, table):
    """Eq. (4), in the fractions that ratings stand for, so that what is at the mean is at the mean."""
    both = sorted(own.keys() & theirs.keys())
    if not both:
        return 0
    records = [{s: fraction(r) for s, r in record.items()} for record in (own, theirs)]
    means = [sum(record.values()) / len(record) for record in records]
    one, other = ([record[s] - mean for s in both] for record, mean in zip(records, means, strict=True))
    squares = sum(x * x for x in one) * sum(y * y for y in other)
    return float(sum(x * y for x, y in zip(one, other, strict=True))) / sqrt(squares) if squares else 0


def fraction(rating):
    """A third for .333..., a tenth for .1; any other number is what it is."""
    simple = Fraction(rating).limit_denominator(100)
    return simple if abs(simple - Fraction(rating)) < 1e-12 else Fraction(rating)


def agreement_of(m0):
    """How much of the scale does not lie between two ratings."""

    def formula(own, theirs, table):
        span = table.scale[1] - table.scale[0]
        both = own.keys() & theirs.keys()
        return fsum(max(0, 1 - abs(own[s] - theirs[s]) / span) for s in both) / max(len(own), m0)

    return formula


def deviation_of(steps):
    """The least and the most that it may be: a term within rounding of a whole step may fall on either side of it."""

    def formula(own, theirs, table):
        world, unit = table.world, (table.scale[1] - table.scale[0]) / 4
        mine = own_part_of(own, table)
        low = high = 0
        for s in own.keys() & theirs.keys():
            beside = [(record[s] - world.centre) / unit - world.effects[s] for record in (own, theirs)]
            beside[0] -= mine[s]
            one, other = (min(0.5, max(-0.5, d)) / 0.5 for d in beside)
            cuts = [towards_zero(steps * one * other + slack) for slack in (-1e-9 * steps, 1e-9 * steps)]
            low, high = low + min(cuts), high + max(cuts)
        return low / steps, high / steps

    return formula


def own_part_of(own, table):
    """The ridge regression of accuracy.md 1.1 as least squares with three more equations, one for each penalty."""
    world, unit = table.world, (table.scale[1] - table.scale[0]) / 4
    features = np.array([[1, b, z] for b, z in zip(world.effects, fame_of(world), strict=True)])
    rated = sorted(own)
    residuals = [(own[s] - world.centre) / unit - world.effects[s] for s in rated]
    equations = np.concatenate([features[rated], np.diag(np.sqrt([3, 5, 20]))])
    weights, *_ = np.linalg.lstsq(equations, np.array([*residuals, 0, 0, 0]), rcond=None)
    return features @ weights


def fame_of(world):
    """How many rated an item, as a logarithm about the mean over all raters."""
    if world.counts is None:
        return [0] * world.items
    logs = [log(max(count, 5)) for count in world.counts]
    weights = [max(count, 0) for count in world.counts]
    raters = fsum(weights)
    middle = fsum(w * z for w, z in zip(weights, logs, strict=True)) / raters if raters else log(5)
    return [z - middle for z in logs]


def overlap_of(like, steps):
    """What likes and other ratings count, on the public grid."""

    def formula(own, theirs, table):
        low, high = table.scale
        least = low + 3 * (high - low) / 4 if like is None else like
        pairs = [(own[s] >= least, theirs[s] >= least) for s in own.keys() & theirs.keys()]
        counted = {(True, True): 1, (True, False): 0.8, (False, True): 0.7, (False, False): 0.56}
        return sum(towards_zero(steps * counted[pair] + 1e-9) for pair in pairs) / steps

    return formula


def towards_zero(x):
    """Without what comes behind the point."""
    return floor(abs(x)) * (1 if x >= 0 else -1)


FORMULAS = {
    "cosine": cosine_of,
    "cosine_full": cosine_full_of,
    "pearson": pearson_of,
    "agreement": agreement_of(20),
    "agreement of 3": agreement_of(3),
    "deviation": deviation_of(64),
    "deviation of 10 steps": deviation_of(10),
    "overlap": overlap_of(None, 64),
    "overlap above 2": overlap_of(2, 64),
    "overlap of 7 steps": overlap_of(None, 7),
    "overlap of 1000 steps": overlap_of(None, 1000),
}
SETTINGS = {
    "agreement of 3": Agreement(m0=3),
    "deviation of 10 steps": Deviation(steps=10),
    "overlap above 2": Overlap(like=2),
    "overlap of 7 steps": Overlap(steps=7),
    "overlap of 1000 steps": Overlap(steps=1000),
}


@pytest.mark.parametrize("name", FORMULAS)
@given(data=st.data(), table=tables())
@settings(max_examples=150)
def test_a_similarity_is_that_of_its_formula(name, data, table):
    """Written down again, pair by pair, for members, members with an item hidden, and strangers off the grid."""
    similarity = SETTINGS[name] if name in SETTINGS else SIMILARITIES[name]()
    profile = data.draw(targets(table))
    own = dict(zip(profile.items.tolist(), profile.values.tolist(), strict=True))
    found = similarity(table.ratings, profile, world=table.world)
    for other, record in enumerate(table.values):
        theirs = {item: value for item, value in enumerate(record.tolist()) if value == value}
        expected = FORMULAS[name](own, theirs, table)
        low, high = expected if isinstance(expected, tuple) else (expected, expected)
        assert low - 1e-9 <= found[other] <= high + 1e-9


@given(data=st.data(), table=tables())
@settings(max_examples=150)
def test_agreement_lies_within_nothing_and_all_that_is_common(data, table):
    """No more than the common items' share of the target's, and never below 0, where those stand who share nothing."""
    profile = data.draw(targets(table))
    found = Agreement(m0=1)(table.ratings, profile)
    common = (~np.isnan(table.values[:, profile.items])).sum(axis=1)
    assert (found >= 0).all()
    assert (found <= common / max(1, len(profile)) + 1e-12).all()


@every_similarity
@given(data=st.data(), table=tables())
@settings(max_examples=60)
def test_no_common_item_is_0_and_all_is_finite(kind, data, table):
    """0 to the last bit where nothing is shared, and a number everywhere."""
    profile = data.draw(targets(table))
    found = kind()(table.ratings, profile, world=table.world)
    shared = (~np.isnan(table.values[:, profile.items])).any(axis=1)
    assert np.isfinite(found).all()
    assert (found[~shared] == 0).all()


@pytest.mark.parametrize("name", ["deviation", "overlap"])
@given(data=st.data(), table=tables())
@settings(max_examples=60)
def test_what_is_noised_is_a_whole_number_of_steps(name, data, table):
    """Every deviation and overlap is a whole number of 1/64, or of one over the steps that are set."""
    profile = data.draw(targets(table))
    for steps in (64, 7):
        found = SIMILARITIES[name](steps=steps)(table.ratings, profile, world=table.world) * steps
        assert found == pytest.approx(np.rint(found), abs=1e-12)


@every_similarity
@given(data=st.data(), table=tables(), order=st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_renaming_users_renames_similarities(kind, data, table, order):
    """A similarity does not know in which row a user stands, to the last bit."""
    shuffled = list(range(len(table.values)))
    order.shuffle(shuffled)
    profile = data.draw(targets(table))
    stranger = Profile(profile.items, profile.values)
    before = kind()(table.ratings, stranger, world=table.world)
    after = kind()(table._replace(values=table.values[shuffled]).ratings, stranger, world=table.world)
    assert after.tolist() == before[shuffled].tolist()


@every_similarity
@given(data=st.data(), table=tables())
@settings(max_examples=40)
def test_a_stranger_is_seen_as_the_member_with_the_same_record(kind, data, table):
    """The row of a profile says who is left out of a list, and changes no similarity, to the last bit."""
    profile = data.draw(targets(table))
    as_member = kind()(table.ratings, profile, world=table.world)
    as_stranger = kind()(table.ratings, Profile(profile.items, profile.values), world=table.world)
    assert as_member.tolist() == as_stranger.tolist()


@every_similarity
@given(data=st.data(), table=tables())
@settings(max_examples=150)
def test_one_rating_of_somebody_moves_nobody_else(kind, data, table):
    """Changed, added or erased, on the grid or off it: every other user stays where they were, to the last bit."""
    user, item = (data.draw(st.integers(0, size - 1)) for size in table.values.shape)
    low, high = table.scale
    on_grid = [] if GRIDS[table.scale] is None else GRIDS[table.scale].tolist()
    value = data.draw(st.sampled_from([*on_grid, np.nan]) | st.floats(low, high))
    profile = data.draw(targets(table))
    before = kind()(table.ratings, profile, world=table.world)
    after = kind()(table.where(user, item, value).ratings, profile, world=table.world)
    assert np.delete(after, user).tolist() == np.delete(before, user).tolist()
    if kind.corated and item not in profile:
        assert after[user] == before[user]


def test_co_rated_similarities_are_those_that_read_common_items_only():
    """Of the six, Pearson and the cosine of whole records look at what else a user rated, and say so."""
    assert [name for name, kind in SIMILARITIES.items() if not kind.corated] == ["cosine_full", "pearson"]
    values = np.array([[5, 2, np.nan], [4, 1, 1]])
    table = Table(values, (1, 5), World(3.0, np.zeros(3)))
    for kind in SIMILARITIES.values():
        found = [kind()(table.where(1, 2, r).ratings, 0, world=table.world)[1] for r in (1, 5, np.nan)]
        assert (len(set(found)) == 1) == kind.corated


@every_similarity
@given(data=st.data(), table=tables(), size=st.integers(1, 5))
@settings(max_examples=30)
def test_parts_of_any_size_give_the_same(kind, data, table, size):
    """Ratings are looked at in parts of bounded size, whose size shows in no bit."""
    profile = data.draw(targets(table))
    found = kind()(table.ratings, profile, world=table.world), rs(table.ratings, profile)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("privet.similarity.corated._AT_ONCE", size)
        again = kind()(table.ratings, profile, world=table.world), rs(table.ratings, profile)
    assert [part.tolist() for part in again] == [part.tolist() for part in found]


@every_similarity
@given(data=st.data(), table=tables())
@settings(max_examples=60)
def test_rank_is_everybody_else_in_order(kind, data, table):
    """A permutation of the others, falling, ties by row; to a depth like the whole, and behind it by row."""
    profile, ratings, similarity = data.draw(targets(table)), table.ratings, kind()
    found = rank(ratings, profile, similarity, world=table.world)
    pairs = list(zip((-found.similarities).tolist(), found.rows.tolist(), strict=True))
    assert pairs == sorted(pairs)
    assert sorted(found.rows.tolist()) == [row for row in range(len(table.values)) if row != profile.row]
    assert found.similarities.tolist() == similarity(ratings, profile, world=table.world)[found.rows].tolist()
    depth = data.draw(st.integers(0, len(found) + 1))
    part = rank(ratings, profile, similarity, world=table.world, depth=depth)
    cut = part.ordered
    assert cut == min(depth, len(found))
    assert part.rows[:cut].tolist() == found.rows[:cut].tolist()
    assert part.rows[cut:].tolist() == sorted(found.rows[cut:].tolist())


@every_similarity
@given(data=st.data(), table=tables())
@settings(max_examples=40)
def test_candidates_know_how_far_one_rating_moves_them(kind, data, table):
    """RS is Eq. (3) for the co-rated cosine, for any other the bound's wider side; the bound is the similarity's."""
    profile, ratings = data.draw(targets(table)), table.ratings
    found = rank(ratings, profile, kind(), world=table.world)
    assert found.bound == kind().bound(terms_of(ratings, profile))
    assert not found.released
    places = np.array(data.draw(st.lists(st.integers(0, len(found) - 1))) if len(found) else [], np.int64)
    whole = rs(ratings, profile)[found.rows] if kind is Cosine else np.full(len(found), max(found.bound))
    assert found.rs(places).tolist() == whole[places].tolist()


# RS, Eq. (3) as theory.md 1.4 (9) reads it.


def rs_of(own, theirs, low):
    """The largest, over common items, of what the two terms make; the bound where a norm vanishes or is not there."""
    bound = 1 if low >= 0 else 2
    both = own.keys() & theirs.keys()
    losses = [bound if len(both) < 2 else 0]
    for s in both:
        left = both - {s}
        one, other = (sqrt(fsum(record[x] ** 2 for x in both)) for record in (own, theirs))
        one_left, other_left = (sqrt(fsum(record[x] ** 2 for x in left)) for record in (own, theirs))
        if not one_left * other_left:
            return bound
        dot = fsum(own[x] * theirs[x] for x in both)
        first = own[s] * theirs[s] / (one_left * other_left)
        second = dot * (one * other - one_left * other_left) / (one * other * one_left * other_left)
        losses.append(abs(first - second) if low < 0 else max(first, second))
    return min(bound, *losses) if len(losses) == 1 else min(bound, max(losses))


@given(data=st.data(), table=tables())
@settings(max_examples=150)
def test_rs_is_that_of_the_formula(data, table):
    """Both terms written down for every common item, on positive, zero and signed scales, on the grid and off it."""
    profile = data.draw(targets(table))
    own = dict(zip(profile.items.tolist(), profile.values.tolist(), strict=True))
    found = rs(table.ratings, profile)
    for other, record in enumerate(table.values):
        theirs = {item: value for item, value in enumerate(record.tolist()) if value == value}
        assert found[other] == pytest.approx(rs_of(own, theirs, table.scale[0]), abs=1e-9)


@given(data=st.data(), table=tables())
@settings(max_examples=60)
def test_rs_covers_every_erased_common_rating(data, table):
    """No common rating can take more from the cosine than RS by leaving."""
    profile, ratings = data.draw(targets(table)), table.ratings
    found, sensitivities = Cosine()(ratings, profile), rs(ratings, profile)
    for other, item in np.argwhere(~np.isnan(table.values)).tolist():
        if item in profile:
            left = Cosine()(ratings.without(other, item), profile)[other]
            assert abs(left - found[other]) <= sensitivities[other] + 1e-9


@given(data=st.data(), table=tables())
@settings(max_examples=100)
def test_rs_of_chosen_others_is_that_of_all(data, table):
    """In any order, with repeats, looked up by user or added up by item: the same bits."""
    profile, ratings = data.draw(targets(table)), table.ratings
    chosen = np.array(data.draw(st.lists(st.integers(0, len(table.values) - 1), max_size=20)), np.int64)
    expected = rs(ratings, profile)[chosen].tolist()
    assert rs(ratings, profile, chosen).tolist() == expected
    for by_user in (True, False):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(importlib.import_module("privet.similarity.rs"), "_few", lambda *_, few=by_user: few)
            assert rs(ratings, profile, chosen).tolist() == expected
