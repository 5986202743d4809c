"""Printing: tables on stdout as text, JSON or CSV, and talk and progress on stderr.

rich loads when something is drawn, so that `privet doctor` can tell that it is missing.
"""

import csv
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from privet.progress import Progress

if TYPE_CHECKING:
    from rich.table import Table

FORMATS = ("table", "json", "csv")


def format_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """The option that says how to print."""
    option = click.option(
        "--format", "format", type=click.Choice(FORMATS), default="table", show_default=True, help="How to print."
    )
    return option(function)


def say(text: str) -> None:
    """Talk, which is no output."""
    click.echo(text, err=True)


def show(text: str) -> None:
    """Output, as it is."""
    click.echo(text)


def table(columns: Mapping[str, Any], *, format: str = "table", title: str | None = None) -> None:
    """Print columns."""
    plain = {name: _plain(column) for name, column in columns.items()}
    rows = list(zip(*plain.values(), strict=True))
    if format == "json":
        show(json.dumps([dict(zip(plain, row, strict=True)) for row in rows], ensure_ascii=False, indent=1))
    elif format == "csv":
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(plain)
        writer.writerows([["" if value is None else value for value in row] for row in rows])
    else:
        from rich.table import Table

        drawn = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
        for name, column in plain.items():
            numbers = all(isinstance(value, (int, float)) for value in column if value is not None)
            drawn.add_column(_spelt(name), justify="right" if numbers and column else "left", overflow="fold")
        for row in rows:
            drawn.add_row(*map(_shown, row))
        _draw(drawn)


def facts(found: Mapping[str, Any], *, format: str = "table") -> None:
    """Print one value per name."""
    if format == "json":
        show(json.dumps({name: _plain_value(value) for name, value in found.items()}, ensure_ascii=False, indent=1))
    elif format == "csv":
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerows([name, "" if value is None else value] for name, value in found.items())
    else:
        from rich.table import Table

        drawn = Table(box=None, pad_edge=False, show_header=False)
        for name, value in found.items():
            plain = _plain_value(value)
            drawn.add_row(_spelt(name), f"{plain:,}" if type(plain) is int else _shown(plain))
        _draw(drawn)


@contextmanager
def progress() -> Iterator[Progress]:
    """A function that shows how far something is, on a terminal, while there is something to wait for."""
    from rich.console import Console
    from rich.progress import BarColumn, TaskID, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    console = Console(stderr=True)
    bars = Bars(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    tasks: dict[str, TaskID] = {}

    def told(what: str, done: int, total: int) -> None:
        if what not in tasks:
            tasks[what] = bars.add_task(what, total=total)
        bars.update(tasks[what], completed=done, total=total)

    with bars:
        yield told


def _draw(drawn: "Table") -> None:
    from rich.console import Console

    # A file or a pipe has no width: lines are as long as they need to be, so that nothing is cut.
    console = Console(highlight=False, markup=False, emoji=False, width=None if sys.stdout.isatty() else 10_000)
    with console.capture() as capture:
        console.print(drawn)
    lines = [line.rstrip() for line in capture.get().splitlines()]
    show("\n".join(lines))


def _plain(column: Sequence[Any]) -> list[Any]:
    return [_plain_value(value) for value in (column.tolist() if hasattr(column, "tolist") else column)]


def _plain_value(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _spelt(name: str) -> str:
    return name.replace("_", " ")
