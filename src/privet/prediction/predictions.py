"""Predictions, and what makes them."""

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from privet.arrays import AnyArray, FloatArray, IntArray
from privet.privacy import Noise
from privet.ratings import Profile, Ratings
from privet.urns import Neighbours

BASES = ("neighbours", "user mean", "item mean", "global mean", "middle of the scale", "own rating")
"""On what an answer rests; a predictor that falls back says to what."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Predictions:
    """One answer per item asked for."""

    values: FloatArray
    half_widths: FloatArray  # not a number where nothing is known
    raters: IntArray  # how many neighbours rated the item
    basis: AnyArray  # words of BASES

    def __len__(self) -> int:
        """How many."""
        return len(self.values)

    def answering(self, which: AnyArray, values: FloatArray, basis: str) -> "Predictions":
        """The same answers with some of them replaced by what is known without neighbours."""
        taken = self.values.copy()
        half_widths, raters, bases = self.half_widths.copy(), self.raters.copy(), self.basis.copy()
        taken[which] = values
        half_widths[which] = 0.0
        raters[which] = 0
        bases[which] = basis
        return Predictions(values=taken, half_widths=half_widths, raters=raters, basis=bases)


class Predictor(Protocol):
    """Settings that turn neighbours into answers."""

    @property
    def answers(self) -> Literal["ratings", "scores"]:
        """Whether its values are ratings on the scale, or scores that only rank."""

    def predict(
        self,
        ratings: Ratings,
        profile: Profile,
        neighbours: Neighbours | None,
        items: IntArray,
        *,
        world: object = None,
        noise: Noise | None = None,
    ) -> Predictions:
        """One answer for each of these item rows."""


def fallbacks(ratings: Ratings, profile: Profile, items: IntArray) -> tuple[FloatArray, AnyArray]:
    """What can be said of items without neighbours, and its basis: the user's mean, the item's, that of everything."""
    if len(profile):
        return np.full(len(items), profile.values.mean()), np.full(len(items), "user mean", "U20")
    return without_person(ratings, items)


def without_person(ratings: Ratings, items: IntArray) -> tuple[FloatArray, AnyArray]:
    """What can be said of items whoever asks, and its basis: the item's mean, or that of everything."""
    means = ratings.item_means[items]
    everything = "global mean" if len(ratings) else "middle of the scale"
    known = ~np.isnan(means)
    return np.where(known, means, ratings.mean), np.where(known, "item mean", everything).astype("U20")
