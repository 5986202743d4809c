"""WeightedMean: the paper's prediction, the neighbours' ratings weighted by similarity."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from privet.arrays import FloatArray, IntArray
from privet.prediction.predictions import Predictions, fallbacks
from privet.privacy import Noise
from privet.ratings import Profile, Ratings
from privet.urns import Neighbours

_TWO_SIDED = 1.959964  # the normal law holds 95 % within so many standard deviations
_ONE_RATER = 1 + 1e-9  # effective raters, up to rounding


@dataclass(frozen=True)
class WeightedMean:
    """The similarity-weighted mean of the neighbours' ratings of an item.

    An item that no neighbour rated, or only neighbours of similarity 0, is answered by the user's own mean, without
    one by the item's mean, without one by the mean of all ratings; the basis says which. The half-width is 1.96
    standard deviations of one more rating, estimated from the spread of the neighbours' ratings; with fewer than two
    raters nothing is known of it.

    Paper: Eq. (6)
    """

    answers: ClassVar[Literal["ratings", "scores"]] = "ratings"

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
        """One answer for each of these item rows, on the scale."""
        rated, values, weights = _votes(ratings, neighbours)
        # Sums over the whole catalogue are as quick as a search for the items asked for.
        catalogue = len(ratings.items)

        def sums(terms: FloatArray) -> FloatArray:
            return np.bincount(rated, terms, minlength=catalogue).astype(np.float64)

        heights = np.abs(weights)
        total = sums(heights)
        known = total > 0
        safe = np.where(known, total, 1.0)
        means = sums(weights * values) / safe
        spread = sums(heights * (values - means[rated]) ** 2) / safe
        raters = safe**2 / np.where(known, sums(heights**2), 1.0)
        several = known & (raters > _ONE_RATER)
        # One more rating varies by the unbiased variance, and about a mean that varies by a share of it.
        safe_raters = np.where(several, raters, 2.0)
        variance = spread * safe_raters / (safe_raters - 1) * (1 + 1 / safe_raters)
        half_widths = np.where(several, _TWO_SIDED * np.sqrt(variance), np.nan)
        instead, basis = fallbacks(ratings, profile, items)
        basis[known[items]] = "neighbours"
        return Predictions(
            values=np.clip(np.where(known[items], means[items], instead), *ratings.scale),
            half_widths=half_widths[items],
            raters=np.bincount(rated, minlength=catalogue)[items],
            basis=basis,
        )


def _votes(ratings: Ratings, neighbours: Neighbours | None) -> tuple[IntArray, FloatArray, FloatArray]:
    """The neighbours' ratings: of which item, how, and with which weight."""
    if neighbours is None or not len(neighbours):
        return np.empty(0, np.int64), np.empty(0), np.empty(0)
    records = [ratings.cells.of_user(row) for row in neighbours.rows.tolist()]
    return (
        np.concatenate([rated for rated, _ in records]),
        np.concatenate([values for _, values in records]),
        np.repeat(neighbours.similarities * neighbours.weights, [len(rated) for rated, _ in records]),
    )


weighted_mean = WeightedMean()
