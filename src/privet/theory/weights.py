"""Weights: from similarities to log-weights."""

import numpy as np

from privet.arrays import FloatArray

SMALLEST_RS = 2.0**-20
"""Below it a sensitivity counts as this: on scales with both signs RS is 0 where two users agree to the letter, and
the weight of Eq. (1) would be infinite. At this value a neighbour is as good as sure at any epsilon worth the name."""


def exponential(similarities: FloatArray, rs: FloatArray, *, epsilon: float, k: int) -> FloatArray:
    """The log-weights of the exponential mechanism, its budget shared by k draws.

    Paper: Eq. (1), Eq. (2)
    Departs: rs-clamped
    """
    log_weights: FloatArray = epsilon * similarities / (4 * k * np.maximum(rs, SMALLEST_RS))
    return log_weights
