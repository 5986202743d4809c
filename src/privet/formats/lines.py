"""Lines: files of text, read in pieces by several threads, with the line of whatever is wrong."""

import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol

import pyarrow as pa

from privet.errors import RatingsError
from privet.formats.blocks import ArrowTable, Block, Fault, block_of
from privet.formats.places import Place
from privet.formats.textfile import TextFile
from privet.progress import Progress

_LONGEST = 1 << 17  # characters; a longer line is looked at last


class Grammar(Protocol):
    """What a line of one kind of file means."""

    heading: int  # lines before the first rating

    def parse(self, piece: bytes) -> ArrowTable:
        """The columns, by role, of whole lines."""

    def blank(self, line: bytes) -> bool:
        """Whether a line holds nothing, so that it is passed over."""

    def fault(self, line: str) -> str | None:
        """What is wrong with a line, if anything is."""


class Lines:
    """The ratings in a file of lines."""

    def __init__(self, file: TextFile, grammar: Grammar, *, typed: bool, progress: Progress | None = None):
        self.typed = typed
        self._file, self._grammar, self._progress = file, grammar, progress

    def blocks(self) -> Iterator[Block]:
        """The ratings piece by piece, in order; a few pieces are read ahead."""
        ahead: deque[tuple[bytes, Future[Block | None]]] = deque()
        workers = min(4, os.cpu_count() or 1)
        with ThreadPoolExecutor(workers) as pool:
            try:
                for piece in self._pieces():
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
        """The line in which a rating stands."""
        line, count = self._first_line, 0
        for piece in self._pieces():
            for text in _lines(piece):
                if not self._grammar.blank(text):
                    if count == row:
                        return Place(self._file.name, line, None)
                    count += 1
                line += 1
        return Place(self._file.name, None, row)

    @property
    def _first_line(self) -> int:
        """The line of the first rating."""
        return self._file.first_line + self._grammar.heading

    def _pieces(self) -> Iterator[bytes]:
        heading = self._grammar.heading
        for piece in self._file.pieces():
            while heading and piece:
                piece = piece.partition(b"\n")[2]
                heading -= 1
            if piece:
                yield piece

    def _block(self, piece: bytes) -> Block | None:
        if not piece.isascii():
            piece.decode()
        if b"\0" in piece:
            raise Fault(None, "a NUL byte")
        if b"\r" in piece and piece.count(b"\r") != piece.count(b"\r\n"):
            raise Fault(None, "a carriage return")
        if not piece.strip(b" \t\r\n") and all(map(self._grammar.blank, _lines(piece))):
            return None
        table = self._grammar.parse(piece).combine_chunks()
        return block_of({name: table.column(name).chunk(0) for name in table.column_names}) if len(table) else None

    def _finished(self, piece: bytes, block: "Future[Block | None]") -> Iterator[Block]:
        try:
            found = block.result()
        except (pa.ArrowException, Fault, UnicodeDecodeError) as problem:
            raise self._error(piece, problem) from None
        if found is not None:
            yield found

    def _error(self, wrong: bytes, problem: Exception) -> RatingsError:
        """The error for a piece that cannot be read, with the line and the reason that a slow look at it finds."""
        first = self._first_line
        for piece in self._pieces():
            if piece == wrong:
                break
            first += piece.count(b"\n")
        lines = _lines(wrong)
        long_lines = []
        for line, text in enumerate(lines, start=first):
            if len(text) > _LONGEST:
                long_lines.append((line, len(text)))
            elif not self._grammar.blank(text) and (reason := self._reason(text)):
                return RatingsError(reason, file=self._file.name, line=line)
        if long_lines:
            line, length = long_lines[0]
            reason = f"a line of {length:,} characters; this is no file of ratings, or a damaged one"
            return RatingsError(reason, file=self._file.name, line=line)
        line = first + self._first_refused(lines)
        return RatingsError(f"cannot be read: {problem}"[:300], file=self._file.name, line=line)

    def _first_refused(self, lines: list[bytes]) -> int:
        """The first line that cannot be parsed after those before it, found by halving."""
        good, bad = 0, len(lines)
        while bad - good > 1:
            middle = (good + bad) // 2
            try:
                self._block(b"\n".join(lines[:middle]) + b"\n")
                good = middle
            except (pa.ArrowException, Fault, UnicodeDecodeError):
                bad = middle
        return good

    def _reason(self, text: bytes) -> str | None:
        if b"\0" in text:
            return "a NUL byte; this is no file of text, or a damaged one"
        if b"\r" in text:
            return "a carriage return within a line; lines must end with a line feed, or both"
        try:
            line = text.decode()
        except UnicodeDecodeError as problem:
            return f"the text is not UTF-8 (byte {problem.start + 1} of the line); convert the file to UTF-8"
        return self._grammar.fault(line)


def _lines(piece: bytes) -> list[bytes]:
    """The lines of a piece, without their ends."""
    lines = [line.removesuffix(b"\r") for line in piece.split(b"\n")]
    return lines[:-1] if piece.endswith(b"\n") else lines
