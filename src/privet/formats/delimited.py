"""Delimited text: CSV, TSV, `;`, `|`, `::` and blanks, told apart by what stands in the first lines."""

import csv
import math
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import pyarrow as pa
import pyarrow.csv as pacsv

from privet.formats.blocks import ArrowTable
from privet.formats.roles import Naming, NoSuchColumn, Roles, looks_like_header, roles_by_position, roles_of

_SEPARATORS = ("::", "\t", ",", ";", "|", " ")
_QUOTED = {
    ",",
    ";",
    "|",
}  # a quotation mark is a mark in these, and a letter elsewhere: titles in TSV begin with one
_STAND_IN = "\x1f"  # the unit separator of ASCII, for separators that are not one byte
_IDS = pa.dictionary(pa.int32(), pa.string())
_LONGEST = csv.field_size_limit()  # characters; a longer line is looked at no further
_WHOLE = re.compile(r"-?[0-9]+")


class Delimited:
    """Lines of fields between separators."""

    def __init__(self, head: bytes, naming: Naming):
        lines = list(_first_lines(head))
        if too_long := _too_long(lines[0]):
            raise NoSuchColumn(too_long)
        self._separator = _separator(lines)
        first = self._fields(lines[0])
        self._width = len(first)
        named = not naming.by_position() and _is_header(first, naming)
        positional_header = naming.by_position() and not _is_rating(first, roles_by_position(len(first), naming))
        roles = roles_of(first, naming) if named else roles_by_position(len(first), naming)
        if not named and not naming.by_position() and roles.rating is not None and not _is_rating(first, roles):
            raise NoSuchColumn(
                "the first line is neither a header that names users and items in a usual way nor a rating; name the"
                " columns with user=, item= and rating="
            )
        if not named and not naming.by_position() and roles.rating is None and not any(map(_WHOLE.fullmatch, first)):
            raise NoSuchColumn(
                "the first line may be a header or a pair of ids; name the columns with user= and item=, by name if it"
                " is a header and by position from 0 if not"
            )
        self.heading = _blank_before(head) + int(named or positional_header)
        samples = lines[1:] if self.heading else lines
        self._roles, self._times = roles, self._kind_of_times(samples, roles)

    def parse(self, piece: bytes) -> ArrowTable:
        """The columns, by role, of whole lines."""
        piece = self._plain(piece)
        try:
            return self._read(piece, self._times)
        except pa.ArrowInvalid:
            if self._times != pa.int64():
                raise
            return self._read(piece, pa.float64())  # whole seconds up to here, fractions from here on

    def fault(self, line: str) -> str | None:
        """What is wrong with a line, if anything is."""
        if self._separator != "\t" and len(self._separator) != 1 and _STAND_IN in line:
            return "the control character 0x1F"
        if too_long := _too_long(line):
            return too_long
        fields = self._fields(line)
        if len(fields) != self._width:
            return f"{len(fields)} fields where {self._width} are expected"
        for side in ("user", "item"):
            if not fields[getattr(self._roles, side)].strip():
                return f"the {side} id is blank"
        if self._roles.rating is not None and not _is_number(fields[self._roles.rating]):
            return f"a rating must be a number; got {fields[self._roles.rating][:60]!r}"
        if self._roles.timestamp is not None and not self._is_time(fields[self._roles.timestamp]):
            return f"a timestamp must be a number of seconds, or a date; got {fields[self._roles.timestamp][:60]!r}"
        return None

    def _read(self, piece: bytes, times: Any) -> ArrowTable:
        roles = self._roles.positions()
        names = [f"column {place}" for place in range(self._width)]
        for role, place in roles.items():
            names[place] = role
        kinds = {"user": _IDS, "item": _IDS, "rating": pa.float64(), "timestamp": times}
        return pacsv.read_csv(
            pa.BufferReader(piece),
            read_options=pacsv.ReadOptions(column_names=names, block_size=len(piece) + 1, use_threads=False),
            parse_options=pacsv.ParseOptions(
                delimiter=_STAND_IN if self._separator in ("::", " ") else self._separator,
                quote_char='"' if self._separator in _QUOTED else False,
            ),
            convert_options=pacsv.ConvertOptions(
                include_columns=list(roles),
                column_types={role: kinds[role] for role in roles},
                null_values=[],
                strings_can_be_null=False,
            ),
        )

    def _plain(self, piece: bytes) -> bytes:
        """The lines with a separator of one byte."""
        if self._separator not in ("::", " "):
            return piece
        if _STAND_IN.encode() in piece:
            raise pa.ArrowInvalid("the control character 0x1F")
        if self._separator == "::":
            return piece.replace(b"::", _STAND_IN.encode())
        trimmed = re.sub(rb"(?m)^[ \t]+|[ \t]+(?=\r?$)", b"", piece)
        return re.sub(rb"[ \t]+", _STAND_IN.encode(), trimmed)

    def _fields(self, line: str) -> list[str]:
        return _split(line, self._separator)

    def _kind_of_times(self, lines: Sequence[str], roles: Roles) -> Any:
        if roles.timestamp is None:
            return None
        kind: Any = pa.int64()
        for line in lines:
            fields = self._fields(line)
            time = fields[roles.timestamp].strip() if len(fields) == self._width else "0"
            if _WHOLE.fullmatch(time):
                continue
            if _is_number(time):
                kind = pa.float64()
            elif (moment := _moment(time)) is not None:
                return pa.timestamp("us", "UTC") if moment.tzinfo else pa.timestamp("us")
        return kind

    def _is_time(self, text: str) -> bool:
        if self._times in (pa.int64(), pa.float64()):
            return _is_number(text)
        return _moment(text.strip()) is not None


def _too_long(line: str) -> str | None:
    if len(line) <= _LONGEST:
        return None
    return f"a line of {len(line):,} characters; this is no file of ratings, or a damaged one"


def _split(line: str, separator: str) -> list[str]:
    if separator == " ":
        return line.split()
    if separator in _QUOTED:
        return next(csv.reader([line], delimiter=separator), [])
    return line.split(separator)


def _separator(lines: Sequence[str]) -> str:
    """The first separator that cuts the first two lines into equally many fields, at least two."""
    cutting = [separator for separator in _SEPARATORS if len(_split(lines[0], separator)) > 1]
    if not cutting:
        raise NoSuchColumn(
            "there is one column only; users and items must be separated by a comma, a tab, ;, |, :: or blanks"
        )
    for separator in cutting:
        if len(lines) == 1 or len(_split(lines[0], separator)) == len(_split(lines[1], separator)):
            return separator
    return cutting[0]


def _is_header(fields: Sequence[str], naming: Naming) -> bool:
    given = [name for name in vars(naming).values() if isinstance(name, str)]
    return bool(given) or looks_like_header(fields)


def _is_rating(fields: Sequence[str], roles: Roles) -> bool:
    return roles.rating is None or _is_number(fields[roles.rating])


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text)) and "_" not in text
    except ValueError:
        return False


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _first_lines(head: bytes, count: int = 20) -> Iterator[str]:
    lines = [line.removesuffix(b"\r") for line in head.split(b"\n")]
    for number, line in enumerate([line for line in lines if line][:count]):
        if number == 0 or len(line) <= _LONGEST:
            yield line.decode(errors="replace")


def _blank_before(head: bytes) -> int:
    """How many blank lines stand before the first that is none."""
    lines = head.split(b"\n")
    return next((place for place, line in enumerate(lines) if line.rstrip(b"\r")), 0)
