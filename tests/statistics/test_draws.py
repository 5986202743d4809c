"""Draws against exact probabilities, every outcome enumerated.

By Bernstein's inequality a frequency among N draws misses its probability by more than t with a chance of at most
2 exp(-N t^2 / (2 p (1 - p) + 2 t / 3)). Each test shares 1e-6 among its outcomes, so the four together, were their
seeds not fixed, would fail a true implementation less than once in 250,000 runs.
"""

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest

from privet.privacy import Label, Stream, Wanted
from privet.selection import PPNS
from privet.similarity import Candidates
from privet.testing.enumeration import drawn_sets
from privet.urns import draw, slots_in, wallenius

DRAWS = 20_000
LABEL = Label(format=1, account="user/ada", epoch=0, snapshot=b"", profile=b"", method=b"")


def misses(counts, chances):
    """The outcomes whose frequency is further from its probability than Bernstein allows."""
    share = np.log(2 * len(chances) / 1e-6)
    found = []
    for outcome, chance in chances.items():
        # The t at which N t^2 = share (2 p (1 - p) + 2 t / 3).
        linear = share / (3 * DRAWS)
        allowed = linear + np.sqrt(linear**2 + 2 * share * chance * (1 - chance) / DRAWS)
        if abs(counts[outcome] / DRAWS - chance) > allowed:
            found.append(outcome)
    return found


def sets(weights, k):
    """The probability of every set of k."""
    return {chosen: float(chance) for chosen, chance in drawn_sets(weights, k).items()}


@pytest.mark.parametrize(("weights", "k"), [((1, 2, 3, 4), 2), ((0.5, 1, 1.5, 2, 4), 3), ((1, 1, 1, 50, 1, 3), 2)])
def test_wallenius_draws_as_often_as_it_says(weights, k):
    """Every set of k, drawn with the product's own noise; a uniform law would be found out."""
    noise = Stream.seeded(5).take(Wanted("select", "uniform", DRAWS * len(weights)), LABEL).reshape(DRAWS, -1)
    logs = np.log(weights)
    counts = Counter(tuple(wallenius.draw(logs, k, row).tolist()) for row in noise)
    chances = sets(weights, k)
    assert misses(counts, chances) == []
    assert misses(counts, dict.fromkeys(chances, 1 / len(chances))) != []


def test_ppns_draws_as_often_as_its_urns_say():
    """Eight candidates, k = 3, p = .5: 2 of the first 3, 1 of the other 5; every neighbourhood of the product law."""
    similarities = np.array([0.95, 0.9, 0.7, 0.6, 0.5, 0.4, 0.3, 0.1])
    candidates = Candidates(
        rows=np.array([6, 2, 0, 8, 1, 5, 3, 7]),
        similarities=similarities,
        ordered=8,
        bound=None,
        released=False,
        rs=lambda positions: np.full(len(positions), 0.5),
    )
    plan = PPNS(p=0.5, epsilon=12).plan(candidates, 3)
    weights = np.exp(12 * similarities / (4 * 3 * 0.5))
    head, tail = sets(weights[:3], 2), sets(weights[3:], 1)
    chances = {
        (*one, other[0] + 3): head[one] * tail[other]
        for one, other in product(combinations(range(3), 2), [(i,) for i in range(5)])
    }
    wanted = Wanted("select", "uniform", slots_in(8))
    stream = Stream.seeded(6)
    counts = Counter()
    for epoch in range(DRAWS):
        label = Label(format=1, account="user/ada", epoch=epoch, snapshot=b"", profile=b"", method=b"")
        found = draw(plan, candidates, stream.take(wanted, label, plan.slots))
        counts[tuple(found.positions.tolist())] += 1
    assert misses(counts, chances) == []
    assert misses(counts, dict.fromkeys(chances, 1 / len(chances))) != []
