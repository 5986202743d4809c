"""Tables: Parquet files and frames, whose columns have types of their own."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from privet.errors import RatingsError
from privet.formats.blocks import ArrowTable, Block, Fault, block_of
from privet.formats.places import Place
from privet.formats.roles import Naming, NoSuchColumn, Roles, roles_of
from privet.progress import Progress

_ROWS = 1 << 20  # of a block


class _Table:
    """Columns with types, and rows that are counted from 0."""

    typed = True

    def __init__(self, names: list[str], naming: Naming, file: str | None):
        self._file = file
        try:
            self._roles: Roles = roles_of(names, naming)
        except NoSuchColumn as problem:
            raise RatingsError(str(problem), file=file) from None

    def place(self, row: int) -> Place:
        """The row in which a rating stands."""
        return Place(self._file, None, row)

    def _blocks(self, batches: Iterator[ArrowTable], column: Callable[[ArrowTable, int], Any]) -> Iterator[Block]:
        row = 0
        try:
            for batch in batches:
                for start in range(0, len(batch), _ROWS):
                    part = batch.slice(start, _ROWS)
                    roles = self._roles.positions().items()
                    yield block_of({role: _plain(column(part, place)) for role, place in roles})
                    row += len(part)
        except Fault as fault:
            at = None if fault.row is None else row + fault.row
            raise RatingsError(fault.reason, file=self._file, row=at) from None
        except (pa.ArrowException, OSError) as problem:
            reason = f"the rows from {row} on are damaged: {_first_line(problem)}"
            raise RatingsError(reason, file=self._file) from None


class ParquetFile(_Table):
    """The ratings in a Parquet file."""

    def __init__(self, file: BinaryIO, name: str, naming: Naming, *, progress: Progress | None = None):
        try:
            self._parquet = pq.ParquetFile(file)
        except (pa.ArrowException, OSError) as problem:
            raise RatingsError(f"the Parquet file is damaged or cut short: {_first_line(problem)}", file=name) from None
        super().__init__(self._parquet.schema_arrow.names, naming, name)
        self._progress = progress

    def blocks(self) -> Iterator[Block]:
        """The ratings, some row groups at a time."""
        names = self._parquet.schema_arrow.names
        wanted = list(self._roles.positions().values())
        columns = [names[place] for place in wanted]
        for name in columns:
            if names.count(name) > 1:
                raise RatingsError(f"there are {names.count(name)} columns called {name!r}", file=self._file)
        yield from self._blocks(self._batches(columns), lambda batch, place: batch.column(wanted.index(place)))

    def _batches(self, columns: list[str]) -> Iterator[ArrowTable]:
        rows, done = self._parquet.metadata.num_rows, 0
        for batch in self._parquet.iter_batches(batch_size=_ROWS, columns=columns):
            yield batch.select(columns)
            done += len(batch)
            if self._progress:
                self._progress("reading", done, rows)


class Frame(_Table):
    """The ratings in a frame: whatever speaks the Arrow stream interface, or a mapping of columns."""

    def __init__(self, frame: Any, naming: Naming):
        try:
            if isinstance(frame, Mapping):
                frame = pa.table({str(name): pa.array(column) for name, column in frame.items()})
            self._reader = pa.RecordBatchReader.from_stream(frame)
        except (pa.ArrowException, TypeError, ValueError, OverflowError) as problem:
            if not hasattr(frame, "__arrow_c_stream__") and not isinstance(frame, Mapping):
                raise RatingsError(
                    "a frame must offer __arrow_c_stream__, as those of pandas, polars and Arrow do;"
                    f" got {type(frame).__name__}"
                ) from None
            raise _mixture(frame, problem) from None
        super().__init__(self._reader.schema.names, naming, None)

    def blocks(self) -> Iterator[Block]:
        """The ratings, as the frame hands them over."""
        yield from self._blocks(iter(self._reader), lambda batch, place: batch.column(place))


def _plain(column: Any) -> Any:
    """A column that is sound and has no dictionary: the frame's may name categories that no row has."""
    column.validate(full=True)
    if not pa.types.is_dictionary(column.type):
        return column
    words = column.dictionary
    if pa.types.is_string_view(words.type):  # which Arrow cannot take from
        words = words.cast(pa.string())
    return words.take(column.indices)


def _mixture(frame: Any, problem: Exception) -> RatingsError:
    """The error for a frame with a column whose values are of several types, with its name and the first such row."""
    names = list(getattr(frame, "columns", frame))
    for name in names:
        values = list(frame[name])
        for row, value in enumerate(values):
            if type(value) is not type(values[0]):
                kinds = f"{type(values[0]).__name__} and {type(value).__name__}"
                return RatingsError(f"the column {name!r} holds {kinds}; a column has one type", row=row)
    return RatingsError(f"the frame cannot be read: {_first_line(problem)}")


def _first_line(problem: Exception) -> str:
    return str(problem).partition("\n")[0]
