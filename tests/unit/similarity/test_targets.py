"""Targets at the edge of what ratings know: no ratings at all, and profiles of another catalogue."""

import subprocess
import sys

import numpy as np
import pytest

from privet.ratings import Profile, Ratings
from privet.similarity import SIMILARITIES, rank, rs
from privet.world import World

every_similarity = pytest.mark.parametrize("name", SIMILARITIES)
WORLD = World(3.0, [0.5, -0.5, 0])
NOBODY = Ratings.of([], [], [], users=range(4), items=list("abc"), scale=(1, 5))
EMPTY = Profile(np.empty(0, np.int64), np.empty(0))


@every_similarity
def test_before_the_first_rating_everybody_is_at_0(name):
    """A shop that opens has users, items and no rating: a stranger with a taste has candidates all the same."""
    for target in (NOBODY.stranger({"a": 5, "c": 1}), EMPTY, 0):
        assert SIMILARITIES[name]()(NOBODY, target, world=WORLD).tolist() == [0, 0, 0, 0]
    assert rank(NOBODY, NOBODY.stranger({"a": 5}), SIMILARITIES[name](), world=WORLD).rows.tolist() == [0, 1, 2, 3]


def test_before_the_first_rating_rs_is_the_bound():
    """Nothing is common to anybody."""
    for target in (NOBODY.stranger({"a": 5, "c": 1}), EMPTY, 0):
        assert rs(NOBODY, target).tolist() == [1, 1, 1, 1]
        assert rs(NOBODY, target, np.array([2, 2])).tolist() == [1, 1]


@every_similarity
@pytest.mark.parametrize("values", [np.arange(1, 6.0), np.linspace(1, 5, 50)], ids=["grid", "floats"])
def test_an_empty_profile_is_at_0_from_everybody(name, values):
    """Nothing is common, and nothing fails, on the grid and off it."""
    users = np.arange(len(values)) % 10
    ratings = Ratings.of(users, np.arange(len(values)), values, items=range(50), users=range(10), scale=(1, 5))
    world = World(3.0, np.zeros(50))
    assert SIMILARITIES[name]()(ratings, EMPTY, world=world).tolist() == [0] * 10
    assert rs(ratings, EMPTY).tolist() == [1] * 10


@pytest.mark.parametrize("value", [4, 3.14159], ids=["grid", "floats"])
def test_a_profile_of_another_catalogue_is_refused(value):
    """An item beyond the registry is an error of ours, whatever the similarity; in a process of its own, in case.

    The loops below read where they are told: what they would find beyond the end is not theirs.
    """
    command = f"""
import numpy as np
from privet.errors import InputError
from privet.ratings import Profile, Ratings
from privet.similarity import SIMILARITIES, rs
from privet.world import World
values = np.linspace(1, 5, 60) if {value} != 4 else np.arange(60) % 5 + 1
ratings = Ratings.of(np.arange(60) % 20, np.arange(60) // 20, values, users=range(20), items=range(3), scale=(1, 5))
stranger = Profile(np.array([1, 3]), np.array([4.0, {value}]))
for name, kind in [*SIMILARITIES.items(), ("rs", lambda: rs)]:
    try:
        kind()(ratings, stranger, **({{}} if name == "rs" else {{"world": World(3.0, [0, 0, 0])}}))
    except Exception as problem:
        print(name, isinstance(problem, InputError), flush=True)
    else:
        print(name, "answers", flush=True)
"""
    done = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=False)
    assert done.stdout.split("\n")[:-1] == [f"{name} True" for name in [*SIMILARITIES, "rs"]], done.returncode
