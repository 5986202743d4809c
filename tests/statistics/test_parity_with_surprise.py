"""The co-rated cosine beside another implementation of it, in an environment of its own that the benchmarks make."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from privet.ratings import Ratings
from privet.similarity import cosine, matrix

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
DIFFERENCE = 2e-7  # both matrices hold 32-bit floats


@pytest.fixture(scope="module")
def surprise():
    """Surprise's Python; a machine where it cannot be installed fails the test."""
    program = "from peers import PEERS, installed; peer = PEERS[0]; assert installed(peer); print(peer.python)"
    done = subprocess.run([sys.executable, "-c", program], cwd=BENCHMARKS, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.long
@pytest.mark.parametrize("scale", [(1, 5, 1.0), (0.5, 5, 0.5), (1, 10, 1.0)], ids=str)
@pytest.mark.parametrize("density", [0.02, 0.3])
def test_all_pairs_are_those_of_surprise(surprise, tmp_path, scale, density):
    """Equal on random ratings, the diagonal apart, where Surprise has 1 whether anything was rated or not."""
    low, high, step = scale
    random = np.random.default_rng(1)
    users, items = np.nonzero(random.random((150, 90)) < density)
    values = low + step * random.integers(0, int((high - low) / step) + 1, len(users))
    ratings = Ratings.of(users, items, values, users=range(150), items=range(90), scale=(low, high))
    columns = {"users": users.astype(np.int32), "items": items.astype(np.int32), "ratings": values.astype(np.float32)}
    np.savez(tmp_path / "set.npz", **columns, shape=(150, 90), scale=(low, high))
    step_of_surprise = BENCHMARKS / "steps" / "pairs_scikit_surprise.py"
    words = [surprise, step_of_surprise, tmp_path / "set.privet", tmp_path / "theirs.npy"]
    subprocess.run(words, capture_output=True, check=True)
    differences = np.abs(np.load(tmp_path / "theirs.npy") - matrix(ratings, cosine))
    np.fill_diagonal(differences, 0)
    assert differences.max() <= DIFFERENCE
