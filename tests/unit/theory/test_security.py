import numpy as np
import pytest

from privet.theory import beta_formula, expected_last_partition, partition_of, partitioned, partitions_used
from privet.urns import Plan

SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def test_the_formula_of_the_paper():
    """Eq. (20) for k = 50, p = .1 to 1."""
    expected = (26.1, 15.7, 11.1, 8.3, 6.6, 5.3, 4.4, 3.4, 2.5, 1.0)
    assert [beta_formula(50, p) for p in SHARES] == pytest.approx(expected, abs=0.05)


def test_the_formula_never_exceeds_k():
    """Where p k is below 3/2 the literal Eq. (18) gives a partition before the first, and beta above k."""
    assert beta_formula(50, 0.02) == 50
    assert all(beta_formula(k, p) <= k for k in range(1, 60) for p in np.linspace(0.01, 1, 34))


def test_the_partitions_used():
    """Algorithm 1 with 942 candidates: those visited and one for the last; p = 1 is kNN and uses one."""
    used = [partitions_used(partitioned(942, 50, p, short="refuse")) for p in SHARES]
    assert used == [17, 11, 8, 7, 5, 5, 4, 4, 3, 1]


def test_the_partition_of_the_last_neighbour():
    """Partitions count from 1; the expected last one lies between 11 and 18 for every p of the table."""
    assert [partition_of(place, 50) for place in (0, 49, 50, 941)] == [1, 1, 2, 19]
    for p in SHARES[:-1]:
        urns = partitioned(942, 50, p, short="refuse")
        plan = Plan(urns=urns, log_weights=np.zeros(942), slots=np.empty(0, int))
        assert 10.5 < expected_last_partition(plan, 50) < 18.5
    assert expected_last_partition(Plan(urns=(), log_weights=np.empty(0), slots=np.empty(0, int)), 50) == 0


def test_the_expected_last_partition_by_hand():
    """k = 2, p = .5, six candidates: one of the first two, the last from four, the far ones twice as heavy."""
    urns = partitioned(6, 2, 0.5, short="refuse")
    plan = Plan(urns=urns, log_weights=np.log([1, 1, 1, 1, 2, 2]), slots=np.empty(0, int))
    assert expected_last_partition(plan, 2) == pytest.approx((2 + 2 + 2 * 3 + 2 * 3) / 6)
