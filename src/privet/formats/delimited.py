"""Delimited text: CSV, TSV, `;`, `|`, `::` and blanks, told apart by what stands in the first lines."""

import csv
import math
import re
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.csv as pacsv

from privet.formats.blocks import ArrowTable, Fault
from privet.formats.roles import Naming, NoSuchColumn, header_of, roles_by_position, roles_of
from privet.formats.times import NUMBER, WANTED, in_seconds, is_time, kind_of_times

_SEPARATORS = ("::", "\t", ",", ";", "|")
_BLANKS = " "
_QUOTED = {",", ";", "|"}  # a quotation mark is a mark in these, and a letter elsewhere: titles in TSV begin with one
_STAND_IN = "\x1f"  # the unit separator of ASCII, for separators that are not one byte
_IDS = pa.dictionary(pa.int32(), pa.string())
_SAMPLES = 20  # lines that are looked at before reading
_LONGEST = csv.field_size_limit()


class Delimited:
    """Lines of fields between separators."""

    def __init__(self, head: bytes, naming: Naming):
        lines = _first_lines(head)
        self._separator = _separator(lines)
        first = self._fields(lines[0])
        self._width = len(first)
        named = header_of(first, naming)
        self._roles = roles_of(first, naming) if named else roles_by_position(first, naming)
        self.heading = int(named)
        self._times = self._kind_of_times(lines[self.heading :])

    def parse(self, piece: bytes) -> ArrowTable:
        """The columns, by role, of whole lines."""
        if self._separator in _QUOTED and b'"' in piece:
            return self._read_quoted(piece)
        return self._read(self._plain(piece))

    def blank(self, line: bytes) -> bool:
        """Whether a line holds nothing."""
        return not (line.strip(b" \t") if self._separator == _BLANKS else line)

    def fault(self, line: str) -> str | None:
        """What is wrong with a line, if anything is."""
        if self._separator in ("::", _BLANKS) and _STAND_IN in line:
            return "the control character 0x1F"
        if self._separator in _QUOTED and _open_quote(line, self._separator):
            return "a quoted field that does not end in its line"
        fields = self._fields(line)
        if len(fields) != self._width:
            return f"{len(fields)} fields where {self._width} are expected"
        for side in ("user", "item"):
            if not fields[getattr(self._roles, side)].strip():
                return f"the {side} id is blank"
        if self._roles.rating is not None and not NUMBER.fullmatch(fields[self._roles.rating].strip(" \t")):
            return _not_a_rating(fields[self._roles.rating])
        if self._roles.timestamp is not None and not is_time(fields[self._roles.timestamp], self._times):
            return f"{WANTED}; got {fields[self._roles.timestamp][:60]!r}"
        return None

    def _read_quoted(self, piece: bytes) -> ArrowTable:
        """The columns of lines with quotation marks, each of which must be a rating, wherever the piece was cut.

        A first line once more at the end is swallowed by a field that is open there; a line within is, likewise.
        """
        lines = [line for line in piece.split(b"\n") if line not in (b"", b"\r")]
        table = self._read(b"\n".join([*lines, lines[0], b""]))
        if len(table) != len(lines) + 1:
            raise Fault(None, "a quoted field that does not end in its line")
        return table.slice(0, len(lines))

    def _read(self, piece: bytes) -> ArrowTable:
        return in_seconds(lambda times: self._read_with(piece, times), self._times)

    def _read_with(self, piece: bytes, times: Any) -> ArrowTable:
        roles = self._roles.positions()
        names = [f"column {place}" for place in range(self._width)]
        for role, place in roles.items():
            names[place] = role
        kinds = {"user": _IDS, "item": _IDS, "rating": pa.float64(), "timestamp": times}
        return pacsv.read_csv(
            pa.BufferReader(piece),
            read_options=pacsv.ReadOptions(column_names=names, block_size=len(piece) + 1, use_threads=False),
            parse_options=pacsv.ParseOptions(
                delimiter=_STAND_IN if self._separator in ("::", _BLANKS) else self._separator,
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
        if self._separator not in ("::", _BLANKS):
            return piece
        if _STAND_IN.encode() in piece:
            raise Fault(None, "the control character 0x1F")
        if self._separator == "::":
            return piece.replace(b"::", _STAND_IN.encode())
        apart = _STAND_IN.encode()
        cut = re.sub(rb" +", apart, b"\n" + piece.replace(b"\r\n", b"\n").replace(b"\t", b" ") + b"\n")
        return cut.replace(b"\n" + apart, b"\n").replace(apart + b"\n", b"\n")

    def _fields(self, line: str) -> list[str]:
        return _split(line, self._separator)

    def _kind_of_times(self, lines: Sequence[str]) -> Any:
        place = self._roles.timestamp
        if place is None:
            return None
        rows = [self._fields(line) for line in lines]
        return kind_of_times([fields[place].strip() for fields in rows if len(fields) == self._width])


def _split(line: str, separator: str) -> list[str]:
    if separator == _BLANKS:
        return re.split(r"[ \t]+", line.strip(" \t"))
    if separator in _QUOTED:
        try:
            return next(csv.reader([line], delimiter=separator), [])
        except csv.Error:
            return [line]
    return line.split(separator)


def _separator(lines: Sequence[str]) -> str:
    """The separator that cuts the first line into the most fields, and those that follow into as many."""
    counts = {separator: [len(_split(line, separator)) for line in lines] for separator in _SEPARATORS}
    within = lines[0].strip(" \t")
    cutting = {separator: cut for separator, cut in counts.items() if separator in within and cut[0] > 1}
    steady = {separator: cut for separator, cut in cutting.items() if cut[:2] == cut[:1] * len(cut[:2])}
    if found := steady or cutting:
        return max(found, key=lambda separator: found[separator][0])  # of equals the first
    if len(_split(lines[0], _BLANKS)) > 1:
        return _BLANKS
    raise NoSuchColumn(
        "there is one column only; users and items must be separated by a comma, a tab, ;, |, :: or blanks"
    )


def _open_quote(line: str, separator: str) -> bool:
    try:
        next(csv.reader([line], delimiter=separator, strict=True), [])
    except csv.Error as problem:
        return "end of data" in str(problem)
    return False


def _not_a_rating(text: str) -> str:
    try:
        infinite = not math.isfinite(float(text))
    except ValueError:
        infinite = False
    wanted = "a finite number" if infinite else "a number"
    hint = "; write it with a decimal point" if re.fullmatch(r"-?[0-9]+,[0-9]+", text.strip()) else ""
    return f"a rating must be {wanted}; got {text[:60]!r}{hint}"


def _first_lines(head: bytes) -> list[str]:
    lines = [line.removesuffix(b"\r") for line in head.split(b"\n")]
    found = [line for line in lines if line.strip(b" \t")][:_SAMPLES]
    if len(found[0]) > _LONGEST:
        raise NoSuchColumn(f"a line of {len(found[0]):,} characters; this is no file of ratings, or a damaged one")
    return [line.decode(errors="replace") for line in found if len(line) <= _LONGEST]
