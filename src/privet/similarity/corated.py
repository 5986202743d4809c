"""The common ratings of a target and of others: whose they are, the target's item, the rating of the other."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from privet.arrays import FloatArray, IntArray
from privet.ratings import Profile, Ratings

_AT_ONCE = 1 << 20  # ratings: what is made of them stays within tens of megabytes


class Corated(NamedTuple):
    """One entry per common rating."""

    users: IntArray
    which: IntArray  # the place of the item in the target's record
    values: FloatArray


def by_item(ratings: Ratings, profile: Profile) -> Iterator[Corated]:
    """Everybody's ratings of the target's items, item by item, in parts of bounded size; a user is named by row."""
    counts = np.diff(ratings.cells.item_starts)[profile.items]
    parts = np.cumsum(counts) // _AT_ONCE
    for part in np.unique(parts).tolist():
        places = np.flatnonzero(parts == part)
        raters = [ratings.raters(item) for item in profile.items[places].tolist()]
        yield Corated(
            np.concatenate([users for users, _ in raters]),
            np.repeat(places, counts[places]),
            np.concatenate([values for _, values in raters]),
        )


def by_user(ratings: Ratings, profile: Profile, others: IntArray) -> Corated:
    """What some users rated of the target's items, at a cost in proportion to their records; named by their place."""
    cells = ratings.cells
    starts, lengths = cells.user_starts[others], np.diff(cells.user_starts)[others]
    ends = np.cumsum(lengths)
    places = np.arange(int(lengths.sum())) + np.repeat(starts - (ends - lengths), lengths)
    items = cells.user_items[places]
    which = np.minimum(np.searchsorted(profile.items, items), len(profile) - 1)
    common = profile.items[which] == items if len(profile) else np.zeros(len(items), np.bool_)
    users = np.repeat(np.arange(len(others)), lengths)
    return Corated(users[common], which[common], cells.values_at(places[common]).floats())
