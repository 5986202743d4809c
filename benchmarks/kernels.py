"""One target against all, beside the bare loop that no scattered sum can beat: updates a second, as ratios.

    .venv/bin/python benchmarks/kernels.py SAVED_RATINGS [--rounds 5]

The bare loop adds 1 to a word for every rating of the target's items, in the order of the users. The packed kernel adds
one word of three lanes, the hybrid kernel takes the busiest users of much rated items from columns; both finish the
cosines. Prints one line of JSON: the rows of a table.
"""

import argparse
import json
import statistics
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np

from privet.kernels.similarity import compiled
from privet.ratings import Ratings
from privet.similarity import cosine, rs
from privet.similarity.comparison import Comparison
from privet.similarity.sweep import CosineSweep

TARGETS = 200


@numba.njit(nogil=True)
def bare(rows, user_starts, user_items, item_starts, users, counts):
    for row in rows:
        counts[:] = 0
        for rating in range(user_starts[row], user_starts[row + 1]):
            item = user_items[rating]
            for place in range(item_starts[item], item_starts[item + 1]):
                counts[users[place]] += np.uint64(1)


class Room(threading.local):
    """What a thread fills again and again: to be given memory anew costs more than to fill it."""

    similarities = np.empty((0, 0))


def loops(ratings: Ratings, targets: np.ndarray) -> dict[str, Callable[[np.ndarray], None]]:
    """The three loops, each over some targets."""
    sweep, cells = CosineSweep.over(ratings), ratings.cells
    assert sweep is not None
    postings, columns = sweep.postings, sweep.columns
    users = (cells.item_users >> np.uint32(5)).astype(np.uint32)
    starts = postings.starts
    size = max(16, (1 << 17) // len(ratings.users))  # targets at a time: what they fill stays in a cache

    room = Room()

    def block(rows: np.ndarray, behind: np.ndarray, tiles: np.ndarray) -> None:
        if not room.similarities.size:
            room.similarities = np.empty((size, len(ratings.users)))
        compiled.cosine_block(
            rows,
            0,
            cells.user_starts,
            cells.user_items,
            cells.user_values,
            postings.entries,
            behind,
            starts[1:],
            columns.whole,
            tiles,
            columns.offsets,
            columns.values,
            sweep.table,
            sweep.word.widths,
            room.similarities[: len(rows)],
        )

    def by_part(loop: Callable[[np.ndarray], None]) -> Callable[[np.ndarray], None]:
        def over(rows: np.ndarray) -> None:
            for first in range(0, len(rows), size):
                loop(rows[first : first + size])

        return over

    nothing = np.zeros_like(columns.tiles)
    return {
        "bare": by_part(
            lambda rows: bare(
                rows, cells.user_starts, cells.user_items, starts, users, np.zeros(len(ratings.users), np.uint64)
            )
        ),
        "packed": by_part(lambda rows: block(rows, np.ascontiguousarray(starts[:-1]), nothing)),
        "hybrid": by_part(lambda rows: block(rows, columns.behind, columns.tiles)),
    }


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def side_by_side(loop: Callable[[np.ndarray], None], targets: np.ndarray, pool: ThreadPoolExecutor) -> None:
    halves = [np.ascontiguousarray(targets[which::2]) for which in range(2)]
    list(pool.map(loop, halves))


def sensitivity_costs(ratings: Ratings, targets: np.ndarray) -> tuple[float, float, float, float]:
    """Seconds of the sums of all pairs of the targets, of RS from them, and of both through the front door."""
    postings = ratings.postings
    assert postings is not None
    asked = []
    for target in targets.tolist():
        comparison = Comparison(ratings, ratings.profile(target))
        asked.append((comparison.profile.items, comparison.columnar))
    return (
        seconds(lambda: [compiled.product_sums(postings, items, own) for items, own in asked]),
        seconds(lambda: [compiled.largest_losses(postings, items, own) for items, own in asked]),
        seconds(lambda: [cosine(ratings, target) for target in targets.tolist()]),
        seconds(lambda: [rs(ratings, target) for target in targets.tolist()]),
    )


def rows_of(path: str, rounds: int) -> list[dict[str, object]]:
    ratings = Ratings.open(path)
    chosen = np.random.default_rng(1).choice(len(ratings.users), min(TARGETS, len(ratings.users)), replace=False)
    updates = sum(int(np.diff(ratings.cells.item_starts)[ratings.profile(row).items].sum()) for row in chosen.tolist())
    named = loops(ratings, chosen)
    found: dict[str, list[float]] = {
        name: [] for name in (*named, "one", "two", "sums", "rs", "cosine", "whole_rs", "bare_few")
    }
    few = chosen[:50]
    often = np.tile(chosen, max(1, 1_000_000_000 // updates))  # work enough for what starts a thread not to matter
    pool = ThreadPoolExecutor(2)
    for warm_up in range(rounds + 1):
        took = {name: seconds(lambda loop=loop: loop(chosen)) for name, loop in named.items()}
        took["one"] = seconds(lambda: named["hybrid"](often))
        took["two"] = seconds(lambda: side_by_side(named["hybrid"], often, pool))
        took["sums"], took["rs"], took["cosine"], took["whole_rs"] = sensitivity_costs(ratings, few)
        took["bare_few"] = seconds(lambda: named["bare"](few))
        if warm_up:
            for name, value in took.items():
                found[name].append(value)

    def ratio(one: str, other: str) -> float:
        return statistics.median(a / b for a, b in zip(found[one], found[other], strict=True))

    large = len(ratings) >= 5_000_000
    return [
        row("bare loop", updates / statistics.median(found["bare"]) / 1e9, unit="G updates/s"),
        row("hybrid kernel / bare loop, updates a second", ratio("bare", "hybrid"), 1.0, "at least"),
        row("packed kernel / bare loop, updates a second", ratio("bare", "packed")),
        row("hybrid / packed kernel", ratio("packed", "hybrid"), 1.35 if large else None, "at least"),
        row("two threads / one, hybrid", ratio("one", "two"), 1.8, "at least"),
        row("RS of all pairs / the similarity pass", ratio("rs", "sums"), 3.5, "at most"),
        row("cosine(ratings, row), Python and all / bare loop", ratio("bare_few", "cosine")),
        row("one target, hybrid kernel", statistics.median(found["hybrid"]) / len(chosen) * 1e3, unit="ms"),
        row("one target, cosine(ratings, row)", statistics.median(found["cosine"]) / len(few) * 1e3, unit="ms"),
        row("one target, rs(ratings, row)", statistics.median(found["whole_rs"]) / len(few) * 1e3, unit="ms"),
    ]


def row(what: str, found: float, wanted: float | None = None, sense: str = "", unit: str = "x") -> dict[str, object]:
    return {"what": what, "found": found, "wanted": wanted, "sense": sense, "unit": unit}


def main(path_of_saved_set: str, rounds: int) -> None:
    print(json.dumps({"rows": rows_of(path_of_saved_set, rounds)}))


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("path")
    options.add_argument("--rounds", type=int, default=5)
    given = options.parse_args()
    main(given.path, given.rounds)
