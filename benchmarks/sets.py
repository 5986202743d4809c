"""The sets of the benchmarks: synthetic ones of the size and much the skew of MovieLens, and MovieLens where it is had.

Each is made once, into `.sets/` beside this file: `NAME.privet`, which `Ratings.open` maps, and `NAME.npz`, the same
ratings as columns of rows for the peers. Remove the folder to make them anew.
"""

import math
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from privet.errors import PrivetError
from privet.lab import datasets
from privet.ratings import Ratings

FOLDER = Path(__file__).parent / ".sets"


class Recipe(NamedTuple):
    """What a synthetic set has in common with the set that it stands for."""

    users: int
    items: int
    ratings: int
    share: float  # of the users who rated the most popular item
    squares: float  # of the items' numbers of ratings, summed: the pairs of ratings that co-rated similarities are of
    half_stars: bool = False


SYNTHETIC = {
    "100k": Recipe(943, 1_682, 100_000, 0.52, 1.52e7),
    "1m": Recipe(6_040, 3_706, 1_000_000, 0.47, 7.2e8),
    "10m": Recipe(70_000, 10_700, 10_000_000, 0.44, 7.1e10, half_stars=True),
}
MOVIELENS = ("ml-100k", "ml-1m")
NAMES = (*SYNTHETIC, *MOVIELENS)


def prepared(name: str) -> Path:
    """The path of a saved set, made or fetched first where it is missing; its columns lie beside it."""
    path = FOLDER / f"{name}.privet"
    if not path.exists():
        FOLDER.mkdir(exist_ok=True)
        ratings = synthetic(SYNTHETIC[name]) if name in SYNTHETIC else datasets.load(name)
        cells = ratings.cells
        columns = {"users": cells.users(), "items": cells.user_items, "ratings": cells.values().astype(np.float32)}
        np.savez(path.with_suffix(".npz"), **columns, shape=cells.shape, scale=ratings.scale)
        ratings.save(path)
    return path


def described(path: Path) -> str:
    """The statistics that the recipes are about."""
    ratings = Ratings.open(path)
    counts = np.diff(ratings.cells.item_starts).astype(float)
    return (
        f"{len(ratings.users):,} users x {len(ratings.items):,} items, {len(ratings):,} ratings,"
        f" largest share {counts.max() / len(ratings.users):.2f}, sum of squares {(counts**2).sum():.2e}"
    )


def synthetic(recipe: Recipe, seed: int = 1) -> Ratings:
    """Items as popular as the recipe says, rated by users of whom some rate far more than others."""
    random = np.random.default_rng(seed)
    counts = random.permutation(item_counts(recipe))
    eagerness = random.lognormal(0, 1.15, recipe.users)
    users = np.concatenate([raters(eagerness, count, random) for count in counts])
    items = np.repeat(np.arange(recipe.items), counts)
    quality, kindness = random.normal(3.6, 0.5, recipe.items), random.normal(0, 0.4, recipe.users)
    liking = quality[items] + kindness[users] + random.normal(0, 0.9, len(users))
    scale, step = ((0.5, 5.0), 0.5) if recipe.half_stars else ((1.0, 5.0), 1.0)
    stars = np.clip(np.rint(liking / step) * step, *scale)
    return Ratings.of(users, items, stars, users=range(recipe.users), items=range(recipe.items), scale=scale)


def raters(eagerness: np.ndarray, count: int, random: np.random.Generator) -> np.ndarray:
    """So many different users, the eager ones rather: those whose exponential clocks ring first."""
    return np.argpartition(random.exponential(size=len(eagerness)) / eagerness, count)[:count]


def item_counts(recipe: Recipe) -> np.ndarray:
    """Numbers of ratings per item, falling as a shifted power law with the sum and the sum of squares that are wanted.

    At a given steepness the shift decides the sum; at the shift that hits the sum, the steepness decides the squares.
    """

    def counts(shift: float, steepness: float) -> np.ndarray:
        falling = (1 + np.arange(recipe.items) / shift) ** -steepness
        return np.maximum(recipe.share * recipe.users * falling, 1)

    def shift_at(steepness: float) -> float:
        return bisected(1e-2, 1e7, lambda shift: counts(shift, steepness).sum() < recipe.ratings)

    steepness = bisected(0.3, 12, lambda guess: (counts(shift_at(guess), guess) ** 2).sum() < recipe.squares)
    cumulated = np.cumsum(counts(shift_at(steepness), steepness))
    return np.diff(np.rint(cumulated), prepend=0).astype(int)  # whole numbers, and the sum is kept


def bisected(low: float, high: float, too_low: Callable[[float], bool]) -> float:
    """Where `too_low` turns false, between two positive bounds."""
    for _ in range(80):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if too_low(middle) else (low, middle)
    return high


def main() -> None:
    for name in NAMES:
        try:
            print(f"{name}: {described(prepared(name))}", flush=True)
        except PrivetError as problem:
            print(f"{name}: not to be had: {problem}", flush=True)


if __name__ == "__main__":
    main()
