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

from privet.errors import ParameterError, RatingsError
from privet.formats.blocks import Source
from privet.formats.delimited import Delimited
from privet.formats.lines import Lines
from privet.formats.ndjson import Ndjson
from privet.formats.roles import Naming, NoSuchColumn
from privet.formats.tables import ParquetFile
from privet.formats.textfile import TextFile
from privet.progress import Progress

_LONE_RETURN = "a carriage return without a line feed; lines must end with a line feed, or both"


@contextmanager
def opened(path: str | Path, naming: Naming, *, progress: Progress | None = None) -> Iterator[Source]:
    """The source of ratings that a file is."""
    if not isinstance(path, (str, os.PathLike)):
        raise ParameterError(f"A file is named by text or a Path; got {path!r}.", name="path", got=path)
    name = str(path)
    with _readable(path) as file:
        yield _source(file, name, naming, progress)


def _source(file: BinaryIO, name: str, naming: Naming, progress: Progress | None) -> Source:
    if _is_parquet(file, name):
        return ParquetFile(file, name, naming, progress=progress)
    text = TextFile(file, name)
    if not text.size:
        raise RatingsError("the file is empty", file=name)
    head = text.head()
    if not head:
        raise RatingsError("the file holds nothing but blank lines", file=name)
    line = text.first_line
    if head.startswith((b"PK\x03\x04", b"\xfd7zXZ")):
        raise RatingsError("this is an archive of a kind that is not read here; unpack it first", file=name)
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise RatingsError("the text is UTF-16; convert the file to UTF-8", file=name, line=line)
    for wrong, reason in ((b"\0", "a NUL byte; this is no file of text, or a damaged one"), (b"\r", _LONE_RETURN)):
        if (place := head.replace(b"\r\n", b" \n").find(wrong)) >= 0:
            raise RatingsError(reason, file=name, line=line + head[:place].count(b"\n"))
    begin = head.lstrip()
    if begin.startswith(b"["):
        raise RatingsError(
            "this looks like one JSON list; NDJSON has one object a line and no brackets around them",
            file=name,
            line=line,
        )
    typed = begin.startswith(b"{")
    try:
        return Lines(text, Ndjson(head, naming) if typed else Delimited(head, naming), typed=typed, progress=progress)
    except NoSuchColumn as problem:
        raise RatingsError(str(problem), file=name, line=line) from None


def _is_parquet(file: BinaryIO, name: str) -> bool:
    """Whether a file begins as Parquet does: with its mark, behind which no text goes on."""
    try:
        head = file.read(5)
        file.seek(0)
    except OSError as problem:
        raise RatingsError(f"the file cannot be read: {problem.strerror or problem}", file=name) from None
    # A page header follows, which begins with a byte that no text has; or nothing does, in a file that is cut short.
    return head.startswith(b"PAR1") and (not head[4:].isascii() or head[4:] < b" ")


def _readable(path: str | Path) -> BinaryIO:
    """The file, open; what cannot be read twice, such as a pipe, is copied first."""
    name = str(path)
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
