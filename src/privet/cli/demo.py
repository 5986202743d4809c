"""privet demo: a made-up shop, with plain neighbours and PPNS side by side."""

from collections import Counter
from typing import Any

import click
import numpy as np

from privet.cli import render
from privet.lab.synthetic import Shop, synthetic
from privet.ratings import Catalogue, Ratings
from privet.recommender import Neighbourhood, Recommender
from privet.theory import beta_formula

USERS, ITEMS, RATINGS = 900, 200, 30_000
K, P = 60, 0.5
METHODS = {"kNN": (f"knn:k={K}", 1.0), "PPNS": (f"ppns:p={P},k={K}", P)}  # and the p that each amounts to


@click.command(name="demo")
@click.option("--customer", type=click.IntRange(1, USERS), default=7, show_default=True, help="Whom to recommend to.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same shop and draw.")
def command(customer: int, seed: int) -> None:
    """Make up a shop and recommend to one customer twice: by the nearest neighbours, and by PPNS."""
    shop = synthetic(USERS, ITEMS, RATINGS, seed=seed)
    known, catalogue = shop.ratings(), shop.catalogue()
    asked = {name: Recommender(known, method, catalogue=catalogue, seed=seed) for name, (method, _) in METHODS.items()}
    row = known.users.row(customer)
    render.show(f"A made-up shop: {USERS:,} customers, {ITEMS:,} items, {RATINGS:,} ratings from 1 to 5.")
    render.show(_liked(shop, known, catalogue, row, customer) + "\n")
    render.table(_side_by_side(asked, customer), title="What each method recommends")
    render.show("")
    chosen = {name: recommender.neighbours(customer) for name, recommender in asked.items()}
    render.table(_choices(chosen), title="Whom each method asked")
    render.show(
        "\nkNN asks the nearest: accounts that copy the known ratings of a customer have"
        "\nthat customer for a neighbour, and read the rest out of what is recommended to"
        "\nthem. PPNS asks some of the nearest and some from farther partitions; a larger"
        "\nbeta means a wider choice. That is a heuristic: neither p nor beta is a guarantee"
        "\nof privacy."
    )


def _liked(shop: Shop, known: Ratings, catalogue: Catalogue, row: int, customer: int) -> str:
    profile = known.profile(row)
    best = profile.items[profile.values == profile.values.max(initial=0)]
    kinds = Counter(kind for item in best.tolist() for kind in catalogue.categories.get(known.items.id(item), ()))
    favourites = " and ".join(kind for kind, _ in kinds.most_common(2))
    return f"Customer {customer} has rated {len(profile)} of them, and liked {favourites} best."


def _side_by_side(asked: dict[str, Recommender], customer: int) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {}
    for name, recommender in asked.items():
        found = recommender.recommend(customer, n=8)
        columns[name] = found.titles or []
        columns[f"{name} score"] = np.round(found.scores, 2).tolist()
    return {"place": list(range(1, len(columns["kNN"]) + 1))} | columns


def _choices(chosen: dict[str, Neighbourhood]) -> dict[str, list[Any]]:
    facts = [_facts(name, neighbours) for name, neighbours in chosen.items()]
    return {"": list(facts[0])} | {
        name: [fact[what] for what in fact] for name, fact in zip(chosen, facts, strict=True)
    }


def _facts(name: str, neighbours: Neighbourhood) -> dict[str, str]:
    _, p = METHODS[name]
    counts = Counter(neighbours.partitions.tolist())
    return {
        "p": f"{p:g}",
        "beta (Eq. 20)": f"{beta_formula(K, p):.1f}",
        "neighbours": str(len(neighbours)),
        "of the nearest": f"{counts[1]} of {K}",
        "from partition": ", ".join(f"{partition}: {count}" for partition, count in sorted(counts.items())),
        "sum of their similarities": f"{neighbours.similarities.sum():.2f}",
        "customers, nearest first": _abridged([str(id) for id in neighbours.user_ids.tolist()]),
    }


def _abridged(ids: list[str], ends: int = 4) -> str:
    return " ".join(ids if len(ids) <= 2 * ends else [*ids[:ends], "...", *ids[-ends:]])
