"""privet: every user's nearest by the co-rated cosine, as lists. CPU of one thread, wall of two."""

import numpy as np
from measuring import NEIGHBOURS, THREADS, report, timed
from opening import opened

from privet.ratings import Ratings
from privet.similarity import cosine, nearest


def neighbours(ratings: Ratings, threads: int) -> tuple[np.ndarray, np.ndarray]:
    rows = np.full((len(ratings.users), NEIGHBOURS), -1)
    similarities = np.full(rows.shape, np.nan)
    for lists in nearest(ratings, NEIGHBOURS, cosine, threads=threads):
        rows[lists.targets] = lists.rows
        similarities[lists.targets] = lists.similarities
    return rows, similarities


_, _, processor = timed(lambda ratings: neighbours(ratings, 1), opened)
(rows, similarities), wall, _ = timed(lambda ratings: neighbours(ratings, THREADS), opened)
report(wall, processor)
assert (rows >= 0).all() and not np.isnan(similarities).any(), "a list is missing"
