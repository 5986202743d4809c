"""privet info: what a file of ratings holds."""

from datetime import UTC, datetime
from typing import Any

import click
import numpy as np

from privet.cli import render
from privet.cli.reading import RatingsFile, catalogue_of, ratings_file
from privet.ratings import Catalogue, Ratings


@click.command(name="info")
@ratings_file
@click.option("--catalogue", type=click.Path(), help="Titles: CSV or TSV with item_id, title and categories.")
@click.option("--top", type=click.IntRange(min=0), default=10, show_default=True, help="How many items to list.")
@render.format_option
def command(file: RatingsFile, catalogue: str | None, top: int, format: str) -> None:
    """Tell what FILE holds: users, items, ratings, density, scale, duplicates and the items rated most."""
    titles = catalogue_of(file.path, catalogue)
    ratings, again = file.counted(duplicates="last")
    found = _facts(ratings, again)
    most = _most_rated(ratings, titles, top)
    if format == "json":
        rows = [dict(zip(most, row, strict=True)) for row in zip(*most.values(), strict=True)]
        render.facts(found | {"most_rated": rows}, format=format)
        return
    render.facts(found, format=format)
    if top and format == "table":
        render.show("")
        render.table(most, title="rated most")


def _facts(ratings: Ratings, again: int) -> dict[str, Any]:
    users, items = len(ratings.users), len(ratings.items)
    of_users, of_items = (np.diff(starts) for starts in (ratings.cells.user_starts, ratings.cells.item_starts))
    low, high = ratings.scale
    times = ratings.cells.timestamps
    return {
        "users": users,
        "items": items,
        "ratings": len(ratings),
        "density": f"{len(ratings) / max(1, users * items):.3%}",
        "scale": f"{low:g} to {high:g}" + ("" if ratings.scale_declared else ", as found and not declared"),
        "values": "more than 32" if ratings.cells.grid is None else " ".join(f"{v:g}" for v in ratings.cells.grid),
        "mean": f"{ratings.mean:.3f}",
        "duplicates": again,
        "ratings_of_a_user": _spread(of_users),
        "ratings_of_an_item": _spread(of_items),
        "times": "none" if times is None else f"{_day(times.min())} to {_day(times.max())}",
        "user_ids": "whole numbers" if ratings.users.of_numbers else "text",
        "item_ids": "whole numbers" if ratings.items.of_numbers else "text",
        "memory": f"{ratings.nbytes:,} bytes, {ratings.nbytes / max(1, len(ratings)):.1f} a rating",
    }


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


def _spread(counts: Any) -> str:
    return f"{counts.min()} to {counts.max():,}, median {np.median(counts):g}"


def _day(seconds: Any) -> str:
    try:
        return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%d")
    except (ValueError, OverflowError, OSError):
        return str(int(seconds))
