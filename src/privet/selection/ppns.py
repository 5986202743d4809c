"""PPNS: partitioned probabilistic neighbour selection, the paper's method."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from privet.errors import Unattainable
from privet.settings import check, setting
from privet.similarity import Candidates
from privet.theory import exponential, partitioned
from privet.urns import Plan, slots_of


@dataclass(frozen=True)
class PPNS:
    """A share p of the neighbours from the k nearest, a share p of the rest from the next k, and so on; one behind.

    On exact similarities this is a heuristic without a guarantee of differential privacy.

    Paper: Algorithm 1
    """

    p: float = setting(float, "the share taken from the nearest partition", default=0.5, above=0, at_most=1)
    epsilon: float = setting(float, "how strongly the weights of Eq. (1) follow similarity", default=1.0, above=0)
    sensitivity: Literal["pair", "max"] = setting(
        str,
        "whether Eq. (1) divides by the RS of each pair or by the largest of them",
        default="pair",
        choices=("pair", "max"),
    )
    short: Literal["refuse", "fill"] = setting(
        str,
        "what happens when the partitions run out before k neighbours are found",
        default="refuse",
        choices=("refuse", "fill"),
    )
    one_swap: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Check the settings."""
        check(self)

    def depth(self, n: int, k: int) -> int:
        """How far the list must be ordered: the last partition visited. Behind it only weights matter."""
        try:
            urns = partitioned(n, k, self.p, short=self.short)
        except Unattainable:
            return n
        return max((urn.stop for urn in urns if urn.stop < n), default=min(n, k))

    def plan(self, candidates: Candidates, k: int) -> Plan:
        """The partitions as urns, and everybody behind them as one more."""
        urns = partitioned(len(candidates), k, self.p, short=self.short)
        if all(urn.sure for urn in urns):
            log_weights = np.zeros(len(candidates))
        else:
            rs = candidates.rs(np.arange(len(candidates)))
            if self.sensitivity == "max":
                rs = np.full(len(rs), rs.max())
            log_weights = exponential(candidates.similarities, rs, epsilon=self.epsilon, k=k)
        return Plan(urns=urns, log_weights=log_weights, slots=slots_of(urns, candidates))
