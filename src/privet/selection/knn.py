"""KNN: the k nearest neighbours, surely."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from privet.similarity import Candidates
from privet.urns import Plan, Urn, slots_of


@dataclass(frozen=True)
class KNN:
    """The k nearest. The paper's baseline, which the k nearest neighbour attack reads like a book."""

    one_swap: ClassVar[bool] = True

    def depth(self, n: int, k: int) -> int:
        """How far the list must be ordered."""
        return min(n, k)

    def plan(self, candidates: Candidates, k: int) -> Plan:
        """One urn, emptied."""
        size = min(k, len(candidates))
        urns = (Urn(0, size, size),) if size else ()
        return Plan(urns=urns, log_weights=np.zeros(len(candidates)), slots=slots_of(urns, candidates))
