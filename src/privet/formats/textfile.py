"""TextFile: a file of lines, compressed or not, that can be read again and again."""

import os
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

import pyarrow as pa

from privet.errors import RatingsError

PIECE = 1 << 22  # bytes; large enough that the cost per piece vanishes, small beside the ratings themselves
_LONGEST = 1 << 26  # bytes of one line
_BOM = b"\xef\xbb\xbf"
_MAGICS = {
    "gzip": re.compile(rb"\x1f\x8b"),
    "bz2": re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"),  # text may begin with BZh too
    "zstd": re.compile(rb"\x28\xb5\x2f\xfd"),
}


class TextFile:
    """Whole lines, without a byte order mark and without the blank lines before the first."""

    def __init__(self, file: BinaryIO, name: str):
        self._file, self.name = file, name
        try:
            file.seek(0)
            head = file.read(16)
            self.size = file.seek(0, os.SEEK_END)
        except OSError as problem:
            raise RatingsError(f"the file cannot be read: {problem.strerror or problem}", file=name) from None
        self._compression = next((kind for kind, magic in _MAGICS.items() if magic.match(head)), None)
        self.first_line = 1 + sum(piece.count(b"\n") for piece in self._leading())

    def pieces(self, size: int = PIECE) -> Iterator[bytes]:
        """The lines, about so many bytes at a time."""
        leading = True
        for piece in self._cut(size):
            if leading:
                piece = piece[_blank_start(piece) :]
                leading = not piece
            if piece:
                yield piece

    def head(self, size: int = 1 << 16) -> bytes:
        """The first lines that are not blank: all of them, in a short file."""
        parts: list[bytes] = []
        for piece in self.pieces(size):
            parts.append(piece)
            if sum(map(len, parts)) >= size:
                break
        return b"".join(parts)

    @property
    def done(self) -> int:
        """How many bytes of the file have been read."""
        return self._file.tell()

    def _leading(self) -> Iterator[bytes]:
        """The blank lines at the start."""
        for piece in self._cut(1 << 16):
            blank = _blank_start(piece)
            yield piece[:blank]
            if blank < len(piece):
                return

    def _cut(self, size: int) -> Iterator[bytes]:
        stream = self._opened()
        rest = [self._read(stream, 3).removeprefix(_BOM)]
        while piece := self._read(stream, size):
            end = piece.rfind(b"\n") + 1
            if end:
                yield b"".join([*rest, piece[:end]])
                rest = [piece[end:]]
                continue
            rest.append(piece)
            if sum(map(len, rest)) > _LONGEST:
                reason = f"a line goes on for more than {_LONGEST:,} bytes; this is no file of ratings"
                raise RatingsError(reason, file=self.name)
        if last := b"".join(rest):
            yield last

    def _opened(self) -> Any:
        self._file.seek(0)
        if self._compression is None:
            return self._file
        return pa.CompressedInputStream(pa.PythonFile(_KeptOpen(self._file), mode="r"), self._compression)

    def _read(self, stream: Any, size: int) -> bytes:
        try:
            piece: bytes = stream.read(size)
        except OSError as problem:
            if self._compression is None:
                reason = f"the file cannot be read: {problem.strerror or problem}"
            else:
                reason = f"the {self._compression} compression is damaged or cut short"
            raise RatingsError(reason, file=self.name) from None
        return piece


class _KeptOpen:
    """A file that Arrow may read and must not close: it is read again to find a line."""

    closed = False

    def __init__(self, file: BinaryIO):
        self.read, self.seek, self.tell = file.read, file.seek, file.tell

    def close(self) -> None:
        """Leave that to whoever opened it."""


def _blank_start(piece: bytes) -> int:
    """Where the first line begins that is not blank."""
    begin = len(piece) - len(piece.lstrip(b" \t\r\n"))
    return len(piece) if begin == len(piece) else piece.rfind(b"\n", 0, begin) + 1
