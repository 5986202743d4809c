"""Lines: files of text, read in pieces by several threads, with the line of whatever is wrong."""

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, BinaryIO, Protocol

import pyarrow as pa

from privet.errors import RatingsError
from privet.formats.blocks import ArrowTable, Block, Fault, block_of
from privet.formats.places import Place

Progress = Callable[[str, int, int], None]

PIECE = 1 << 22  # bytes; large enough that the cost per piece vanishes, small beside the ratings themselves
_LONGEST = 1 << 26  # bytes of one line
_BOM = b"\xef\xbb\xbf"
_MAGICS = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\x28\xb5\x2f\xfd": "zstd"}


class Grammar(Protocol):
    """What a line of one kind of file means."""

    heading: int  # lines before the first rating

    def parse(self, piece: bytes) -> ArrowTable:
        """The columns, by role, of whole lines."""

    def fault(self, line: str) -> str | None:
        """What is wrong with a line, if anything is."""


class TextFile:
    """A file of lines, compressed or not, that can be opened again and again."""

    def __init__(self, file: BinaryIO, name: str):
        self._file, self.name = file, name
        file.seek(0)
        head = file.read(4)
        self._compression = next((kind for magic, kind in _MAGICS.items() if head.startswith(magic)), None)
        self.size = file.seek(0, os.SEEK_END)

    def pieces(self, size: int = PIECE) -> Iterator[bytes]:
        """Whole lines, about so many bytes at a time, without a byte order mark."""
        stream = self._opened()
        rest = self._read(stream, 3).removeprefix(_BOM)
        while piece := self._read(stream, size):
            end = piece.rfind(b"\n") + 1
            if not end:
                rest += piece
                if len(rest) > _LONGEST:
                    raise RatingsError(
                        f"a line goes on for more than {_LONGEST:,} bytes; this is no file of ratings",
                        file=self.name,
                    )
                continue
            yield rest + piece[:end]
            rest = piece[end:]
        if rest:
            yield rest

    def head(self, size: int = 1 << 16) -> bytes:
        """The first bytes, cut after a line where there is one."""
        for piece in self.pieces(size):
            return piece
        return b""

    @property
    def done(self) -> int:
        """How many bytes of the file have been read."""
        return self._file.tell()

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
                raise RatingsError(f"the file cannot be read: {problem}", file=self.name) from None
            raise RatingsError(f"the {self._compression} compression is damaged or cut short", file=self.name) from None
        return piece


class _KeptOpen:
    """A file that Arrow may read and must not close: it is read again to find a line."""

    closed = False

    def __init__(self, file: BinaryIO):
        self.read, self.seek, self.tell = file.read, file.seek, file.tell

    def close(self) -> None:
        """Leave that to whoever opened it."""


class Lines:
    """The ratings in a file of lines."""

    typed = False

    def __init__(self, file: TextFile, grammar: Grammar, *, progress: Progress | None = None):
        self._file, self._grammar, self._progress = file, grammar, progress

    def blocks(self) -> Iterator[Block]:
        """The ratings piece by piece, in order; a few pieces are read ahead."""
        ahead: deque[tuple[bytes, Future[Block | None]]] = deque()
        workers = min(4, os.cpu_count() or 1)
        with ThreadPoolExecutor(workers) as pool:
            try:
                for number, piece in enumerate(self._file.pieces()):
                    if number == 0:
                        piece = _without_lines(piece, self._grammar.heading)
                    ahead.append((piece, pool.submit(self._block, piece)))
                    if len(ahead) > workers:
                        yield from self._finished(*ahead.popleft())
                    if self._progress:
                        self._progress("reading", self._file.done, self._file.size)
                while ahead:
                    yield from self._finished(*ahead.popleft())
            finally:
                pool.shutdown(wait=True, cancel_futures=True)
                pa.default_memory_pool().release_unused()

    def place(self, row: int) -> Place:
        """The line in which a rating stands: blank lines hold none."""
        count = line = 0
        for piece in self._file.pieces():
            for text in piece.split(b"\n"):
                line += 1
                if line <= self._grammar.heading or not text.rstrip(b"\r"):
                    continue
                if count == row:
                    return Place(self._file.name, line, None)
                count += 1
            line -= 1  # what follows the last newline is the next piece's first line
        return Place(self._file.name, None, row)

    def _block(self, piece: bytes) -> Block | None:
        if not piece.strip():
            return None
        if b"\0" in piece:
            raise Fault(None, "a NUL byte")
        table = self._grammar.parse(piece).combine_chunks()
        return block_of({name: table.column(name).chunk(0) for name in table.column_names}) if len(table) else None

    def _finished(self, piece: bytes, block: "Future[Block | None]") -> Iterator[Block]:
        try:
            found = block.result()
        except (pa.ArrowException, Fault) as problem:
            raise self._error(piece, problem) from None
        if found is not None:
            yield found

    def _error(self, wrong: bytes, problem: Exception) -> RatingsError:
        """The error for a piece that cannot be read, with the line and the reason that a slow look at it finds."""
        before = self._grammar.heading
        for number, piece in enumerate(self._file.pieces()):
            if number == 0:
                piece = _without_lines(piece, self._grammar.heading)
            if piece == wrong:
                break
            before += piece.count(b"\n")
        for line, text in enumerate(wrong.split(b"\n"), start=before + 1):
            text = text.removesuffix(b"\r")
            if text and (reason := self._reason(text)):
                return RatingsError(reason, file=self._file.name, line=line)
        return RatingsError(f"the lines from {before + 1} on cannot be read: {problem}", file=self._file.name)

    def _reason(self, text: bytes) -> str | None:
        if b"\0" in text:
            return "a NUL byte; this is no file of text, or a damaged one"
        try:
            line = text.decode()
        except UnicodeDecodeError as problem:
            return f"the text is not UTF-8 (byte {problem.start + 1} of the line); convert the file to UTF-8"
        return self._grammar.fault(line)


def _without_lines(piece: bytes, count: int) -> bytes:
    for _ in range(count):
        piece = piece.partition(b"\n")[2]
    return piece
