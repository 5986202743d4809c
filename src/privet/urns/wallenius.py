"""Wallenius' law: one after another, each time by weight among those who are left.

Everybody has a clock that rings once, at a rate equal to the weight: the order of ringing is that of the draws. The
race makes the sampler a sort and the probabilities integrals over the time t, taken here over y = log t.

Paper: Eq. (7), Eq. (8), Eq. (13)-(17)
"""

from collections.abc import Callable

import numpy as np

from privet.arrays import FloatArray, IntArray
from privet.errors import ParameterError

_WIDEST = 600.0  # of log-weights; beyond about 700 the smallest weight is no positive double
_FORGOTTEN = 40.0  # e^-40 is 4e-18: what is cut off an integral does not reach its last digit
_NODES = 32
_EXACT = 1e-12
_DOUBLINGS = 8
_TABLE = 1 << 22  # doubles in one table of prefixes: 32 MiB


def draw(log_weights: FloatArray, draws: int, noise: FloatArray) -> IntArray:
    """The places of those drawn, ascending: the first to ring are the largest log-weights plus Gumbel noise."""
    keys = log_weights - np.log(-np.log(noise))
    return np.sort(np.argsort(-keys, kind="stable")[:draws])


def inclusion(log_weights: FloatArray, draws: int) -> FloatArray:
    """The exact probability of each to be drawn; they sum to `draws`.

    Somebody is drawn who rings at t while fewer than `draws` others have: the integral of w e^(-wt) P(N(t) < draws).

    Paper: Eq. (10)
    """
    n = len(log_weights)
    if draws <= 0 or draws >= n:
        return np.full(n, float(draws > 0))
    weights = _weights(log_weights)
    if draws == 1:
        chances: FloatArray = weights / weights.sum()
        return chances
    low, high = _window(weights, draws)
    panels = max(1, int(np.ceil((high - low) / 2)))
    for _ in range(_DOUBLINGS):
        # Before the window nobody else matters: fewer than `draws` have rung by then, to the last digit.
        chances = -np.expm1(-weights * np.exp(low)) + _integral(weights, draws, low, high, panels)
        if abs(chances.sum() - draws) < _EXACT * draws:
            return np.clip(chances, 0.0, 1.0)
        panels *= 2
    raise ArithmeticError(f"the inclusion probabilities of {n} weights do not sum to {draws}")


def log_probability(log_weights: FloatArray, chosen: IntArray) -> float:
    """The logarithm of the exact probability that these places and no others are drawn.

    All of them ring before the first of the rest: the integral of D e^(-Dt) times the product of 1 - e^(-wt),
    with D the weight of the rest. Its integrand over y has one peak; the integral is taken on both sides of it.
    """
    weights = _weights(log_weights)
    inside = weights[chosen]
    rest = float(np.delete(weights, chosen).sum())
    if not len(inside) or len(inside) == len(weights):
        return 0.0

    def slope(y: float) -> float:
        t = np.exp(y)
        with np.errstate(over="ignore"):
            return float(1 - rest * t + (inside * t / np.expm1(inside * t)).sum())

    def height(y: FloatArray) -> FloatArray:
        t = np.exp(y)
        rung = np.log(-np.expm1(-np.multiply.outer(t, inside))).sum(axis=-1)
        return np.asarray(np.log(rest) - rest * t + y + rung)

    peak = _root(slope, -np.log(rest), np.log((len(inside) + 1) / rest))
    top = float(height(np.array(peak)))
    total = 0.0
    for side in (-1.0, 1.0):

        def left_over(distance: float, side: float = side) -> float:
            return float(height(np.array(peak + side * distance))) - top + _FORGOTTEN

        reach = 1.0
        while left_over(reach) > 0:
            reach *= 2
        y, shares = _nodes(0.0, _root(left_over, 0.0, reach), 8)
        total += float(shares @ np.exp(height(peak + side * y) - top))
    return min(0.0, top + float(np.log(total)))


def _weights(log_weights: FloatArray) -> FloatArray:
    if not len(log_weights):
        return np.empty(0)
    spread = float(log_weights.max() - log_weights.min())
    if not spread <= _WIDEST:
        raise ParameterError(
            f"Exact probabilities need log-weights within {_WIDEST:g} of one another; these span {spread:g}."
        )
    return np.asarray(np.exp(log_weights - log_weights.max()))


def _window(weights: FloatArray, draws: int) -> tuple[float, float]:
    # Chernoff: with m expected to have rung, draws or more (m below), and draws or fewer (m above), have
    # probability at most exp(draws - m + draws log(m / draws)). It is 1 at m = draws and falls on both sides.
    def forgotten(log_m: float) -> float:
        return float(draws - np.exp(log_m) + draws * (log_m - np.log(draws)) + _FORGOTTEN)

    def more_than(m: float) -> Callable[[float], float]:
        return lambda y: m - float(-np.expm1(-weights * np.exp(y)).sum())

    earliest = np.log(draws) - _FORGOTTEN - 2
    few = np.exp(_root(lambda log_m: -forgotten(log_m), earliest, np.log(draws)))
    latest = float(np.log(_FORGOTTEN / weights.min()))  # by then even the lightest has rung
    low = _root(more_than(few), float(np.log(few / weights.sum())) - 1, latest)
    many = np.exp(_root(forgotten, np.log(draws), np.log(2 * draws + 10 * _FORGOTTEN)))
    return low, _root(more_than(many), low, latest)


def _integral(weights: FloatArray, draws: int, low: float, high: float, panels: int) -> FloatArray:
    y, shares = _nodes(low, high, panels)
    times = np.exp(y)
    total = np.zeros(len(weights))
    at_once = max(1, _TABLE // (len(weights) * draws))
    for start in range(0, len(times), at_once):
        some = times[start : start + at_once]
        silent = np.exp(-np.multiply.outer(some, weights))
        density = some[:, None] * weights * silent
        total += shares[start : start + at_once] @ (density * _fewer_others(silent, draws))
    return total


def _fewer_others(silent: FloatArray, draws: int) -> FloatArray:
    """For each time and each one, the probability that fewer than `draws` others have rung.

    It joins the counts of those before with those after; every term is positive, so nothing cancels.
    """
    times, n = silent.shape
    rung = 1 - silent
    before = np.empty((n, times, draws))
    nobody = np.zeros((times, draws))
    nobody[:, 0] = 1
    count = nobody
    for one in range(n):
        before[one] = count
        count = _joined(count, rung[:, one, None], silent[:, one, None])
    chances = np.empty((times, n))
    count = nobody
    for one in range(n - 1, -1, -1):
        at_most = np.cumsum(count, axis=1)[:, ::-1]
        chances[:, one] = np.einsum("ta,ta->t", before[one], at_most)
        count = _joined(count, rung[:, one, None], silent[:, one, None])
    return chances


def _joined(count: FloatArray, rung: FloatArray, silent: FloatArray) -> FloatArray:
    joined = count * silent
    joined[:, 1:] += count[:, :-1] * rung
    return joined


def _nodes(low: float, high: float, panels: int) -> tuple[FloatArray, FloatArray]:
    """Gauss-Legendre places and their shares on panels of equal width."""
    places, shares = np.polynomial.legendre.leggauss(_NODES)
    half = (high - low) / panels / 2
    middles = low + half * (2 * np.arange(panels) + 1)
    return (middles[:, None] + half * places).ravel(), np.tile(half * shares, panels)


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where a falling function passes zero; an end of the interval where it does not."""
    for _ in range(80):
        middle = (low + high) / 2
        if falling(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
