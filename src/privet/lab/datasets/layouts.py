"""How each source writes ratings and titles.

A layout is told by the first line, never by the file's name: people rename files.
"""

import re
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import BinaryIO

import numpy as np

from privet.arrays import IntArray, RowArray
from privet.errors import RatingsError
from privet.formats.titles import BESIDE
from privet.lab.datasets.register import DataSet
from privet.progress import Progress
from privet.ratings import Catalogue

# An archive that lies may unpack to anything: these bound what is held of it. The longest real line of ratings
# has about 150 bytes, and the largest real table of titles 5 MB.
_LONGEST_LINE = 1024
_LARGEST_TITLES = 64 << 20
_LINES_AT_ONCE = 5_000  # as many as stay in the processor's cache: half the time of 100,000


@dataclass(frozen=True)
class Columns:
    """Ratings as a source has them: codes into the lists of ids, in the source's order."""

    users: RowArray
    items: RowArray
    halves: RowArray  # the ratings in halves of a point: every scale here consists of halves
    timestamps: IntArray
    user_ids: Sequence[str]
    item_ids: Sequence[str]


def read_ratings(stream: BinaryIO, dataset: DataSet, *, file: str, progress: Progress | None = None) -> Columns:
    """Read ratings in any of the known layouts, and refuse what is none of them or more than there are."""
    most = dataset.counts.ratings
    lines = _lines(stream, file)
    first = next(lines, b"")
    separator, places, header = _layout(first, file)
    if not header:
        lines = _chained(first, lines)
    users, items = _Codes(), _Codes()
    halves_of = _halves(dataset)
    columns = array("i"), array("i"), array("i"), array("q")
    read = 0
    while block := list(islice(lines, _LINES_AT_ONCE)):
        try:
            fields = list(zip(*[line.split(separator) for line in block], strict=True))
            user, item, rating, timestamp = (fields[place] for place in places)
            columns[0].extend(map(users.__getitem__, user))
            columns[1].extend(map(items.__getitem__, item))
            columns[2].extend(map(halves_of.__getitem__, rating))
            columns[3].extend(map(int, timestamp))
        except (ValueError, IndexError, KeyError, OverflowError):
            raise _faulty(block, separator, places, halves_of, file, read + 1 + header) from None
        read += len(block)
        if read > most:
            raise RatingsError(f"{dataset.name} has {most:,} ratings and this holds more", file=file)
        if progress:
            progress(f"Reading {dataset.name}", read, most)
    return Columns(
        np.array(columns[0], np.int32),
        np.array(columns[1], np.int32),
        np.array(columns[2], np.int32),
        np.array(columns[3], np.int64),
        _decoded(users, file),
        _decoded(items, file),
    )


def read_titles(stream: BinaryIO, *, file: str) -> Catalogue:
    """Read titles and categories in any of the known layouts."""
    content = stream.read(_LARGEST_TITLES + 1)
    if len(content) > _LARGEST_TITLES:
        raise RatingsError("no table of titles is this long: it is something else", file=file)
    if b":token" in content.partition(b"\n")[0]:
        content = _with_years(content)
    with TemporaryDirectory() as place:
        path = Path(place) / PurePath(file).name
        path.write_bytes(content)
        return Catalogue.read(path)


def ratings_names(name: str) -> tuple[str, ...]:
    """The names under which sources keep the ratings of a data set."""
    return (*BESIDE, f"{name}.inter", f"{name}.tsv")


def titles_name(ratings_name: str) -> str | None:
    """The name of the table of titles beside a file of ratings."""
    stem, dot, suffix = ratings_name.rpartition(".")
    if dot and suffix in ("inter", "tsv"):
        return f"{stem}.item" if suffix == "inter" else f"{stem}.items.tsv"
    return BESIDE.get(ratings_name)


class _Codes(defaultdict[bytes, int]):
    """A number for each new id, in order of appearance."""

    def __missing__(self, id: bytes) -> int:
        if not id:
            raise KeyError(id)
        code = self[id] = len(self)
        return code


def _lines(stream: BinaryIO, file: str) -> Iterator[bytes]:
    number = 0
    while line := stream.readline(_LONGEST_LINE):
        number += 1
        if len(line) == _LONGEST_LINE:
            raise RatingsError("no line of ratings is this long: it is something else", file=file, line=number)
        yield line.rstrip(b"\r\n")


def _chained(first: bytes, rest: Iterable[bytes]) -> Iterator[bytes]:
    if first:
        yield first
    yield from rest


def _layout(first: bytes, file: str) -> tuple[bytes, tuple[int, int, int, int], bool]:
    """The separator, where user, item, rating and timestamp stand, and whether the first line is a header."""
    if b":token" in first:
        names = [name.split(b":")[0] for name in first.split(b"\t")]
        wanted = (b"user_id", b"item_id", b"rating", b"timestamp")
        if all(name in names for name in wanted):
            user, item, rating, timestamp = (names.index(name) for name in wanted)
            return b"\t", (user, item, rating, timestamp), True
    elif first.startswith(b"userId,movieId,rating,timestamp"):
        return b",", (0, 1, 2, 3), True
    else:
        for separator in (b"::", b"\t"):
            if first.count(separator) == 3:
                return separator, (0, 1, 2, 3), False
    raise RatingsError("this is no table of ratings in a layout known here", file=file, line=1)


def _halves(dataset: DataSet) -> dict[bytes, int]:
    """Every spelling of a rating on the scale, as halves of a point."""
    low, high = (round(2 * end) for end in dataset.scale)
    allowed = range(low, high + 1, round(2 * dataset.step))
    spellings = {f"{half / 2:g}".encode(): half for half in allowed}
    return spellings | {f"{half / 2:.1f}".encode(): half for half in allowed}


def _faulty(
    block: list[bytes],
    separator: bytes,
    places: tuple[int, int, int, int],
    halves_of: dict[bytes, int],
    file: str,
    line: int,
) -> RatingsError:
    """The error for the first line of a block that could not be read."""
    width = max(places) + 1
    for number, text in enumerate(block, line):
        fields = text.split(separator)
        if len(fields) < width:
            return RatingsError(f"a line must have {width} fields; got {_shown(text)}", file=file, line=number)
        user, item, rating, timestamp = (fields[place] for place in places)
        if not user or not item:
            return RatingsError("the user and the item must not be blank", file=file, line=number)
        if rating not in halves_of:
            return RatingsError(f"the rating {_shown(rating)} is not on the scale", file=file, line=number)
        if not re.fullmatch(rb"-?[0-9]{1,18}", timestamp):
            reason = f"the timestamp must be whole seconds; got {_shown(timestamp)}"
            return RatingsError(reason, file=file, line=number)
    return RatingsError("the lines do not all have the same number of fields", file=file, line=line)


def _shown(text: bytes) -> str:
    return repr(text[:80].decode(errors="replace"))


def _decoded(codes: _Codes, file: str) -> list[str]:
    try:
        return [id.decode() for id in codes]
    except UnicodeDecodeError:
        raise RatingsError("the ids must be written in UTF-8", file=file) from None


def _with_years(content: bytes) -> bytes:
    """RecBole's table of items with the year where its publisher has it: in the title."""
    lines = [b"item_id\ttitle\tcategories"]
    for line in content.splitlines()[1:]:
        item_id, title, year, categories = (line.split(b"\t") + [b""] * 4)[:4]
        titled = b"%s (%s)" % (title, year) if year else title
        lines.append(b"\t".join((item_id, titled, categories.replace(b" ", b"|"))))
    return b"\n".join(lines)
