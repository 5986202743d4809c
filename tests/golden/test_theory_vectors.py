"""Worked values, to ten digits, from exact rational arithmetic, SciPy and R's BiasedUrn."""

import numpy as np
import pytest

from privet.theory import partitioned
from privet.urns import wallenius

T1 = (1, 2, 3, 4)
T2 = (0.5, 1, 1.5, 2, 4)
T4 = (1.005, 1.004, 1.003, 1.002, 1.001, 1)


@pytest.mark.parametrize(
    ("weights", "k", "means"),
    [
        (T1, 2, (197 / 840, 139 / 315, 73 / 120, 451 / 630)),
        (T2, 3, (431 / 1716, 71285 / 153153, 58717 / 92820, 51424 / 69615, 232819 / 255255)),
        (T4, 3, (0.5009222386, 0.5005537073, 0.5001849029, 0.4998158254, 0.4994464748, 0.4990768509)),
    ],
)
def test_exact_means(weights, k, means):
    """T1, T2 and T4: the chance of each unit to be drawn."""
    assert wallenius.inclusion(np.log(weights), k) == pytest.approx(means, abs=1e-10)


@pytest.mark.parametrize(
    ("weights", "chosen", "chance"),
    [
        (T1, (0, 1), 17 / 360),
        (T1, (0, 3), 1 / 9),
        (T2, (0, 1, 2), 0.008995906055),
        (T4, (0, 1, 2), 0.050277377658),
    ],
)
def test_exact_probabilities(weights, chosen, chance):
    """T1, T2 and T4: the chance of a whole set."""
    found = np.exp(wallenius.log_probability(np.log(weights), np.array(chosen)))
    assert found == pytest.approx(chance, abs=1e-12)


def test_partitioned_selection():
    """PP1: clipped quotas, exact means inside the partitions, and the expected sum of similarities."""
    similarities = np.array([0.95, 0.9, 0.85, 0.8, 0.6, 0.5, 0.4, 0.3, 0.2])
    urns = partitioned(9, 3, 0.5, short="refuse")
    assert [urn.draws for urn in urns] == [2, 1]
    means = np.zeros(9)
    for urn in urns:
        means[urn.start : urn.stop] = wallenius.inclusion(2 * similarities[urn.start : urn.stop], urn.draws)
    assert means == pytest.approx(
        [
            0.7076477837, 0.6677750065, 0.6245772099,
            0.2996223890, 0.2008428936, 0.1644362535, 0.1346290177, 0.1102249170, 0.0902445293,
        ],
        abs=1e-10,
    )  # fmt: skip
    assert means @ similarities == pytest.approx(2.3515432908, abs=1e-10)


def test_partitions_can_do_worse_than_none():
    """Theorem 1 of the paper fails here: alpha 3.000 with partitions, 3.0280 without, at a p that it admits."""
    similarities = np.repeat([1.0, 0.0], [8, 4])
    logs = 0.51681 * similarities
    urns = partitioned(12, 4, 0.4932988246, short="refuse")
    assert [urn.draws for urn in urns] == [2, 1, 1]
    alpha = sum(
        float(wallenius.inclusion(logs[urn.start : urn.stop], urn.draws) @ similarities[urn.start : urn.stop])
        for urn in urns
    )
    assert alpha == pytest.approx(3.0, abs=1e-12)
    assert wallenius.inclusion(logs, 4) @ similarities == pytest.approx(3.0280, abs=5e-5)
