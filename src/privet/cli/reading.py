"""The options of every verb that reads a file of ratings, and the reading itself."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from privet.cli import render
from privet.lab import datasets
from privet.ratings import Catalogue, Duplicates, Ratings

_BESIDE = {"u.data": "u.item", "ratings.dat": "movies.dat", "ratings.csv": "movies.csv"}


def ratings_file(function: Callable[..., Any]) -> Callable[..., Any]:
    """The argument FILE and the options that say what it holds, handed on as `file` and `options`."""

    @click.argument("file", type=click.Path(allow_dash=True), callback=_standard_input)
    @click.option("--user-column", metavar="NAME", help="Which column holds the users: a name, or a position from 0.")
    @click.option("--item-column", metavar="NAME", help="Which column holds the items.")
    @click.option("--rating-column", metavar="NAME", help="Which column holds the ratings; 'none' if there is none.")
    @click.option("--time-column", metavar="NAME", help="Which column holds the times; 'none' to leave it out.")
    @click.option("--scale", nargs=2, type=float, metavar="LOW HIGH", help="The scale of the ratings, if it is known.")
    @click.option(
        "--duplicates",
        type=click.Choice(["error", "last", "first", "mean"]),
        help="What to do where a user rated an item twice.",
    )
    @wraps(function)
    def reading(
        user_column: str | None,
        item_column: str | None,
        rating_column: str | None,
        time_column: str | None,
        scale: tuple[float, float] | None,
        duplicates: str | None,
        **others: Any,
    ) -> Any:
        options = {
            "user": _column(user_column),
            "item": _column(item_column),
            "rating": _column(rating_column),
            "timestamp": _column(time_column),
            "scale": scale,
            "duplicates": duplicates,
        }
        return function(options=options, **others)

    return reading


def ratings_in(file: str, options: dict[str, Any]) -> Ratings:
    """The ratings of a file."""
    return counted_ratings_in(file, options, duplicates="error")[0]


def counted_ratings_in(file: str, options: dict[str, Any], *, duplicates: Duplicates) -> tuple[Ratings, int]:
    """The ratings of a file, and how many gave way to another of the same user and item.

    A public data set is known by its name, and its scale is public too.
    """
    source = datasets.recognised(file)
    scale = datasets.dataset(source).scale if source is not None else None
    options = options | {
        "duplicates": options["duplicates"] or duplicates,
        "scale": options["scale"] or scale,
    }
    with render.progress() as progress:
        ratings, again = Ratings.read_counting(file, **options, progress=progress)
    return ratings.named(source) if source is not None else ratings, again


def catalogue_of(file: str, catalogue: str | None) -> Catalogue | None:
    """The catalogue that is named, or the one that lies beside the ratings under its usual name."""
    if catalogue is not None:
        return Catalogue.read(catalogue)
    path = Path(file)
    beside = (
        path.with_suffix(f".items{path.suffix}"),
        path.with_suffix(".item") if path.suffix == ".inter" else None,
        path.with_name(_BESIDE[path.name]) if path.name in _BESIDE else None,
    )
    found = next((candidate for candidate in beside if candidate is not None and candidate.is_file()), None)
    return None if found is None else Catalogue.read(found)


def _standard_input(context: click.Context, parameter: click.Parameter, file: str) -> str:
    return "/dev/stdin" if file == "-" else file


def _column(given: str | None) -> str | int | bool | None:
    if given is None:
        return None
    if given.lower() == "none":
        return False
    return int(given) if given.isdigit() else given
