"""privet recommend: what to show a user."""

from pathlib import Path

import click

from privet.cli import keys, render
from privet.cli.reading import RatingsFile, catalogue_of, ratings_file
from privet.method import Method
from privet.recommender import Recommender
from privet.selection import SELECTORS
from privet.settings import settings_of

DEFAULT_METHOD = "ppns:p=.5,short=fill"


def _methods() -> str:
    """What `--method` takes, from the settings themselves."""
    lines = ["\b", "Methods, as 'name:setting=value,...':"]
    for name, selector in SELECTORS.items():
        lines.append(f"  {name}: {(selector.__doc__ or '').partition(chr(10))[0]}")
        for setting, described in {"k": settings_of(Method)["k"], **settings_of(selector)}.items():
            lines.append(f"    {setting}  {described.domain}: {described.says}")
    return "\n".join(lines)


@click.command(name="recommend", epilog=_methods())
@ratings_file
@click.option("--user", "user", required=True, metavar="ID", help="Whom to recommend to.")
@click.option(
    "--method", metavar="TEXT", help=f"How, such as 'knn:k=30' or 'ppns:p=.9,k=50'; {DEFAULT_METHOD} if not said."
)
@click.option("-n", "n", type=int, default=10, show_default=True, help="How many items, at most.")
@click.option("--catalogue", type=click.Path(), help="Titles: CSV or TSV with item_id, title and categories.")
@click.option("--epoch", type=int, default=0, show_default=True, help="One draw of neighbours per user and epoch.")
@click.option(
    "--key-file", type=click.Path(path_type=Path), help="The key of the draw; made on first use if none is named."
)
@click.option("--seed", type=int, help="A seed instead of a key: for experiments.")
@render.format_option
def command(
    user: str,
    method: str | None,
    n: int,
    catalogue: str | None,
    epoch: int,
    key_file: Path | None,
    seed: int | None,
    format: str,
) -> None:
    """Recommend items of FILE to a user: those not rated yet that neighbours rate highest.

    FILE may be - for standard input.
    """
    if seed is not None and key_file is not None:
        raise click.UsageError("Name a key file or a seed, not both.")
    if method is None:
        render.say(
            "No --method: PPNS with p = .5, filled up where its partitions run out (short=fill); a heuristic,"
            " without a proof of privacy."
        )
    parsed = Method.parse(method or DEFAULT_METHOD)
    file = RatingsFile.asked()
    ratings = file.ratings()
    key = None if seed is not None else keys.key_from(key_file)
    titles = catalogue_of(file.path, catalogue)
    recommender = Recommender(ratings, parsed, catalogue=titles, key=key, seed=seed, epoch=epoch)
    found = recommender.recommend(ratings.users.parse(user), n=n)
    render.table(found.columns(), format=format)
