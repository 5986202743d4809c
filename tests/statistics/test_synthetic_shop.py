"""A made-up shop is like a real one where it matters: popularity, activity, values, and neighbours worth finding.

Fixed seeds, so nothing here fails by chance; the margins were chosen after looking at ten other seeds.
"""

import numpy as np
import pytest

from privet.arrays import FloatArray
from privet.lab.synthetic import synthetic


@pytest.fixture(scope="module")
def table() -> FloatArray:
    """Ratings of the shape of ml-100k, users x items, 0 where there is none."""
    ratings = np.zeros((943, 1_682))
    for user, item, value, _ in synthetic(943, 1_682, 100_000, seed=1).blocks():
        ratings[user - 1, item - 1] = value
    return ratings


def test_popularity_has_a_long_tail(table: FloatArray) -> None:
    """As in ml-100k: the first item with half of the users, a tenth of the items with two fifths of all ratings."""
    popularity = np.sort((table > 0).sum(axis=0))[::-1]
    assert 0.45 < popularity[0] / 943 < 0.75
    assert 0.35 < popularity[:168].sum() / 100_000 < 0.6
    assert 1.2e7 < (popularity.astype(float) ** 2).sum() < 2.2e7


def test_activity_is_skewed(table: FloatArray) -> None:
    """The median user rates less than the mean, the busiest many times as much, the idlest something."""
    activity = (table > 0).sum(axis=1)
    assert activity.min() >= 20
    assert np.median(activity) < 0.85 * activity.mean()
    assert activity.max() > 4 * activity.mean()


def test_values_lean_to_the_good(table: FloatArray) -> None:
    """Mean about 3.5, four the most frequent or nearly so, one the rarest."""
    shares = np.bincount(table[table > 0].astype(int), minlength=6)[1:] / 100_000
    assert 3.3 < table[table > 0].mean() < 3.7
    assert shares.argmin() == 0
    assert shares[2:].min() > shares[:2].max()


def test_neighbours_beat_the_item_mean(table: FloatArray) -> None:
    """The fifty nearest by co-rated cosine err less than the item means, and by agreement much less."""
    hidden = (table > 0) & (np.random.default_rng(0).random(table.shape) < 0.2)
    known = np.where(hidden, 0, table)
    rated = (known > 0).astype(float)
    item_means = known.sum(axis=0) / np.maximum(rated.sum(axis=0), 1)
    both = rated @ rated.T

    def error(predicted: FloatArray) -> float:
        return float(np.abs(predicted - table)[hidden].mean())

    def nearest_fifty(similarities: FloatArray) -> FloatArray:
        np.fill_diagonal(similarities, -1)
        places = np.argsort(-similarities, axis=1, kind="stable")[:, :50]
        weights = np.zeros_like(similarities)
        np.put_along_axis(weights, places, np.maximum(np.take_along_axis(similarities, places, 1), 0), 1)
        total = weights @ rated
        answers: FloatArray = np.where(total > 0, (weights @ known) / np.maximum(total, 1e-9), item_means)
        return answers

    cosine = known @ known.T / np.sqrt(np.maximum((known**2 @ rated.T) * (rated @ (known**2).T), 1))
    close = sum((known == value).astype(float) @ (known == value).astype(float).T for value in range(1, 6))
    agreement = np.asarray(close) / (both + 10)
    by_items = error(np.broadcast_to(item_means, table.shape))
    assert error(nearest_fifty(cosine)) < 0.96 * by_items
    assert error(nearest_fifty(agreement)) < 0.85 * by_items
