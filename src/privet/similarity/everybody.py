"""Everybody with everybody: all pairs and the nearest of each, in blocks, without a matrix of users x users."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from privet.arrays import AnyArray, FloatArray, IntArray
from privet.errors import ParameterError
from privet.progress import Progress
from privet.ratings import Ratings
from privet.settings import is_whole
from privet.similarity.cosine import Cosine, cosine
from privet.similarity.protocol import Similarity
from privet.similarity.rank import nearest_first
from privet.similarity.sweep import CosineSweep
from privet.similarity.workers import in_turn, told, usable_cores
from privet.world import World

_BLOCK = 1 << 20  # similarities: a block of them stays within megabytes


@dataclass(frozen=True, eq=False)
class Block:
    """The similarities of some targets with others, all by row: `similarities[i, j]` is of targets[i] and others[j].

    Where each pair of users was summed up once, for both directions, it comes in one block only: `mirrored`. The
    targets of such a block are the last of its others; of two targets both directions are there.
    """

    targets: IntArray
    others: IntArray
    similarities: AnyArray  # float32
    mirrored: bool


@dataclass(frozen=True, eq=False)
class Lists:
    """The nearest of some targets, a line each, nearest first, ties by row."""

    targets: IntArray
    rows: AnyArray  # int32
    similarities: AnyArray  # float32


def pairs(
    ratings: Ratings,
    similarity: Similarity = cosine,
    *,
    world: World | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Iterator[Block]:
    """All pairs of users, in blocks; the same whatever the number of threads.

    >>> ratings = Ratings.of(["ann", "ann", "bob"], ["tea", "jam", "tea"], [5, 3, 4], scale=(1, 5))
    >>> sum(block.similarities.size for block in pairs(ratings))
    4
    """
    workers = _workers(threads)
    sweep = _sweep(ratings, similarity)
    if sweep is not None:
        return _mirrored(sweep, workers, progress)
    everybody = np.arange(len(ratings.users))
    lines = _lines(ratings, similarity, everybody, world, workers, progress)
    return (Block(targets, everybody, found.astype(np.float32), mirrored=False) for targets, found in lines)


def _mirrored(sweep: CosineSweep, workers: int, progress: Progress | None) -> Iterator[Block]:
    for first, similarities in sweep.blocks(workers, progress):
        last = first + len(similarities)
        yield Block(sweep.rows[first:last], sweep.rows[:last], similarities, mirrored=True)


def matrix(
    ratings: Ratings,
    similarity: Similarity = cosine,
    *,
    world: World | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> AnyArray:
    """All pairs in one matrix of 32-bit floats, users x users: for as many users as there is memory.

    >>> ratings = Ratings.of(["ann", "ann", "bob"], ["tea", "jam", "tea"], [5, 3, 4], scale=(1, 5))
    >>> matrix(ratings).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    workers = _workers(threads)
    sweep = _sweep(ratings, similarity)
    if sweep is not None:
        return sweep.matrix(workers, progress)
    everybody = np.arange(len(ratings.users))
    found = np.zeros((len(everybody), len(everybody)), np.float32)
    for targets, lines in _lines(ratings, similarity, everybody, world, workers, progress):
        found[targets] = lines
    return found


def nearest(
    ratings: Ratings,
    k: int,
    similarity: Similarity = cosine,
    *,
    targets: Iterable[int] | None = None,
    world: World | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Iterator[Lists]:
    """The k nearest of every user, or of some by row, in blocks: the heads of what `rank` gives.

    Of everybody by the co-rated cosine, each pair is looked at once, and the lists come when all have been; otherwise a
    block comes as soon as it is ready.

    >>> ratings = Ratings.of([0, 1, 2, 2], [0, 0, 0, 1], [5, 4, 3, 3], scale=(1, 5))
    >>> [lists.rows.tolist() for lists in nearest(ratings, 1, targets=[2])]
    [[[0]]]
    """
    if not is_whole(k, at_least=1):
        raise ParameterError(f"Lists of the nearest need a whole number k >= 1; got k={k!r}.", name="k", got=k)
    workers = _workers(threads)
    k = min(k, len(ratings.users) - 1)
    sweep = _sweep(ratings, similarity) if targets is None and k > 0 else None
    if sweep is not None:
        return _swept(sweep, k, workers, progress)
    wanted = np.arange(len(ratings.users)) if targets is None else _checked(ratings, targets)
    return _heads(_lines(ratings, similarity, wanted, world, workers, progress), k)


def _swept(sweep: CosineSweep, k: int, workers: int, progress: Progress | None) -> Iterator[Lists]:
    rows, similarities = sweep.nearest(k, workers, progress)
    size = max(1, _BLOCK // k)
    for first in range(0, len(rows), size):
        part = slice(first, first + size)
        yield Lists(np.arange(first, first + len(rows[part])), rows[part], similarities[part])


def _heads(blocks: Iterable[tuple[IntArray, FloatArray]], k: int) -> Iterator[Lists]:
    for targets, lines in blocks:
        heads = [_head(line, target, k) for target, line in zip(targets.tolist(), lines, strict=True)]
        rows = np.array(heads, np.int64).reshape(len(targets), k)
        yield Lists(targets, rows.astype(np.int32), np.take_along_axis(lines, rows, axis=1).astype(np.float32))


def _checked(ratings: Ratings, targets: Iterable[int]) -> IntArray:
    if not isinstance(targets, Iterable):
        raise ParameterError(f"targets are the rows of users, as many as there are; got {targets!r}.", name="targets")
    listed = list(targets)
    for target in listed:
        ratings.users.check_row(target)
    return np.array(listed, np.int64)


def _head(line: FloatArray, target: int, k: int) -> IntArray:
    others = np.delete(np.arange(len(line)), target)
    return nearest_first(others, line[others], k)[:k]


def _lines(
    ratings: Ratings,
    similarity: Similarity,
    targets: IntArray,
    world: World | None,
    workers: int,
    progress: Progress | None,
) -> Iterator[tuple[IntArray, FloatArray]]:
    """The similarities of targets with everybody, a block of targets at a time."""
    fits = getattr(similarity, "fits", None)
    if fits is not None:
        fits(ratings, world)
    size = max(1, min(64, _BLOCK // max(1, len(ratings.users))))
    parts = [targets[first : first + size] for first in range(0, len(targets), size)]

    def lines(part: IntArray) -> FloatArray:
        return np.array([similarity(ratings, target, world=world) for target in part.tolist()])

    found = told(in_turn(lines, parts, workers), "comparing users", len(parts), progress)
    return zip(parts, found, strict=True)


def _sweep(ratings: Ratings, similarity: Similarity) -> CosineSweep | None:
    return CosineSweep.over(ratings) if type(similarity) is Cosine else None


def _workers(threads: int | None) -> int:
    if threads is None:
        return usable_cores()
    if not is_whole(threads, at_least=1):
        raise ParameterError(
            f"threads must be a whole number >= 1; got threads={threads!r}.", name="threads", got=threads
        )
    return threads
