"""Catalogue: what a person may read about an item."""

import csv
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from privet.errors import RatingsError
from privet.ratings.ids import Id, canonical_numbers

_NONE: Mapping[Id, tuple[str, ...]] = MappingProxyType({})
_SPELLINGS = {
    "item_id": ("itemid", "item", "movieid", "productid", "id"),
    "title": ("title", "movietitle", "name"),
    "categories": ("categories", "category", "genres", "genre", "class"),
}
_NO_GENRES = "(no genres listed)"
_U_ITEM_GENRES = [
    "unknown",
    "Action",
    "Adventure",
    "Animation",
    "Children's",
    "Comedy",
    "Crime",
    "Documentary",
    "Drama",
    "Fantasy",
    "Film-Noir",
    "Horror",
    "Musical",
    "Mystery",
    "Romance",
    "Sci-Fi",
    "Thriller",
    "War",
    "Western",
]


@dataclass(frozen=True)
class Catalogue:
    """Titles and categories of items, by id."""

    titles: Mapping[Id, str]
    categories: Mapping[Id, tuple[str, ...]] = field(default_factory=lambda: _NONE)

    @classmethod
    def read(cls, path: str | Path) -> "Catalogue":
        """A catalogue from CSV or TSV with item_id, title and categories, or from MovieLens' own files."""
        name = str(path)
        try:
            text = _text(Path(path).read_bytes())
        except OSError as problem:
            raise RatingsError(f"the catalogue cannot be read: {problem.strerror or problem}", file=name) from None
        lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
        if not lines:
            raise RatingsError("the catalogue is empty", file=name)
        rows = list(_rows(lines, name))
        ids = [id for id, _, _ in rows]
        numbers = canonical_numbers(ids)
        typed: list[Id] = list(ids) if numbers is None else numbers.tolist()
        return cls(
            MappingProxyType({id: title for id, (_, title, _) in zip(typed, rows, strict=True)}),
            MappingProxyType({id: kinds for id, (_, _, kinds) in zip(typed, rows, strict=True) if kinds}),
        )

    def __len__(self) -> int:
        """How many items have a title."""
        return len(self.titles)

    def title(self, id: Id) -> str | None:
        """The title of an item, if it has one; a catalogue may spell whole numbers as text."""
        return self.titles.get(id, self.titles.get(str(id)))


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")  # MovieLens' u.item and movies.dat


def _rows(lines: list[tuple[int, str]], name: str) -> Iterable[tuple[str, str, tuple[str, ...]]]:
    first = lines[0][1]
    if "::" in first:
        yield from _read_off(_fields(lines, "::"), _Columns(0, 1, 2), name)
    elif first.count("|") >= 23:
        yield from _flagged(_fields(lines, "|"), name)
    else:
        separator = "\t" if "\t" in first else ","
        (_, header), *rows = _fields(lines, separator)
        yield from _read_off(rows, _Columns.of(header, name), name)


def _fields(lines: list[tuple[int, str]], separator: str) -> list[tuple[int, list[str]]]:
    if separator == ",":
        return [(number, next(csv.reader([line]), [])) for number, line in lines]
    return [(number, line.split(separator)) for number, line in lines]


def _flagged(rows: list[tuple[int, list[str]]], name: str) -> Iterable[tuple[str, str, tuple[str, ...]]]:
    """MovieLens 100K's u.item: id, title, two dates, an address, and a flag for every genre."""
    for number, fields in rows:
        if len(fields) < 24:
            raise RatingsError(f"{len(fields)} fields where 24 are expected", file=name, line=number)
        flags = zip(_U_ITEM_GENRES, fields[5:24], strict=True)
        yield fields[0], fields[1], tuple(genre for genre, flag in flags if flag == "1")


def _read_off(
    rows: list[tuple[int, list[str]]], columns: "_Columns", name: str
) -> Iterable[tuple[str, str, tuple[str, ...]]]:
    seen: dict[str, int] = {}
    for number, fields in rows:
        if len(fields) <= max(columns[:3]):
            expected = max(columns[:3]) + 1
            raise RatingsError(f"{len(fields)} fields where {expected} are expected", file=name, line=number)
        item = fields[columns.item]
        if not item.strip():
            raise RatingsError("the item id is blank", file=name, line=number)
        if item in seen:
            raise RatingsError(f"the item {item!r} is named again, first in line {seen[item]}", file=name, line=number)
        seen[item] = number
        kinds = fields[columns.kinds].split(columns.parted_by) if columns.kinds >= 0 else ()
        yield item, fields[columns.title], tuple(kind.strip() for kind in kinds if kind.strip() and kind != _NO_GENRES)


class _Columns(NamedTuple):
    item: int
    title: int
    kinds: int  # -1 where there are none
    parted_by: str = "|"

    @classmethod
    def of(cls, header: list[str], name: str) -> "_Columns":
        """The columns that a header names."""
        plain = [re.sub(r"[\s_\-]|:\w+$", "", field.lower()) for field in header]
        item, title, kinds = (
            next((plain.index(spelling) for spelling in spellings if spelling in plain), -1)
            for spellings in _SPELLINGS.values()
        )
        if item < 0 or title < 0:
            got = ", ".join(header)[:200]
            raise RatingsError(f"a catalogue needs the columns item_id and title; got {got}", file=name, line=1)
        recbole = kinds >= 0 and header[kinds].endswith(":token_seq")  # whose words are parted by blanks
        return cls(item, title, kinds, " " if recbole else "|")
