"""Plan: which stretches of a ranked list are urns, how many leave each, and by which weights."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from privet.arrays import FloatArray, IntArray
from privet.similarity import Candidates


class Urn(NamedTuple):
    """The candidates from place `start` to before `stop`, of whom `draws` are chosen."""

    start: int
    stop: int
    draws: int

    @property
    def size(self) -> int:
        """How many candidates it holds."""
        return self.stop - self.start

    @property
    def sure(self) -> bool:
        """Whether all of them, or none, are chosen, so that there is nothing to draw."""
        return self.draws >= self.size or self.draws <= 0


@dataclass(frozen=True, eq=False, kw_only=True)
class Plan:
    """What a selector decides. Nothing is drawn yet, and all that may be said of the draw follows from it."""

    urns: tuple[Urn, ...]
    log_weights: FloatArray  # one per candidate
    slots: IntArray  # which noise is needed: one slot per candidate in an urn that is not sure
    law: str = "wallenius"
    weights: FloatArray | None = None  # how much each candidate counts once chosen; None: 1

    @property
    def draws(self) -> int:
        """How many neighbours come out."""
        return sum(urn.draws for urn in self.urns)


@dataclass(frozen=True, eq=False, kw_only=True)
class Neighbours:
    """Who was chosen, nearest first."""

    rows: IntArray
    positions: IntArray  # places in the ranked list
    similarities: FloatArray
    weights: FloatArray  # from -1 to 1
    urns: IntArray  # numbers of the urns they left

    def __len__(self) -> int:
        """How many."""
        return len(self.rows)


def slots_of(urns: Sequence[Urn], candidates: Candidates) -> IntArray:
    """The slots of the noise that drawing from these urns needs.

    Within the ordered head a slot is a place; in an urn that reaches the end of the list it is a row, behind all
    places, because such a list need not be ordered to its end and the draw must not depend on how far it is.
    """
    n = len(candidates.rows)
    parts = [
        n + candidates.rows[urn.start : urn.stop] if urn.stop == n else np.arange(urn.start, urn.stop)
        for urn in urns
        if not urn.sure
    ]
    return np.concatenate(parts) if parts else np.empty(0, np.int64)


def slots_in(n: int) -> int:
    """How many slots there are for a list of n candidates: n places, and n + 1 rows, the target's among them."""
    return 2 * n + 1
