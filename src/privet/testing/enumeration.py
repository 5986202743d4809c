"""Enumeration: the probability of every outcome, by adding up all ways to it. For a handful of candidates."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations


def drawn_sets(weights: Sequence[float | Fraction], k: int) -> dict[tuple[int, ...], Fraction]:
    """The exact probability of every set of k that is drawn one by one, each in proportion to its weight.

    >>> drawn_sets([1, 3], 1)
    {(0,): Fraction(1, 4), (1,): Fraction(3, 4)}
    """
    exact = [Fraction(weight) for weight in weights]
    chances = dict.fromkeys(combinations(range(len(exact)), k), Fraction(0))

    def follow(chosen: tuple[int, ...], chance: Fraction) -> None:
        if len(chosen) == k:
            chances[tuple(sorted(chosen))] += chance
            return
        rest = [place for place in range(len(exact)) if place not in chosen]
        left = sum(exact[place] for place in rest)
        for place in rest:
            follow((*chosen, place), chance * exact[place] / left)

    follow((), Fraction(1))
    return chances
