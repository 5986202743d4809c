"""A sweep: the co-rated cosines of all pairs of users, each pair looked at once, the idlest users first.

Users stand in the order of the kernels, the busiest first. A block holds some of them and everybody before them, so
that what it needs of each item's raters is a beginning of their list.
"""

import threading
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from privet.arrays import AnyArray, FloatArray, IntArray
from privet.kernels.similarity.packing import Word, product_table, product_word
from privet.kernels.similarity.postings import Columns, Postings
from privet.progress import Progress
from privet.ratings import Ratings
from privet.similarity.workers import in_turn, shared_out, told

_WHAT = "comparing users"
_LEAST, _MOST = 16, 64  # targets of a block
_AT_ONCE = 1 << 16  # similarities of a block that stay in the second cache


@dataclass(frozen=True, eq=False)
class CosineSweep:
    """Ratings whose cosines can be summed up in single words, and how."""

    ratings: Ratings
    postings: Postings
    columns: Columns
    word: Word
    table: IntArray  # [own rating, code]: what such a common rating adds

    @classmethod
    def over(cls, ratings: Ratings) -> "CosineSweep | None":
        """A sweep over ratings that are small whole numbers, if nobody has too many for the lanes of a word."""
        postings = ratings.postings
        if postings is None or postings.columns is None:
            return None
        whole = postings.columns.whole
        longest, largest = int(np.diff(ratings.cells.user_starts).max(initial=0)), int(whole.max())
        word = product_word(longest, largest)
        if word is None:
            return None
        return cls(ratings, postings, postings.columns, word, product_table(whole, largest, word))

    @property
    def rows(self) -> IntArray:
        """The row of the user at each place."""
        return self.postings.rows

    @property
    def spans(self) -> list[tuple[int, int]]:
        """The first place of each block and the one behind its last, the idlest users first."""
        users = self.postings.users
        size = min(_MOST, max(_LEAST, _AT_ONCE // max(1, users)))
        return [(first, min(first + size, users)) for first in range(0, users, size)][::-1]

    def blocks(self, workers: int, progress: Progress | None) -> Iterator[tuple[int, AnyArray]]:
        """The first place of each block, and its cosines with everybody up to its last place."""
        local = threading.local()

        def block(span: tuple[int, int]) -> tuple[int, AnyArray]:
            return span[0], self._block(*span, local).astype(np.float32)

        return told(in_turn(block, self.spans, workers), _WHAT, len(self.spans), progress)

    def matrix(self, workers: int, progress: Progress | None) -> AnyArray:
        """The cosines of everybody with everybody, by row."""
        from privet.kernels.similarity import compiled_pairs

        local, users = threading.local(), self.postings.users
        found = np.zeros((users, users), np.float32)

        def write(span: tuple[int, int]) -> None:
            first, last = span
            compiled_pairs.spread(self._block(first, last, local), self.rows[first:last], self.rows[:last], found)

        def mirror(first: int) -> None:
            compiled_pairs.mirror(found, first, min(first + size, users))

        shared_out(write, self.spans, workers, _WHAT, progress)
        size = max(_MOST, users // (4 * workers))
        shared_out(mirror, range(0, users, size), workers, _WHAT, None)
        return found

    def nearest(self, k: int, workers: int, progress: Progress | None) -> tuple[AnyArray, AnyArray]:
        """The rows and cosines of the k nearest of every user, by row."""
        from privet.kernels.similarity import compiled_pairs

        local = threading.local()  # each worker keeps lists of its own, which are merged in the end
        lists: list[tuple[FloatArray, AnyArray]] = []
        floors = np.full(self.postings.users, -np.inf)

        def offer(span: tuple[int, int]) -> None:
            if not hasattr(local, "lists"):
                local.lists = self._empty(k)
                lists.append(local.lists)
            compiled_pairs.offer(self._block(*span, local), span[0], self.rows, floors, *local.lists)

        shared_out(offer, self.spans, workers, _WHAT, progress)
        (best, who), *others = lists
        for part in others:
            compiled_pairs.merge(*part, best, who)
        compiled_pairs.settle(best, who)
        rows, similarities = np.empty_like(who), np.empty(best.shape, np.float32)
        rows[self.rows], similarities[self.rows] = who, best
        return rows, similarities

    def _empty(self, k: int) -> tuple[FloatArray, AnyArray]:
        shape = self.postings.users, k
        return np.full(shape, -np.inf), np.full(shape, np.iinfo(np.int32).max, np.int32)

    def _block(self, first: int, last: int, local: threading.local) -> FloatArray:
        """The cosines of the users at these places with everybody before the last; blocks come the last first."""
        from privet.kernels.similarity import compiled, compiled_pairs

        if not hasattr(local, "lasts"):
            local.lasts = self.postings.starts[1:].copy()
            local.room = np.empty(0)
        cells, columns = self.ratings.cells, self.columns
        compiled_pairs.retreat(columns.behind, self.postings.entries, last, local.lasts)
        size = (last - first) * last
        if len(local.room) < size:  # the same memory serves all blocks: to be given it anew costs more than to fill it
            local.room = np.empty(size)
        similarities: FloatArray = local.room[:size].reshape(last - first, last)
        compiled.cosine_block(
            self.rows,
            first,
            cells.user_starts,
            cells.user_items,
            cells.user_values,
            self.postings.entries,
            columns.behind,
            local.lasts,
            columns.whole,
            columns.tiles,
            columns.offsets,
            columns.values,
            self.table,
            self.word.widths,
            similarities,
        )
        return similarities
