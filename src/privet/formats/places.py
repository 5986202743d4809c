"""Places: where a rating stands, for whoever must say what is wrong with it."""

from typing import NamedTuple

from privet.errors import RatingsError


class Place(NamedTuple):
    """A line of a file, counted from 1, or a row of columns, counted from 0."""

    file: str | None = None
    line: int | None = None
    row: int | None = None

    def error(self, reason: str) -> RatingsError:
        """The error that names this place."""
        return RatingsError(reason, file=self.file, line=self.line, row=self.row)

    def __str__(self) -> str:
        return f"line {self.line}" if self.line is not None else f"row {self.row}"
