"""Laws that every registered selector passes, crossed with every registered law of drawing."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privet.errors import Unattainable
from privet.ratings import Ratings
from privet.selection import SELECTORS
from privet.settings import settings_of
from privet.similarity import SIMILARITIES, Candidates, rank
from privet.urns import LAWS, draw, slots_in
from privet.world import World


def values_of(setting):
    """Values all over a setting's domain."""
    if setting.choices:
        return st.sampled_from(setting.choices)
    assert setting.kind is float
    low = 1e-3 if setting.above is not None else setting.at_least
    return st.floats(low, 100.0 if setting.at_most is None else setting.at_most)


@st.composite
def selectors(draw_from, kind):
    """A selector with any settings; those that may refuse fill up instead."""
    chosen = {name: draw_from(values_of(setting)) for name, setting in settings_of(kind).items()}
    return kind(**(chosen | ({"short": "fill"} if "short" in chosen else {})))


@st.composite
def lists(draw_from, most=40):
    """Candidates as a ranking gives them: any rows, similarities falling, any sensitivities."""
    n = draw_from(st.integers(0, most))
    rng = np.random.default_rng(draw_from(st.integers(0, 2**32)))
    sensitivities = rng.random(n) ** 3
    return Candidates(
        rows=rng.permutation(n + 1)[:n],
        similarities=np.sort(rng.uniform(-1, 1, n))[::-1],
        ordered=n,
        bound=None,
        released=False,
        rs=lambda positions: sensitivities[positions],
    )


@st.composite
def ratings(draw_from):
    """Small ratings with many ties, empty users among them."""
    users, items = draw_from(st.integers(1, 12)), draw_from(st.integers(1, 6))
    rng = np.random.default_rng(draw_from(st.integers(0, 2**32)))
    cells = np.argwhere(rng.random((users, items)) < draw_from(st.floats(0, 1)))
    return Ratings.of(
        cells[:, 0], cells[:, 1], rng.integers(1, 6, len(cells)), users=range(users), items=range(items), scale=(1, 5)
    )


def uniforms(plan, seed=0):
    """Noise by slot, so that two plans that ask for one slot get one value."""
    return np.random.default_rng(seed).random(200)[plan.slots]


every_selector = pytest.mark.parametrize("kind", SELECTORS.values(), ids=SELECTORS)


@every_selector
@given(data=st.data(), candidates=lists(), k=st.integers(0, 30))
@settings(max_examples=60)
def test_urns_are_disjoint_and_in_range_and_draws_sum_to_k(kind, data, candidates, k):
    """min(k, n) neighbours, from stretches that follow one another within the list, none asked for more than it has."""
    plan = data.draw(selectors(kind)).plan(candidates, k)
    n = len(candidates)
    assert plan.draws == min(k, n)
    assert all(0 <= urn.start < urn.stop <= n and 0 < urn.draws <= urn.size for urn in plan.urns)
    assert all(one.stop <= following.start for one, following in zip(plan.urns, plan.urns[1:], strict=False))
    assert plan.log_weights.shape == (n,)
    assert np.isfinite(plan.log_weights).all()
    assert plan.law in LAWS


@every_selector
@given(data=st.data(), candidates=lists(), k=st.integers(0, 30))
@settings(max_examples=60)
def test_noise_slots_are_distinct_and_announced(kind, data, candidates, k):
    """No two candidates share a slot, and all lie within the slots of a list of that length."""
    slots = data.draw(selectors(kind)).plan(candidates, k).slots
    assert len(np.unique(slots)) == len(slots)
    assert ((slots >= 0) & (slots < slots_in(len(candidates)))).all()


@every_selector
@given(data=st.data(), candidates=lists(), k=st.integers(0, 30))
@settings(max_examples=60)
def test_plans_and_draws_are_pure(kind, data, candidates, k):
    """The same arguments give the same plan, the same noise the same neighbours, all different and nearest first."""
    selector = data.draw(selectors(kind))
    one, other = selector.plan(candidates, k), selector.plan(candidates, k)
    assert one.urns == other.urns
    assert np.array_equal(one.log_weights, other.log_weights)
    found, again = draw(one, candidates, uniforms(one)), draw(other, candidates, uniforms(other))
    assert found.rows.tolist() == again.rows.tolist()
    assert len(set(found.rows.tolist())) == len(found) == min(k, len(candidates))
    assert (np.diff(found.similarities) <= 0).all()
    for number, urn in enumerate(one.urns):
        inside = (found.positions >= urn.start) & (found.positions < urn.stop)
        assert inside.sum() == urn.draws
        assert (found.urns[inside] == number).all()


@every_selector
@given(data=st.data(), ratings=ratings(), k=st.integers(1, 8))
@settings(max_examples=60)
def test_how_far_the_list_is_ordered_changes_nothing(kind, data, ratings, k):
    """A list ordered to the depth that the selector asks for gives the neighbours of the whole order."""
    selector = data.draw(selectors(kind))
    similarity = data.draw(st.sampled_from(sorted(SIMILARITIES)))
    world = World(centre=3.0, effects=np.linspace(-1, 1, len(ratings.items)))
    whole = rank(ratings, 0, SIMILARITIES[similarity](), world=world)
    part = rank(ratings, 0, SIMILARITIES[similarity](), world=world, depth=selector.depth(len(whole), k))
    plans = selector.plan(whole, k), selector.plan(part, k)
    found = [draw(plan, ranked, uniforms(plan)) for plan, ranked in zip(plans, (whole, part), strict=True)]
    assert found[0].rows.tolist() == found[1].rows.tolist()


@every_selector
@given(data=st.data(), candidates=lists(most=25), k=st.integers(1, 10))
@settings(max_examples=15)
def test_inclusion_sums_to_the_draws_under_every_law(kind, data, candidates, k):
    """In each urn the chances are chances and sum to its draws, where the weights permit exact figures."""
    plan = data.draw(selectors(kind)).plan(candidates, k)
    for urn in plan.urns:
        logs = plan.log_weights[urn.start : urn.stop]
        if np.ptp(logs) > 50:
            continue
        for law in LAWS.values():
            chances = law.inclusion(logs, urn.draws)
            assert chances.sum() == pytest.approx(urn.draws, abs=1e-9)
            assert ((chances >= 0) & (chances <= 1)).all()


@given(candidates=lists(), k=st.integers(2, 30), p=st.floats(0.01, 0.99))
@settings(max_examples=60)
def test_ppns_refuses_only_what_would_have_to_be_filled(candidates, k, p):
    """Without filling it either gives the very plan of filling, or says that the partitions run out."""
    filled = SELECTORS["ppns"](p=p, short="fill").plan(candidates, k)
    try:
        strict = SELECTORS["ppns"](p=p).plan(candidates, k)
    except Unattainable:
        assert len(candidates) > k
        assert filled.urns[-1].stop <= len(candidates)
        assert len(filled.urns) * k >= len(candidates)
    else:
        assert strict.urns == filled.urns
