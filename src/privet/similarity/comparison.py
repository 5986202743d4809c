"""Comparison: one target with everybody, and the sums over common items that similarities are made of."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np

from privet.arrays import FloatArray, IntArray
from privet.errors import RatingsError
from privet.kernels.similarity.plain import product_terms
from privet.kernels.similarity.postings import whole_unit
from privet.ratings import Profile, Ratings
from privet.ratings.scale import outside
from privet.similarity.corated import by_item
from privet.world import World

Lanes: TypeAlias = Callable[[IntArray, FloatArray], FloatArray]
"""What ratings of the target's items, named by their places in its record and by value, add to each of some sums."""
ROUNDING = 1e-12
"""Of a mean: a rating nearer to it than this stands at it, for the mean itself is rounded."""
_EXACT = 2.0**53  # up to it floating point numbers would add up to the same, whatever way is taken


class Sums(NamedTuple):
    """Sums over common items, one line each, and the rows of the users whose they are."""

    lines: FloatArray
    rows: IntArray


@dataclass(frozen=True)
class Comparison:
    """A target, everybody's ratings, and the world that both are seen from, if there is one."""

    ratings: Ratings
    profile: Profile
    world: World | None = None

    def __post_init__(self) -> None:
        """Refuse a profile of other items, for the kernels check nothing, or off the scale, on which bounds rest."""
        items = self.profile.items
        if len(items) and int(items[-1]) >= len(self.ratings.items):
            raise RatingsError(
                f"the profile names item row {int(items[-1])}; these ratings have {len(self.ratings.items):,} items"
            )
        fault = outside(self.profile.values, self.ratings.scale if "scale" in self.ratings.declared else None)
        if fault is not None:
            raise RatingsError(fault[1])

    @cached_property
    def unit(self) -> float | None:
        """What all ratings must be multiplied by to be whole numbers; none where there is no such factor."""
        grid = self.ratings.cells.grid
        return None if grid is None else whole_unit(np.concatenate([grid, self.profile.values]))

    def whole(self, values: FloatArray) -> FloatArray:
        """Ratings, or sums of them, in these units; as they are where there are none."""
        return values if self.unit is None else values * self.unit

    @cached_property
    def own(self) -> FloatArray:
        """The target's ratings in these units."""
        return self.whole(self.profile.values)

    def sums(self, lanes: Lanes) -> Sums:
        """Sums of what every common rating adds: exact where all of that is whole, else in the order of the items."""
        from privet.kernels.similarity import compiled

        postings, users = self.ratings.postings, len(self.ratings.users)
        if postings is not None:
            assert self.ratings.cells.grid is not None
            terms = lanes(np.arange(len(self.profile))[:, None], self.ratings.cells.grid[None, :])
            if np.array_equal(terms, np.rint(terms)) and _most(terms) < _EXACT:
                lines = compiled.common_sums(postings, self.profile.items, terms.astype(np.int64))
                return Sums(lines, postings.rows)
        lines = np.zeros((len(lanes(np.arange(0), np.empty(0))), users))
        for part in by_item(self.ratings, self.profile):
            compiled.scatter(part.users, np.ascontiguousarray(lanes(part.which, part.values), np.float64), lines)
        return Sums(lines, np.arange(users))

    def products(self) -> Sums:
        """The sums of own * theirs, own * own and theirs * theirs over common items, in these units."""
        from privet.kernels.similarity import compiled

        own = self.columnar
        if own is not None:
            assert self.ratings.postings is not None
            return Sums(
                compiled.product_sums(self.ratings.postings, self.profile.items, own), self.ratings.postings.rows
            )
        return self.sums(lambda which, values: product_terms(self.own[which], self.whole(values)))

    def centred(self) -> Sums:
        """The same sums of the deviations of both from the mean of all that they rated, in the order of the items."""
        from privet.kernels.similarity import compiled

        ratings, profile, postings = self.ratings, self.profile, self.ratings.postings
        own = _deviations(profile.values, profile.values.mean() if len(profile) else 0.0)
        lines = np.zeros((3, len(ratings.users)))
        if postings is not None:
            grid = ratings.cells.grid
            assert grid is not None
            means = np.nan_to_num(ratings.user_means[postings.rows])
            compiled.centred_sums(profile.items, own, postings.starts, postings.entries, grid, means, ROUNDING, lines)
            return Sums(lines, postings.rows)
        for users, which, values in by_item(ratings, profile):
            theirs = _deviations(values, ratings.user_means[users])
            compiled.scatter(users, np.ascontiguousarray(product_terms(own[which], theirs)), lines)
        return Sums(lines, np.arange(len(ratings.users)))

    @cached_property
    def columnar(self) -> IntArray | None:
        """The target's ratings as small whole numbers, if everybody's stand in columns of such numbers."""
        postings = self.ratings.postings
        if postings is None or postings.columns is None or self.unit != postings.columns.unit:
            return None
        return postings.columns.own(self.own)


def _deviations(values: FloatArray, means: FloatArray | float) -> FloatArray:
    """How far ratings lie from a mean; 0 where only the rounding of the mean lies between."""
    deviations = values - means
    return np.where(np.abs(deviations) <= ROUNDING * np.abs(means), 0.0, deviations)


def _most(terms: FloatArray) -> float:
    """The most, in either direction, that a sum of terms [lane, item of the target, code] can become."""
    return float(np.abs(terms).max(axis=2, initial=0.0).sum(axis=1).max(initial=0.0))
