"""What every step does: answer, then answer again against the clock, and report on stdout what that took.

The first answer brings in whatever loads on a first call and touches memory for the first time, which can double the
time of a peer that needs much of it; so it is not counted. What is made of ratings in memory on the way to the answer
is timed, importing and reading are not. Steps run in the peers' environments: nothing of privet is imported here.
"""

import json
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np

THREADS = 2
NEIGHBOURS = 40
MOST_TIMES = 5
LONG = 30.0  # what takes longer is measured once, the first time
ENOUGH = 10.0  # seconds; some arrays get huge pages and some do not, so a median needs a few answers


class Columns(NamedTuple):
    """Ratings as columns of rows."""

    users: np.ndarray
    items: np.ndarray
    ratings: np.ndarray
    shape: tuple[int, int]
    scale: tuple[float, float]


def columns() -> Columns:
    """The set that the command line names by the path of its saved file."""
    with np.load(Path(sys.argv[1]).with_suffix(".npz")) as file:
        shape, scale = file["shape"].tolist(), file["scale"].tolist()
        return Columns(file["users"], file["items"], file["ratings"], tuple(shape), tuple(scale))


def matrix(columns: Columns, kind: type = np.float32) -> Any:
    """Users x items in compressed rows, as the peers that think in matrices hold ratings."""
    from scipy.sparse import csr_matrix

    return csr_matrix((columns.ratings.astype(kind), (columns.users, columns.items)), columns.shape)


def measured(answer: Callable[[Any], Any], ratings: Callable[[], Any]) -> Any:
    """The answer, after the report of what it took."""
    found, wall, processor = timed(answer, ratings)
    report(wall, processor)
    return found


def timed(answer: Callable[[Any], Any], ratings: Callable[[], Any]) -> tuple[Any, float, float]:
    """The answer and its median seconds, of wall and CPU. The ratings are made anew each time: nothing is kept."""
    walls, processors = [], []
    while not walls or (sum(walls[1:]) < ENOUGH and walls[0] < LONG and len(walls) <= MOST_TIMES):
        found, given = None, ratings()
        wall, processor = time.perf_counter(), time.process_time()
        found = answer(given)
        walls.append(time.perf_counter() - wall)
        processors.append(time.process_time() - processor)
    return found, median(walls[1:] or walls), median(processors[1:] or processors)


def report(wall: float, processor: float) -> None:
    """Say what it took, and the peak of the memory so far."""
    print(json.dumps({"wall": wall, "CPU": processor, "peak": peak()}), flush=True)


def peak() -> int:
    """Bytes; not getrusage, whose peak begins with that of the process that started this one."""
    status = Path("/proc/self/status").read_text()
    return 1024 * int(re.search(r"VmHWM:\s+(\d+)", status)[1])


def keep(similarities: np.ndarray) -> None:
    """Write a matrix of all pairs where the command line says."""
    np.save(sys.argv[2], similarities)
