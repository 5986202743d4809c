"""privet info: what a file of ratings holds."""

from datetime import UTC, datetime
from typing import Any

import click
import numpy as np

from privet.arrays import IntArray
from privet.cli import render
from privet.cli.reading import RatingsFile, catalogue_of, ratings_file
from privet.ratings import Catalogue, Ratings


@click.command(name="info")
@ratings_file
@click.option("--catalogue", type=click.Path(), help="Titles: CSV or TSV with item_id, title and categories.")
@click.option("--top", type=click.IntRange(min=0), default=10, show_default=True, help="How many items to list.")
@render.format_option
def command(catalogue: str | None, top: int, format: str) -> None:
    """Tell what FILE holds: users, items, ratings, density, scale, duplicates and the items rated most.

    FILE may be - for standard input. CSV has the facts alone; JSON has them as numbers, and the items rated most.
    """
    file = RatingsFile.asked()
    titles = catalogue_of(file.path, catalogue)
    ratings, again = file.counted(duplicates="last")
    found = _facts(ratings, again)
    most = _most_rated(ratings, titles, top)
    if format == "json":
        rows = [dict(zip(most, row, strict=True)) for row in zip(*most.values(), strict=True)]
        render.facts(found | {"most_rated": rows}, format=format)
    else:
        render.facts(_in_words(found), format=format)
    if top and format == "table":
        render.show("")
        render.table(most, title="rated most")


def _facts(ratings: Ratings, again: int) -> dict[str, Any]:
    users, items = len(ratings.users), len(ratings.items)
    times = ratings.cells.timestamps
    return {
        "users": users,
        "items": items,
        "ratings": len(ratings),
        "density": len(ratings) / max(1, users * items),
        "scale": list(ratings.scale),
        "scale_declared": ratings.scale_declared,
        "values": None if ratings.cells.grid is None else sorted(ratings.cells.grid.tolist()),
        "mean": ratings.mean,
        "duplicates": again,
        "ratings_of_a_user": _spread(np.diff(ratings.cells.user_starts)),
        "ratings_of_an_item": _spread(np.diff(ratings.cells.item_starts)),
        "times": None if times is None or not len(times) else [_day(times.min()), _day(times.max())],
        "user_ids": "whole numbers" if ratings.users.of_numbers else "text",
        "item_ids": "whole numbers" if ratings.items.of_numbers else "text",
        "bytes": ratings.nbytes,
    }


def _in_words(found: dict[str, Any]) -> dict[str, Any]:
    """The facts as a person reads them."""
    low, high = found["scale"]
    grid, times = found["values"], found["times"]
    words = {
        "density": f"{found['density']:.3%}",
        "scale": f"{low:g} to {high:g}" + ("" if found["scale_declared"] else ", as found and not declared"),
        "values": "more than 32 different" if grid is None else " ".join(f"{value:g}" for value in grid),
        "times": "none" if times is None else " to ".join(times),
        "bytes": f"{found['bytes']:,}, {found['bytes'] / max(1, found['ratings']):.1f} a rating",
    }
    for spread in ("ratings_of_a_user", "ratings_of_an_item"):
        least, median, most = found[spread].values()
        words[spread] = f"{least:,} to {most:,}, median {median:g}"
    return {name: words.get(name, value) for name, value in found.items() if name != "scale_declared"}


def _most_rated(ratings: Ratings, titles: Catalogue | None, top: int) -> dict[str, list[Any]]:
    counts = np.diff(ratings.cells.item_starts)
    rows = np.lexsort((np.arange(len(counts)), -counts))[:top]
    ids = ratings.items.ids(rows)
    columns: dict[str, list[Any]] = {
        "item_id": list(ids),
        "ratings": counts[rows].tolist(),
        "mean": [round(mean, 3) for mean in ratings.item_means[rows].tolist()],
    }
    return columns if titles is None else columns | {"title": [titles.title(id) for id in ids]}


def _spread(counts: IntArray) -> dict[str, float]:
    if not len(counts):
        return {"least": 0, "median": 0, "most": 0}
    return {"least": int(counts.min()), "median": float(np.median(counts)), "most": int(counts.max())}


def _day(seconds: Any) -> str:
    try:
        return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%d")
    except (ValueError, OverflowError, OSError):
        return str(int(seconds))
