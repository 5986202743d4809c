"""NDJSON: one object a line."""

import json
import re
from typing import Any

import pyarrow as pa
import pyarrow.json as pajson

from privet.formats.blocks import ArrowTable, Fault
from privet.formats.roles import Naming, NoSuchColumn, roles_of
from privet.formats.times import WANTED, in_seconds, is_time, kind_of_times

_KINDS: dict[type, Any] = {int: pa.int64(), float: pa.float64(), str: pa.string()}


_NO_OBJECT = re.compile(rb"^[ \t]*[^ \t\r\n{]", re.MULTILINE)


class Ndjson:
    """Lines of JSON objects, whose fields have the types of the first object's."""

    heading: int = 0

    def __init__(self, head: bytes, naming: Naming):
        first = next(line for line in head.split(b"\n") if line.strip())
        try:
            record = json.loads(first)
        except (ValueError, RecursionError) as problem:
            raise NoSuchColumn(f"the first line is no JSON object: {problem}") from None
        if not isinstance(record, dict):
            raise NoSuchColumn("the first line is no JSON object")
        names = list(record)
        roles = roles_of(names, naming)
        self._fields = {role: names[place] for role, place in roles.positions().items()}
        self._kinds: dict[str, type] = {}
        for role, field in self._fields.items():
            kind = type(record[field])
            if kind not in _KINDS or (role == "rating" and kind is str):
                raise NoSuchColumn(f"the first {role} is {json.dumps(record[field])[:60]}; {_WANTED[role]}")
            self._kinds[role] = float if role == "rating" else kind
        self._times: Any = None
        if "timestamp" in self._fields:
            self._times = kind_of_times([str(record[self._fields["timestamp"]])])

    def parse(self, piece: bytes) -> ArrowTable:
        """The columns, by role, of whole lines."""
        return in_seconds(lambda times: self._read(piece, times), self._times)

    def _read(self, piece: bytes, times: Any) -> ArrowTable:
        if _NO_OBJECT.search(piece):  # Arrow must not see it: a bare null ends the process
            raise Fault(None, "a line that is not one object")
        kinds = {role: _KINDS[kind] for role, kind in self._kinds.items()}
        spelt = self._kinds.get("timestamp") is str
        if times is not None and not spelt:
            kinds["timestamp"] = times
        schema = pa.schema([pa.field(field, kinds[role]) for role, field in self._fields.items()])
        table = pajson.read_json(
            pa.BufferReader(piece),
            read_options=pajson.ReadOptions(use_threads=False, block_size=len(piece) + 1),
            parse_options=pajson.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore"),
        )
        if len(table) != sum(1 for line in piece.split(b"\n") if not self.blank(line.removesuffix(b"\r"))):
            raise Fault(None, "a line that is not one object")
        columns = {role: table.column(field) for role, field in self._fields.items()}
        if spelt:
            columns["timestamp"] = columns["timestamp"].cast(times)
        return pa.table(columns)

    def blank(self, line: bytes) -> bool:
        """Whether a line holds nothing."""
        return not line.strip(b" \t")

    def fault(self, line: str) -> str | None:
        """What is wrong with a line, if anything is."""
        try:
            record = json.loads(line, parse_constant=_no_number)
        except (ValueError, RecursionError) as problem:
            return f"this is no JSON object: {problem}"
        if not isinstance(record, dict):
            return "this is no JSON object"
        for role, field in self._fields.items():
            found = record.get(field)
            if found is None:
                return f"the {role} is missing"
            if role == "timestamp":
                spelt = self._kinds["timestamp"] is str
                if isinstance(found, bool) or isinstance(found, str) != spelt or not is_time(str(found), self._times):
                    return f"{WANTED}; got {json.dumps(found)[:60]}"
                continue
            kind = self._kinds[role]
            fits = isinstance(found, (int, float)) if kind is float else isinstance(found, kind)
            if not fits or isinstance(found, bool):
                seen = json.dumps(found)[:60]
                if role in ("user", "item"):
                    return f"{role} ids must be all whole numbers or all text; got {seen}, unlike the first"
                return f"got {seen} for the {role}; {_WANTED[role]}"
            if role in ("user", "item") and isinstance(found, int) and not -(1 << 63) <= found < 1 << 63:
                return f"the {role} id {seen_number(found)} does not fit into 64 bits with a sign"
        return None


_WANTED = {
    "user": "user ids must be whole numbers or text",
    "item": "item ids must be whole numbers or text",
    "rating": "ratings must be numbers",
    "timestamp": "timestamps must be numbers of seconds, or dates",
}


def seen_number(number: int) -> str:
    """A number that may be very long, as far as it helps."""
    return str(number)[:30]


def _no_number(constant: str) -> float:
    raise ValueError(f"{constant} is no number")
