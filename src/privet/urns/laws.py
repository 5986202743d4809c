"""The laws of drawing, by name. A law holds its sampler and its probabilities together."""

from collections.abc import Mapping
from typing import Protocol

from privet.arrays import FloatArray, IntArray
from privet.urns import wallenius


class Law(Protocol):
    """A law of drawing without replacement. Weights are logarithms, and only their differences count."""

    def draw(self, log_weights: FloatArray, draws: int, noise: FloatArray) -> IntArray:
        """The places of those drawn, ascending; one uniform number of noise for each place."""

    def inclusion(self, log_weights: FloatArray, draws: int) -> FloatArray:
        """The exact probability of each place to be among those drawn."""

    def log_probability(self, log_weights: FloatArray, chosen: IntArray) -> float:
        """The logarithm of the exact probability that these places and no others are drawn."""


LAWS: Mapping[str, Law] = {"wallenius": wallenius}
