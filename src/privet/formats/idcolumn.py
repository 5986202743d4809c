"""IdColumn: ids that arrive in blocks, each with its own words, put together in little room."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from privet.arrays import IntArray, RowArray
from privet.formats.blocks import ArrowArray, Ids, as_numpy
from privet.formats.words import Words

_WORDS = 1 << 21  # that may be kept before they are put together


class IdColumn:
    """A column of ids that arrives in blocks, each with its own words.

    The words are put together whenever there may be three times as many as there are different ones, so that a column
    without order takes little more room than one with.
    """

    def __init__(self) -> None:
        self._codes: list[RowArray] = []
        self._words: list[ArrowArray] = []
        self._merged = 0  # blocks whose codes stand for the words in the first place
        self._limit = _WORDS

    def add(self, ids: Ids) -> None:
        """Take the ids of the next block."""
        self._codes.append(ids.codes)
        self._words.append(ids.words)
        if sum(map(len, self._words)) > self._limit:
            self._merge()
            self._limit = max(_WORDS, 3 * len(self._words[0]))

    def finish(self, *, spelt: bool) -> tuple[RowArray, IntArray | Words]:
        """One code per rating, and the distinct ids that the codes stand for, ascending.

        Where they are `spelt` in text they are whole numbers if each is one in its only canonical spelling.
        """
        if not self._codes:
            return np.empty(0, np.int32), np.empty(0, np.int64)
        self._merge()
        distinct = self._words.pop()
        numbers = _canonical_numbers(distinct) if spelt and not pa.types.is_integer(distinct.type) else None
        distinct = distinct if numbers is None else numbers
        order = pc.sort_indices(distinct)  # bytes of UTF-8 sort like the characters they stand for
        ranks = np.empty(len(order), np.int32)
        ranks[as_numpy(order)] = np.arange(len(order), dtype=np.int32)
        codes = np.empty(sum(map(len, self._codes)), np.int32)
        start = 0
        for block in self._codes:
            np.take(ranks, block, out=codes[start : start + len(block)])
            start += len(block)
        self._codes.clear()
        ascending = distinct.take(order)
        del distinct, numbers, order
        pa.default_memory_pool().release_unused()
        return codes, as_numpy(ascending) if pa.types.is_integer(ascending.type) else _words(ascending)

    def _merge(self) -> None:
        """Let all codes stand for one array of distinct words; those in it already keep their places."""
        if len(self._words) < 2:
            return
        joined = pa.concat_arrays(self._words).dictionary_encode()
        places = as_numpy(joined.indices)
        start = len(self._words[0]) if self._merged else 0
        for number in range(self._merged, len(self._codes)):
            words = len(self._words[number - self._merged + bool(self._merged)])
            self._codes[number] = places[start : start + words][self._codes[number]]
            start += words
        self._merged = len(self._codes)
        self._words = [joined.dictionary]
        del joined, places
        pa.default_memory_pool().release_unused()


def _canonical_numbers(texts: ArrowArray) -> ArrowArray | None:
    """Whole numbers, if each text is one in its only canonical spelling: `7`, and neither `007` nor `+7`."""
    try:
        numbers = texts.cast(pa.int64())
    except pa.ArrowInvalid:
        return None
    return numbers if numbers.cast(pa.string()).equals(texts) else None


def _words(texts: ArrowArray) -> Words:
    texts = texts.cast(pa.large_string())
    _, ends, letters = texts.buffers()
    begins = np.frombuffer(ends, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    text = np.frombuffer(letters, np.uint8)[begins[0] : begins[-1]] if letters else np.empty(0, np.uint8)
    return Words(text.copy(), begins - begins[0])
