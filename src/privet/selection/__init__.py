"""Ways of choosing neighbours, by name."""

from collections.abc import Mapping
from typing import Protocol

from privet.selection.knn import KNN
from privet.selection.ppns import PPNS
from privet.similarity import Candidates
from privet.urns import Plan


class Selector(Protocol):
    """Settings that turn candidates into a plan. It draws nothing and reads nothing else."""

    @property
    def one_swap(self) -> bool:
        """Whether replacing one candidate changes at most one neighbour."""

    def depth(self, n: int, k: int) -> int:
        """How far a list of n candidates must be ordered."""

    def plan(self, candidates: Candidates, k: int) -> Plan:
        """Which stretches are urns, how many leave each, by which weights."""


SELECTORS: Mapping[str, type[Selector]] = {"knn": KNN, "ppns": PPNS}

__all__ = ["KNN", "PPNS", "SELECTORS", "Selector"]
