import numpy as np
import pytest

from privet.errors import ParameterError
from privet.similarity import Candidates
from privet.urns import Plan, Urn, draw, slots_in, slots_of, wallenius


def candidates_of(similarities, ordered=None, rows=None):
    """A ranked list without ratings behind it."""
    similarities = np.array(similarities, float)
    n = len(similarities)
    return Candidates(
        rows=np.arange(n) if rows is None else np.array(rows),
        similarities=similarities,
        ordered=n if ordered is None else ordered,
        bound=None,
        released=False,
        rs=lambda positions: np.ones(len(positions)),
    )


def test_the_largest_keys_leave_the_urn():
    """With equal weights the largest uniform numbers win; a large weight beats them."""
    noise = np.array([0.2, 0.9, 0.5, 0.8])
    assert wallenius.draw(np.zeros(4), 2, noise).tolist() == [1, 3]
    assert wallenius.draw(np.array([9.0, 0, 0, 0]), 2, noise).tolist() == [0, 1]


def test_every_urn_is_drawn_with_its_own_noise():
    """The noise follows the slots, urn by urn; sure urns take none."""
    candidates = candidates_of([0.9, 0.8, 0.7, 0.6, 0.5], rows=[4, 0, 3, 1, 2])
    urns = (Urn(0, 1, 1), Urn(1, 3, 1), Urn(3, 5, 1))
    plan = Plan(urns=urns, log_weights=np.zeros(5), slots=slots_of(urns, candidates))
    found = draw(plan, candidates, np.array([0.1, 0.9, 0.8, 0.2]))
    assert found.rows.tolist() == [4, 3, 1]
    assert found.positions.tolist() == [0, 2, 3]
    assert found.urns.tolist() == [0, 1, 2]
    assert found.similarities.tolist() == [0.9, 0.7, 0.6]
    assert found.weights.tolist() == [1, 1, 1]


def test_slots_are_places_in_the_head_and_rows_at_the_end():
    """An urn that reaches the end is addressed by row, so that its draw does not depend on how far it is ordered."""
    candidates = candidates_of([0.9, 0.8, 0.7, 0.6], rows=[4, 0, 3, 1])
    assert slots_of((Urn(0, 2, 1), Urn(2, 4, 1)), candidates).tolist() == [0, 1, 4 + 3, 4 + 1]
    assert slots_in(4) == 9


def test_weights_of_a_plan_are_carried_along():
    """Where a plan says how much each counts, the neighbours say so too."""
    plan = Plan(urns=(Urn(0, 3, 3),), log_weights=np.zeros(3), slots=np.empty(0, int), weights=np.array([1, 0.5, -0.5]))
    assert draw(plan, candidates_of([0.3, 0.2, 0.1])).weights.tolist() == [1, 0.5, -0.5]


def test_an_empty_plan_has_no_neighbours():
    """No urns, nobody."""
    plan = Plan(urns=(), log_weights=np.empty(0), slots=np.empty(0, int))
    assert len(draw(plan, candidates_of([]))) == 0


def test_noise_that_does_not_fit_is_refused():
    """Too little noise is an error, not a shorter draw."""
    candidates = candidates_of([0.9, 0.8, 0.7])
    urns = (Urn(0, 3, 1),)
    plan = Plan(urns=urns, log_weights=np.zeros(3), slots=slots_of(urns, candidates))
    for noise in (None, np.array([0.5, 0.5])):
        with pytest.raises(ParameterError, match="3 slots"):
            draw(plan, candidates, noise)
