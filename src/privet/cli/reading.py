"""The options of every verb that reads a file of ratings, and the reading itself."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from privet.cli import render
from privet.errors import RatingsError
from privet.formats.titles import titles_beside
from privet.lab import datasets
from privet.ratings import Catalogue, Duplicates, Ratings
from privet.ratings.files import is_saved
from privet.ratings.reading import Naming, columns_of_file


class RatingsFile(NamedTuple):
    """A file of ratings, and what was said of it."""

    path: str
    naming: Naming
    scale: tuple[float, float] | None
    duplicates: Duplicates | None

    @classmethod
    def asked(cls) -> "RatingsFile":
        """The file that the running command was asked to read."""
        said = click.get_current_context().meta[_SAID]
        file = said["file"]
        columns = (_column(said[f"{role}_column"]) for role in ("user", "item", "rating", "timestamp"))
        return cls("/dev/stdin" if file == "-" else file, Naming(*columns), said["scale"], said["duplicates"])

    def ratings(self) -> Ratings:
        """The ratings."""
        return self.counted(duplicates="error")[0]

    def counted(self, *, duplicates: Duplicates) -> tuple[Ratings, int]:
        """The ratings, and how many gave way to another of the same user and item.

        A public data set is known by its name, and its scale is public too.
        """
        source = datasets.recognised(self.path)
        scale = self.scale if source is None else self.scale or datasets.dataset(source).scale
        if is_saved(self.path):
            read = Ratings.read(
                self.path,
                user=self.naming.user,
                item=self.naming.item,
                rating=self.naming.rating,
                timestamp=self.naming.timestamp,
                scale=scale,
            )
            return read, 0
        with (
            render.progress() as progress,
            columns_of_file(self.path, self.naming, None, None, scale, progress) as columns,
        ):
            found = len(columns)
            ratings = Ratings.gathered(
                columns, users=None, items=None, scale=scale, duplicates=self.duplicates or duplicates
            )
        return ratings if source is None else ratings.named(source), found - len(ratings)


def ratings_file(function: Callable[..., None]) -> Callable[..., None]:
    """The argument FILE and the options that say what it holds; the command gets them as `RatingsFile.asked()`."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


_SAID = "privet.cli.reading"


def _keep(context: click.Context, parameter: click.Parameter, value: object) -> None:
    context.meta.setdefault(_SAID, {})[parameter.name] = value


_option = partial(click.option, expose_value=False, callback=_keep)

_OPTIONS = (
    click.argument("file", type=click.Path(allow_dash=True, readable=False), expose_value=False, callback=_keep),
    _option("--user-column", metavar="NAME", help="Which column holds the users: a name, or a position from 0."),
    _option("--item-column", metavar="NAME", help="Which column holds the items."),
    _option("--rating-column", metavar="NAME", help="Which column holds the ratings; 'none' if there is none."),
    _option("--timestamp-column", metavar="NAME", help="Which column holds the times; 'none' to leave it out."),
    _option("--scale", nargs=2, type=float, metavar="LOW HIGH", help="The scale of the ratings, if it is known."),
    _option(
        "--duplicates",
        type=click.Choice(["error", "last", "first", "mean"]),
        help="What to do where a user rated an item twice.",
    ),
)


def catalogue_of(file: str, catalogue: str | None) -> Catalogue | None:
    """The catalogue that is named, or the one that lies beside the ratings under its usual name."""
    if catalogue is not None:
        return Catalogue.read(catalogue)
    found = titles_beside(Path(file))
    try:
        return None if found is None else Catalogue.read(found)
    except RatingsError as problem:
        render.say(f"No titles: {problem}. --catalogue names another file.")
        return None


def _column(given: str | None) -> str | int | bool | None:
    if given is None:
        return None
    if given.lower() == "none":
        return False
    return int(given) if given.isdigit() else given
