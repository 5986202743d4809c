"""Catalogue: what a person may read about an item."""

import csv
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from privet.errors import RatingsError
from privet.ratings.index import Id, canonical_numbers

_NONE: Mapping[Id, tuple[str, ...]] = MappingProxyType({})
_SPELLINGS = {
    "item_id": ("itemid", "item", "movieid", "productid", "id"),
    "title": ("title", "movietitle", "name"),
    "categories": ("categories", "category", "genres", "genre", "class"),
}
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
        columns, rows = (0, 1, 2), [(number, line.split("::")) for number, line in lines]
    elif first.count("|") >= 23:
        for number, line in lines:
            fields = line.split("|")
            if len(fields) < 24:
                raise RatingsError(f"{len(fields)} fields where 24 are expected", file=name, line=number)
            flags = zip(_U_ITEM_GENRES, fields[5:24], strict=True)
            yield fields[0], fields[1], tuple(genre for genre, flag in flags if flag == "1")
        return
    else:
        tabs = "\t" in first
        rows = [(number, line.split("\t") if tabs else next(csv.reader([line]), [])) for number, line in lines]
        columns, rows = _columns(rows[0][1], name), rows[1:]
    for number, fields in rows:
        if len(fields) <= max(columns):
            raise RatingsError(f"{len(fields)} fields where {max(columns) + 1} are expected", file=name, line=number)
        kinds = fields[columns[2]] if columns[2] >= 0 else ""
        if not fields[columns[0]].strip():
            raise RatingsError("the item id is blank", file=name, line=number)
        yield fields[columns[0]], fields[columns[1]], tuple(_split(kinds))


def _columns(header: list[str], name: str) -> tuple[int, int, int]:
    plain = [re.sub(r"[\s_\-]|:\w+$", "", field.lower()) for field in header]
    found = {
        column: next((plain.index(spelling) for spelling in spellings if spelling in plain), -1)
        for column, spellings in _SPELLINGS.items()
    }
    if found["item_id"] < 0 or found["title"] < 0:
        raise RatingsError(
            f"a catalogue needs the columns item_id and title; got {', '.join(header)}", file=name, line=1
        )
    return found["item_id"], found["title"], found["categories"]


def _split(kinds: str) -> Iterable[str]:
    separator = "|" if "|" in kinds else None if " " in kinds and "," not in kinds else ","
    return (kind.strip() for kind in kinds.split(separator) if kind.strip() and kind != "(no genres listed)")
