"""Times: what a text may be that says when."""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pyarrow as pa

from privet.formats.places import LATEST

WHOLE = re.compile(r"-?[0-9]+")
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
WANTED = "a timestamp must be a number of seconds up to the year 9999, or a date like the first"


def kind_of_times(texts: list[str]) -> Any:
    """The Arrow type that holds these times: whole seconds, seconds, or dates with a zone or without."""
    kind: Any = pa.int64()
    for text in texts:
        if WHOLE.fullmatch(text):
            continue
        if NUMBER.fullmatch(text):
            kind = pa.float64()
        elif (moment := _moment(text)) is not None:
            return pa.timestamp("us", "UTC") if moment.tzinfo else pa.timestamp("us")
    return kind


def in_seconds(read: Callable[[Any], Any], kind: Any) -> Any:
    """What is read with times of this kind; where whole seconds turn to fractions, with those."""
    try:
        return read(kind)
    except pa.ArrowInvalid:
        if kind != pa.int64():
            raise
        return read(pa.float64())


def is_time(text: str, kind: Any) -> bool:
    """Whether a text is a time of this kind."""
    if not pa.types.is_timestamp(kind):
        return bool(NUMBER.fullmatch(text.strip(" \t"))) and abs(float(text)) <= LATEST
    moment = _moment(text)
    return moment is not None and (moment.tzinfo is None) == (kind.tz is None)


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None
