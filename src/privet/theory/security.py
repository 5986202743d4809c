"""Security: the three numbers that go by the name of beta. None of them is a guarantee of privacy."""

from collections.abc import Sequence
from math import ceil, log

import numpy as np

from privet.urns import Plan, Urn


def beta_formula(k: int, p: float) -> float:
    """From how many partitions k neighbours come, by the paper's formula.

    Paper: Eq. (18), Eq. (19), Eq. (20)
    Departs: beta-at-least-one-partition
    """
    if p == 1:
        return 1.0
    j = max(1, ceil(1 + (log(1.5) - log(p * k)) / log(1 - p)))
    return (j - 1) + (1 - p) ** (j - 1) * k


def partitions_used(urns: Sequence[Urn]) -> int:
    """How many partitions neighbours come from, by Algorithm 1: those visited, and one for the last neighbour."""
    return sum(1 for urn in urns if urn.draws > 0)


def partition_of(position: int, k: int) -> int:
    """The number of the partition that a place in the ranked list belongs to, from 1; of the last neighbour it is beta.

    Paper: Algorithm 1, line 17
    """
    return position // k + 1


def expected_last_partition(plan: Plan, k: int) -> float:
    """The expected number of the last neighbour's partition: the mean of what Algorithm 1 returns as beta."""
    if not plan.urns:
        return 0.0
    urn = plan.urns[-1]
    if urn.sure:
        return float(partition_of(urn.stop - 1, k))
    weights = np.exp(plan.log_weights[urn.start : urn.stop] - plan.log_weights[urn.start : urn.stop].max())
    partitions = np.arange(urn.start, urn.stop) // k + 1
    return float(weights @ partitions / weights.sum())
