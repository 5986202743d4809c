from fractions import Fraction

import numpy as np
import pytest

from privet.errors import ParameterError
from privet.testing.enumeration import drawn_sets
from privet.urns import wallenius

WEIGHTS = [
    ([1, 1, 1, 100], 1),
    ([1, 1, 1, 100], 2),
    ([1, 1, 1, 100], 3),
    ([1, 2, 3, 4, 5, 6], 3),
    ([10**6, 1000, 1, 1, Fraction(1, 1000)], 2),
    ([10**6, 1000, 1, 1, Fraction(1, 1000)], 4),
    ([7, 7, 7, 7, 7], 2),
    ([Fraction(1, 10**12), 1, 10**12], 2),
]


@pytest.mark.parametrize(("weights", "k"), WEIGHTS)
def test_inclusion_is_that_of_the_enumeration(weights, k):
    """Integrals against exact rational sums, for weights far apart too."""
    weights = [Fraction(weight) for weight in weights]
    chances = drawn_sets(weights, k)
    expected = [float(sum(chance for chosen, chance in chances.items() if i in chosen)) for i in range(len(weights))]
    logs = np.array([np.log(float(weight)) for weight in weights])
    assert wallenius.inclusion(logs, k) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("weights", "k"), WEIGHTS)
def test_probabilities_are_those_of_the_enumeration(weights, k):
    """Every set, relative to its exact probability, the tiny ones too; together they are 1."""
    weights = [Fraction(weight) for weight in weights]
    logs = np.array([np.log(float(weight)) for weight in weights])
    found = {chosen: wallenius.log_probability(logs, np.array(chosen)) for chosen in drawn_sets(weights, k)}
    for chosen, chance in drawn_sets(weights, k).items():
        assert found[chosen] == pytest.approx(np.log(float(chance)), abs=1e-10)
    assert sum(np.exp(list(found.values()))) == pytest.approx(1, abs=1e-10)


@pytest.mark.parametrize(("n", "k", "spread"), [(60, 20, 0.01), (200, 50, 8), (50, 49, 3), (300, 5, 2)])
def test_inclusion_sums_to_the_draws_and_follows_the_weights(n, k, spread):
    """Larger lists: chances sum to k and never fall where weights rise."""
    logs = np.linspace(0, spread, n)
    chances = wallenius.inclusion(logs, k)
    assert chances.sum() == pytest.approx(k, abs=1e-9)
    assert (np.diff(chances) >= -1e-13).all()
    assert wallenius.inclusion(logs + 500, k) == pytest.approx(chances, abs=1e-9)


def test_nobody_and_everybody():
    """Drawing none or all leaves nothing to chance."""
    logs = np.array([0.0, 1.0, 2.0])
    assert wallenius.inclusion(logs, 0).tolist() == [0, 0, 0]
    assert wallenius.inclusion(logs, 3).tolist() == [1, 1, 1]
    assert wallenius.inclusion(np.empty(0), 0).tolist() == []
    assert wallenius.log_probability(logs, np.arange(3)) == 0
    assert wallenius.log_probability(logs, np.empty(0, int)) == 0


def test_weights_too_far_apart_are_refused():
    """Where the smallest weight would be no number, the answer is a refusal and not a wrong figure."""
    with pytest.raises(ParameterError, match="within 600"):
        wallenius.inclusion(np.array([0.0, 0.0, -700.0]), 2)
