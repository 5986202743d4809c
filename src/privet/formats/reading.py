"""Reading: what a file holds is told by its content, not by its name."""

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from privet.errors import RatingsError
from privet.formats.blocks import Source
from privet.formats.delimited import Delimited
from privet.formats.lines import Lines, Progress, TextFile
from privet.formats.ndjson import Ndjson
from privet.formats.roles import Naming, NoSuchColumn
from privet.formats.tables import ParquetFile

_PARQUET = b"PAR1"


@contextmanager
def opened(path: str | Path, naming: Naming, *, progress: Progress | None = None) -> Iterator[Source]:
    """The source of ratings that a file is."""
    name = os.fspath(path)
    with _readable(path) as file:
        yield _source(file, name, naming, progress)


def _source(file: BinaryIO, name: str, naming: Naming, progress: Progress | None) -> Source:
    if file.read(4) == _PARQUET:
        file.seek(0)
        return ParquetFile(file, name, naming, progress=progress)
    text = TextFile(file, name)
    head = text.head()
    if not text.size:
        raise RatingsError("the file is empty", file=name)
    start = head.strip()
    if not start:
        raise RatingsError("the file holds nothing but blank lines", file=name)
    if start.startswith(b"["):
        raise RatingsError(
            "this looks like one JSON list; NDJSON has one object a line and no brackets around them",
            file=name,
            line=1,
        )
    if b"\0" in head:
        line = head[: head.index(b"\0")].count(b"\n") + 1
        raise RatingsError("a NUL byte; this is no file of text, or a damaged one", file=name, line=line)
    try:
        grammar = Ndjson(head, naming) if start.startswith(b"{") else Delimited(head, naming)
    except NoSuchColumn as problem:
        first = next(line for line, text in enumerate(head.split(b"\n"), start=1) if text.strip())
        raise RatingsError(str(problem), file=name, line=first) from None
    lines = Lines(text, grammar, progress=progress)
    lines.typed = isinstance(grammar, Ndjson)
    return lines


def _readable(path: str | Path) -> BinaryIO:
    """The file, open; what cannot be read twice, such as a pipe, is copied first."""
    name = os.fspath(path)
    try:
        file = Path(path).open("rb")  # noqa: SIM115 - whoever reads it closes it
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return file
        with file:
            copy = tempfile.TemporaryFile()  # noqa: SIM115 - whoever reads it closes it
            shutil.copyfileobj(file, copy)
    except OSError as problem:
        raise RatingsError(_why(problem), file=name) from None
    except ValueError as problem:  # a NUL byte in the path
        raise RatingsError(str(problem), file=name) from None
    copy.seek(0)
    return copy


def _why(problem: OSError) -> str:
    known = {
        errno.ENOENT: "there is no such file",
        errno.EISDIR: "this is a directory; name the file in it that holds the ratings",
        errno.EACCES: "no permission to read this file",
    }
    return known.get(problem.errno or 0, f"the file cannot be read: {problem.strerror or problem}")
