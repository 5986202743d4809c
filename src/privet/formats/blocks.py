"""Blocks: Arrow columns become ids, numbers and times, with the row of what cannot be one."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from privet.arrays import AnyArray, FloatArray, IntArray, RowArray
from privet.formats.places import Place
from privet.formats.words import Words

ArrowArray = Any  # pyarrow ships no types
ArrowTable = Any


_WORDS = 1 << 21  # that may be kept before they are put together


class Fault(Exception):
    """A row, counted from the start of its block, that cannot be what its column claims; None where all cannot."""

    def __init__(self, row: int | None, reason: str):
        super().__init__(reason)
        self.row, self.reason = row, reason


class Ids(NamedTuple):
    """The ids of a block: one code per rating, and the words that the codes stand for."""

    codes: RowArray
    words: ArrowArray


class Block(NamedTuple):
    """Some ratings in columns, in the order in which they stand; nothing in it keeps Arrow's larger buffers alive."""

    users: Ids
    items: Ids
    values: FloatArray | None
    timestamps: IntArray | None

    def __len__(self) -> int:
        """How many ratings."""
        return len(self.users.codes)


class Source(Protocol):
    """Something to read ratings from, once through and a second time to find a place."""

    typed: bool  # whether ids have a type of their own; text files have none

    def blocks(self) -> Iterator[Block]:
        """The ratings, as they stand."""

    def place(self, row: int) -> Place:
        """Where a rating stands."""


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
        ranks[_numpy(order)] = np.arange(len(order), dtype=np.int32)
        codes = np.empty(sum(map(len, self._codes)), np.int32)
        start = 0
        for block in self._codes:
            np.take(ranks, block, out=codes[start : start + len(block)])
            start += len(block)
        self._codes.clear()
        ascending = distinct.take(order)
        del distinct, numbers, order
        pa.default_memory_pool().release_unused()
        return codes, _numpy(ascending) if pa.types.is_integer(ascending.type) else _words(ascending)

    def _merge(self) -> None:
        """Let all codes stand for one array of distinct words; those in it already keep their places."""
        if len(self._words) < 2:
            return
        joined = pa.concat_arrays(self._words).dictionary_encode()
        places = _numpy(joined.indices)
        start = len(self._words[0]) if self._merged else 0
        for number in range(self._merged, len(self._codes)):
            words = len(self._words[number - self._merged + bool(self._merged)])
            self._codes[number] = places[start : start + words][self._codes[number]]
            start += words
        self._merged = len(self._codes)
        self._words = [joined.dictionary]
        del joined, places
        pa.default_memory_pool().release_unused()


def block_of(columns: Mapping[str, ArrowArray]) -> Block:
    """The block that these columns, by role, amount to."""
    return Block(
        _ids(columns["user"], "user"),
        _ids(columns["item"], "item"),
        _numbers(columns["rating"]) if "rating" in columns else None,
        _times(columns["timestamp"]) if "timestamp" in columns else None,
    )


def _ids(column: ArrowArray, side: str) -> Ids:
    _no_nulls(column, f"the {side} id is missing")
    encoded = _encoded(column, side)
    return Ids(_numpy(encoded.indices).copy(), encoded.dictionary)


def _encoded(column: ArrowArray, side: str) -> ArrowArray:
    kind = column.type
    if pa.types.is_dictionary(kind):
        return column
    if pa.types.is_integer(kind):
        try:
            return column.cast(pa.int64()).dictionary_encode()
        except pa.ArrowInvalid:
            raise Fault(None, f"a {side} id does not fit into 64 bits with a sign") from None
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return column.cast(pa.string()).dictionary_encode()
    raise Fault(None, f"{side} ids must be whole numbers or text; the column holds {kind}")


def _numbers(column: ArrowArray) -> FloatArray:
    _no_nulls(column, "the rating is missing")
    kind = column.type
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        raise Fault(None, f"ratings must be numbers; the column holds {kind}")
    return _numpy(column.cast(pa.float64(), safe=False))


def _times(column: ArrowArray) -> IntArray:
    _no_nulls(column, "the timestamp is missing")
    kind = column.type
    if pa.types.is_timestamp(kind):
        return _numpy(pc.floor_temporal(column, unit="second").cast(pa.timestamp("s", kind.tz)).cast(pa.int64()))
    if pa.types.is_date(kind):
        return _numpy(column.cast(pa.timestamp("s")).cast(pa.int64()))
    if pa.types.is_floating(kind):
        seconds = _numpy(column.cast(pa.float64()))
        whole = np.floor(seconds)
        wrong = ~(np.abs(whole) < 2.0**63)
        if wrong.any():
            raise Fault(int(np.argmax(wrong)), f"a timestamp must be a number of seconds; got {seconds[wrong][0]:g}")
        return whole.astype(np.int64)
    if not pa.types.is_integer(kind):
        raise Fault(None, f"timestamps must be numbers of seconds, or dates; the column holds {kind}")
    try:
        return _numpy(column.cast(pa.int64())).copy()
    except pa.ArrowInvalid:
        raise Fault(None, "a timestamp does not fit into 64 bits with a sign") from None


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


def _no_nulls(column: ArrowArray, reason: str) -> None:
    if column.null_count:
        raise Fault(int(np.argmax(_numpy(pc.is_null(column)))), reason)


def _numpy(column: ArrowArray) -> AnyArray:
    array: AnyArray = column.to_numpy(zero_copy_only=False)
    return array
