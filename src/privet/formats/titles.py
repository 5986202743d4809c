"""Titles: files that name items, our own and those of public data sets."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from privet.errors import RatingsError

_SPELLINGS = {
    "item": ("itemid", "item", "movieid", "productid", "id"),
    "title": ("title", "movietitle", "name"),
    "kinds": ("categories", "category", "genres", "genre", "class"),
}
_GENRES = (
    *(
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
    ),
    *("Film-Noir", "Horror", "Musical", "Mystery", "Romance", "Sci-Fi", "Thriller", "War", "Western"),
)
_FLAGS = len(_GENRES)  # the last fields of MovieLens 100K's u.item
_NO_GENRES = "(no genres listed)"
_LONGEST_FIELD = csv.field_size_limit()


# The file of titles that stands beside a file of ratings of a public data set.
BESIDE = {"u.data": "u.item", "ratings.dat": "movies.dat", "ratings.csv": "movies.csv"}


class Titled(NamedTuple):
    """What a file says of one item."""

    item: str
    title: str
    kinds: tuple[str, ...]


def titles_of(path: str | Path) -> list[Titled]:
    """The items that a file names, each once."""
    name = str(path)
    try:
        text = _text(Path(path).read_bytes())
    except OSError as problem:
        raise RatingsError(f"the titles cannot be read: {problem.strerror or problem}", file=name) from None
    except ValueError as problem:  # no name that a file could have
        raise RatingsError(str(problem), file=name) from None
    if not text.strip():
        raise RatingsError("the file of titles is empty", file=name)
    found: list[Titled] = []
    lines: dict[str, int] = {}
    for line, titled in _titled(text, name):
        if not titled.item.strip():
            raise RatingsError("the item id is blank", file=name, line=line)
        if titled.item in lines:
            first = lines[titled.item]
            raise RatingsError(f"the item {titled.item!r} is named again, first in line {first}", file=name, line=line)
        lines[titled.item] = line
        found.append(titled)
    return found


def titles_beside(ratings: Path) -> Path | None:
    """The file of titles that lies beside a file of ratings under its usual name, if it does."""
    usual = [ratings.with_suffix(f".items{ratings.suffix}")] if ratings.suffix else []
    if ratings.suffix == ".inter":
        usual.append(ratings.with_suffix(".item"))
    if ratings.name in BESIDE:
        usual.append(ratings.with_name(BESIDE[ratings.name]))
    return next((path for path in usual if path.is_file()), None)


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")  # MovieLens' u.item and movies.dat


def _titled(text: str, name: str) -> Iterator[tuple[int, Titled]]:
    first = text.lstrip("\r\n").partition("\n")[0]
    if "::" in first:
        for line, (item, *title, kinds) in _split(text, "::", 3, name):
            yield line, Titled(item, "::".join(title), _kinds(kinds, "|"))
    elif first.count("|") >= 4 + _FLAGS:
        for line, fields in _split(text, "|", 5 + _FLAGS, name):
            flags = zip(_GENRES, fields[-_FLAGS:], strict=True)
            yield line, Titled(fields[0], fields[1], tuple(genre for genre, flag in flags if flag == "1"))
    else:
        rows = _split(text, "\t", 1, name) if "\t" in first else _quoted(text, name)
        yield from _under_header(rows, name)


def _split(text: str, separator: str, least: int, name: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.removesuffix("\r")
        if not line.strip():
            continue
        fields = line.split(separator)
        if len(fields) < least:
            raise RatingsError(f"{len(fields)} fields where {least} are expected", file=name, line=number)
        yield number, fields


def _quoted(text: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """CSV, whose quoted fields may go on over lines."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    line = 1
    while True:
        try:
            fields = next(reader, None)
        except csv.Error as problem:
            reason = f"at most {_LONGEST_FIELD:,} characters" if "limit" in str(problem) else str(problem)
            raise RatingsError(f"this is no CSV: {reason}", file=name, line=line) from None
        if fields is None:
            return
        if fields:
            yield line, fields
        line = reader.line_num + 1


def _under_header(rows: Iterable[tuple[int, list[str]]], name: str) -> Iterator[tuple[int, Titled]]:
    rows = iter(rows)
    line, header = next(rows)
    plain = [re.sub(r"[\s_\-]|:\w+$", "", field.lower()) for field in header]
    item, title, kinds = (
        next((plain.index(spelling) for spelling in spellings if spelling in plain), None)
        for spellings in _SPELLINGS.values()
    )
    if item is None or title is None:
        got = ", ".join(header)[:200]
        raise RatingsError(f"titles need the columns item_id and title; got {got}", file=name, line=line)
    # RecBole parts the words of such a column by blanks
    parted_by = " " if kinds is not None and header[kinds].endswith(":token_seq") else "|"
    least = 1 + max(item, title, kinds or 0)
    for line, fields in rows:
        if len(fields) < least:
            raise RatingsError(f"{len(fields)} fields where {least} are expected", file=name, line=line)
        yield line, Titled(fields[item], fields[title], () if kinds is None else _kinds(fields[kinds], parted_by))


def _kinds(text: str, parted_by: str) -> tuple[str, ...]:
    return tuple(kind.strip() for kind in text.split(parted_by) if kind.strip() and kind != _NO_GENRES)
