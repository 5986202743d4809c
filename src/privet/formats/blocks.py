"""Blocks: Arrow columns become ids, numbers and times, with the row of what cannot be one."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from privet.arrays import AnyArray, FloatArray, IntArray, RowArray
from privet.formats.places import LATEST, MILLISECONDS, Place

ArrowArray = Any  # pyarrow ships no types
ArrowTable = Any


_TICKS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}  # of a second


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
    return Ids(as_numpy(encoded.indices).copy(), encoded.dictionary)


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
    return as_numpy(column.cast(pa.float64(), safe=False))


def _times(column: ArrowArray) -> IntArray:
    _no_nulls(column, "the timestamp is missing")
    kind = column.type
    if pa.types.is_timestamp(kind):
        return np.floor_divide(as_numpy(column.cast(pa.int64())), _TICKS[kind.unit])  # in UTC, whatever the zone
    if pa.types.is_date(kind):
        return as_numpy(column.cast(pa.timestamp("s")).cast(pa.int64()))
    if pa.types.is_floating(kind):
        seconds = as_numpy(column.cast(pa.float64()))
        whole = np.floor(seconds)
        wrong = ~(np.abs(whole) < 2.0**63)
        if wrong.any():
            raise Fault(int(np.argmax(wrong)), f"a timestamp must be a number of seconds; got {seconds[wrong][0]:g}")
        return _within_years(whole.astype(np.int64))
    if not pa.types.is_integer(kind):
        raise Fault(None, f"timestamps must be numbers of seconds, or dates; the column holds {kind}")
    try:
        return _within_years(as_numpy(column.cast(pa.int64())).copy())
    except pa.ArrowInvalid:
        raise Fault(None, "a timestamp does not fit into 64 bits with a sign") from None


def _within_years(seconds: IntArray) -> IntArray:
    """Refuse seconds that are milliseconds or less: they would lie beyond every calendar."""
    beyond = np.abs(seconds) > LATEST
    if beyond.any():
        row = int(np.argmax(beyond))
        raise Fault(row, f"a timestamp must be in seconds; {seconds[row]} lies beyond the year 9999. {MILLISECONDS}")
    return seconds


def _no_nulls(column: ArrowArray, reason: str) -> None:
    if column.null_count:
        raise Fault(int(np.argmax(as_numpy(pc.is_null(column)))), reason)


def as_numpy(column: ArrowArray) -> AnyArray:
    """A column as an array, a view of it where that is possible."""
    array: AnyArray = column.to_numpy(zero_copy_only=False)
    return array
