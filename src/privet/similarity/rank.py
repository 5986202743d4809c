"""Rank: one target's other users, nearest first."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from privet.arrays import FloatArray, IntArray
from privet.privacy import Bound, Noise
from privet.ratings import Ratings, Target
from privet.similarity.cosine import Cosine, cosine
from privet.similarity.protocol import Similarity, terms_of
from privet.similarity.rs import rs
from privet.world import World


@dataclass(frozen=True, eq=False, kw_only=True)
class Candidates:
    """Everybody but the target: the first `ordered` of them nearest first, the rest behind them by row.

    A selector reads this and nothing else.
    """

    rows: IntArray
    similarities: FloatArray
    ordered: int
    bound: Bound | None  # the similarity's global sensitivity
    released: bool  # whether the similarities are private already
    rs: Callable[[IntArray], FloatArray]  # Eq. (3) of the candidates in these places

    def __len__(self) -> int:
        """How many."""
        return len(self.rows)


def rank(
    ratings: Ratings,
    target: Target,
    similarity: Similarity = cosine,
    *,
    world: World | None = None,
    noise: Noise | None = None,
    depth: int | None = None,
) -> Candidates:
    """The other users by similarity, descending, ties by row; ordered to `depth` at least, or to the end.

    The target's own row is left out because it is the target's, whatever the similarity says of it.
    """
    profile = ratings.profile(target)
    similarities = similarity(ratings, profile, world=world, noise=noise)
    rows = np.arange(len(similarities))
    if profile.row is not None:
        ratings.users.check_row(profile.row)
        rows = np.delete(rows, profile.row)
    depth = len(rows) if depth is None else min(max(depth, 0), len(rows))
    rows = nearest_first(rows, similarities[rows], depth)
    bound = similarity.bound(terms_of(ratings, profile))

    def sensitivities(positions: IntArray) -> FloatArray:
        # Eq. (3) is a statement about the co-rated cosine; of any other similarity only the bound is known.
        if type(similarity) is Cosine:
            return rs(ratings, profile, rows[positions])
        return np.full(len(positions), 1.0 if bound is None else bound.widest)

    return Candidates(
        rows=rows,
        similarities=similarities[rows],
        ordered=depth,
        bound=bound,
        released=similarity.released,
        rs=sensitivities,
    )


def nearest_first(rows: IntArray, similarities: FloatArray, depth: int) -> IntArray:
    """Ascending rows, reordered: the nearest to this depth first, ties by row, and behind them the rest as it was."""
    if depth == len(rows):
        return rows[np.argsort(-similarities, kind="stable")]
    if depth == 0:
        return rows
    least = -np.partition(-similarities, depth - 1)[depth - 1]
    near = np.flatnonzero(similarities >= least)
    head = near[np.argsort(-similarities[near], kind="stable")][:depth]
    return np.concatenate([rows[head], np.delete(rows, head)])
