"""Partitions: how many neighbours PPNS takes from each stretch of k candidates."""

from math import ceil
from typing import Literal

import numpy as np

from privet.errors import Unattainable
from privet.urns import Urn

_ROUNDING = 1e-9  # .07 * 100 is a little more than 7, and its ceiling must not be 8
_GRID = 10_000  # shares tried when one has to be named: four digits


def quotas(n: int, k: int, p: float) -> list[int]:
    """The numbers taken from the partitions visited: the ceiling of p (1-p)^(j-1) k, clipped so that k - 1 come out.

    Fewer come out where the partitions are exhausted before. The last neighbour is not among them.

    Paper: Algorithm 1, lines 6-15
    Departs: quotas-clipped
    """
    taken: list[int] = []
    for start in range(0, n, k):
        left = k - 1 - sum(taken)
        if left <= 0:
            break
        share = p * (1 - p) ** len(taken) * k
        taken.append(min(max(1, ceil(share - _ROUNDING)), left, n - start))
    return taken


def partitioned(n: int, k: int, p: float, *, short: Literal["refuse", "fill"]) -> tuple[Urn, ...]:
    """The urns of PPNS: the partitions visited, and everybody behind them for the last neighbour.

    With p = 1 it is the k nearest, with k candidates or fewer all of them. Where the partitions run out, "refuse"
    raises and "fill" takes what is missing from the nearest partition, by its weights like the others.

    Paper: Algorithm 1
    Departs: quotas-clipped, p-one-is-knn
    """
    if k <= 0 or n <= 0:
        return ()
    if n <= k or p == 1:
        return (Urn(0, min(n, k), min(n, k)),)
    taken = quotas(n, k, p)
    behind = len(taken) * k
    urns = [Urn(j * k, min((j + 1) * k, n), draws) for j, draws in enumerate(taken)]
    if sum(taken) == k - 1 and behind < n:
        return (*urns, Urn(behind, n, 1))
    if short == "refuse":
        raise _exhausted(n, k, p, sum(taken))
    # The first partition holds k candidates, so there is always room in it.
    return (urns[0]._replace(draws=taken[0] + k - sum(taken)), *urns[1:])


def feasible_from(n: int, k: int) -> tuple[float, float]:
    """The smallest share that Algorithm 1 can carry out, to four digits, and the one from which all larger ones can.

    The shares in between need not: a larger one may round up less often.
    """
    shares = np.arange(1, _GRID + 1) / _GRID
    before_last = range(max(0, ceil(n / k) - 1))  # an unvisited partition must be left for the last neighbour
    taken = np.zeros(len(shares))
    for j in before_last:
        taken += np.maximum(1, np.ceil(shares * (1 - shares) ** j * k - _ROUNDING))
    able = taken >= k - 1
    able[-1] = True  # p = 1 is the k nearest
    unable = np.flatnonzero(~able)
    return float(shares[np.argmax(able)]), float(shares[unable[-1] + 1 if len(unable) else 0])


def _exhausted(n: int, k: int, p: float, found: int) -> Unattainable:
    smallest, steady = feasible_from(n, k)
    which = f"{steady:g} or more" if smallest == steady else f"{steady:g} or more ({smallest:g} is the smallest)"
    return Unattainable(
        f"PPNS needs k - 1 = {k - 1} neighbours from its partitions and one candidate behind them; with p={p:g} and"
        f" {n} candidates they yield {found} and nobody is left. Take p of {which}, a smaller k, or short='fill'."
    )
