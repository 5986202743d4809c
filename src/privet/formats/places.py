"""Places: where a rating stands, for whoever must say what is wrong with it."""

from typing import NamedTuple

from privet.errors import RatingsError

LATEST = 253_402_300_799  # the last second of the year 9999, the last that a date can name
MILLISECONDS = "Divide milliseconds by 1000, or leave the column out with timestamp=False"


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
