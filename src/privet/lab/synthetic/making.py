"""What a shop is made from: goods with tastes that like them, and people with tastes."""

from dataclasses import dataclass

import numpy as np

from privet.arrays import FloatArray, IntArray, frozen

SCALE = (1.0, 5.0)
_ROUNDS = 6  # of drawing with repetition, before those who still lack items draw the slow way

# What makes the shape like that of published film ratings (mean 3.5, the most popular item with half of the users,
# the idlest user with a fifth of the mean activity).
_TAIL, _HEAD = 1.1, 0.02  # popularity is (rank + head * items) ** -tail
_ACTIVITY_SPREAD = 0.9
_MAIN = 0.8  # the share of the main taste; the second taste has the rest
_OWN_SHELF, _WITHIN = 1.1, 0.5  # how much a taste prefers its own shelf, and how it varies from item to item
_SEEKING = 0.9  # how far a taste decides what one comes across
_MEAN, _QUALITY, _MOOD, _LIKING, _WHIM = 3.2, 0.35, 0.3, 1.7, 0.65

_OPENING, _YEAR, _DAY = 1_600_000_000, 365 * 86_400, 86_400
_ITEMS_PART, _USERS_PART, GROUP_PART = range(3)


@dataclass(frozen=True)
class Goods:
    """What holds of the items: shelf, quality, and for each taste the liking and the chance of being come across."""

    shelf: IntArray
    second: IntArray  # a second shelf, or -1
    quality: FloatArray
    liking: FloatArray  # tastes x items
    weights: FloatArray  # tastes x items
    cumulative: FloatArray  # the weights added up, taste t in (t, t + 1]: one search for draws of all tastes

    @classmethod
    def of(cls, n: int, *, tastes: int, seed: int) -> "Goods":
        """Make up so many items."""
        random = randomness(seed, _ITEMS_PART, 0)
        rank = np.argsort(random.random(n), kind="stable")
        shelf = (random.random(n) * tastes).astype(np.int64)
        second = np.where(random.random(n) < 0.2, (random.random(n) * tastes).astype(np.int64), -1)
        own = (shelf == np.arange(tastes)[:, None]) | (second == np.arange(tastes)[:, None])
        liking = _OWN_SHELF * (own - 1 / tastes) + _WITHIN * _bell(random, tastes, n)
        popularity = (rank + 1 + _HEAD * n) ** -_TAIL
        weights = popularity * np.exp(_SEEKING * liking)
        weights /= weights.sum(axis=1, keepdims=True)
        cumulative = np.minimum(np.cumsum(weights, axis=1), 1.0)
        cumulative[:, -1] = 1.0
        cumulative += np.arange(tastes)[:, None]
        quality = _QUALITY * _bell(random, n)
        return cls(*map(frozen, (shelf, second, quality, liking, weights, cumulative.ravel())))


@dataclass(frozen=True)
class People:
    """What holds of the users: how much they rate, their two tastes, how kindly they rate, when they arrive."""

    activity: IntArray
    tastes: IntArray  # users x 2, the main one first
    mood: FloatArray
    arrival: IntArray

    @classmethod
    def of(cls, n: int, *, ratings: int, items: int, tastes: int, seed: int) -> "People":
        """Make up so many users, who share the ratings among them."""
        random = randomness(seed, _USERS_PART, 0)
        busy = np.exp(_ACTIVITY_SPREAD * _bell(random, n))
        two = (random.random((n, 2)) * tastes).astype(np.int64)
        mood = _MOOD * _bell(random, n)
        arrival = _OPENING + (random.random(n) * 3 * _YEAR).astype(np.int64)
        activity = _shared_out(ratings, busy, most=items)
        return cls(frozen(activity), frozen(two), frozen(mood), frozen(arrival))

    def between(self, first: int, last: int) -> "People":
        """Some of them, in a row."""
        some = slice(first, last)
        return People(self.activity[some], self.tastes[some], self.mood[some], self.arrival[some])


def randomness(seed: int, part: int, number: int) -> np.random.Generator:
    """The random numbers of one part of a shop."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence((seed, part, number))))


def _bell(random: np.random.Generator, *shape: int) -> FloatArray:
    """Nearly normal numbers of mean 0 and variance 1: four uniforms, whose sum has variance 4/12."""
    total = np.zeros(shape)
    for _ in range(4):
        total += random.random(shape)
    return (total - 2) * 3**0.5


def rated(random: np.random.Generator, people: People, goods: Goods) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """What these people rate: person, item, value and time."""
    who, items = _chosen(random, people.activity, people.tastes, goods)
    main, second = people.tastes[who].T
    liked = _MAIN * goods.liking[main, items] + (1 - _MAIN) * goods.liking[second, items]
    exact = _MEAN + goods.quality[items] + people.mood[who] + _LIKING * liked
    exact += _WHIM * _bell(random, len(who))
    values = np.clip(np.rint(exact), *SCALE).astype(np.int64)
    return who, items, values, _times(random, people.activity, people.arrival)


def _shared_out(total: int, weights: FloatArray, *, most: int) -> IntArray:
    """Whole numbers with this sum, nearly in proportion, none above `most` and none far below the mean."""
    mean = total // len(weights)
    least = max(min(mean, 1), mean // 5)
    room = most - least
    left = total - least * len(weights)
    shares = np.zeros(len(weights))
    unfilled = np.ones(len(weights), bool)
    while unfilled.any():
        rest = left - room * int((~unfilled).sum())
        shares[unfilled] = weights[unfilled] * (rest / weights[unfilled].sum())
        over = unfilled & (shares >= room)
        if not over.any():
            break
        shares[over] = room
        unfilled &= ~over
    whole = np.floor(shares).astype(np.int64)
    order = np.argsort(np.where(unfilled, whole - shares, 1.0), kind="stable")
    whole[order[: left - int(whole.sum())]] += 1
    return whole + least


def _chosen(random: np.random.Generator, wanted: IntArray, tastes: IntArray, goods: Goods) -> tuple[IntArray, IntArray]:
    """So many different items for each user of a group, in the order in which they come across them.

    Drawing with repetition and dropping what repeats is drawing without. Users who still lack items after some
    rounds, or want a large part of the shop, draw the rest at once: by the smallest exponential waiting times.
    """
    n = len(goods.shelf)
    who, items = np.empty(0, np.int64), np.empty(0, np.int64)
    sparse = wanted <= n // 4
    lacking = np.where(sparse, wanted, 0)
    for _ in range(_ROUNDS):
        if not lacking.any():
            break
        more = np.repeat(np.arange(len(wanted)), np.where(lacking > 0, lacking + lacking // 3 + 3, 0))
        taste = np.where(random.random(len(more)) < _MAIN, tastes[more, 0], tastes[more, 1])
        drawn = np.searchsorted(goods.cumulative, taste + random.random(len(more)), side="right")
        who = np.concatenate((who, more))
        # A sum so near the next whole number that it was rounded to it belongs to the last item of its own taste.
        items = np.concatenate((items, np.minimum(drawn - taste * n, n - 1)))
        who, items = _first_of_each(who, items, n, wanted)
        lacking = np.where(sparse, wanted - np.bincount(who, minlength=len(wanted)), 0)
    short = np.flatnonzero(wanted > np.bincount(who, minlength=len(wanted)))
    more_who, more_items = [who], [items]
    for user in short.tolist():
        chances = _MAIN * goods.weights[tastes[user, 0]] + (1 - _MAIN) * goods.weights[tastes[user, 1]]
        waiting = -np.log1p(-random.random(n)) / chances
        mine = items[who == user]
        waiting[mine] = np.inf
        more_items.append(np.argsort(waiting, kind="stable")[: wanted[user] - len(mine)])
        more_who.append(np.full(len(more_items[-1]), user))
    who, items = np.concatenate(more_who), np.concatenate(more_items)
    order = np.argsort(who, kind="stable")
    return who[order], items[order]


def _first_of_each(who: IntArray, items: IntArray, n: int, wanted: IntArray) -> tuple[IntArray, IntArray]:
    """Each pair once, where it came first, users ascending, nobody with more than wanted."""
    _, first = np.unique(who * n + items, return_index=True)
    first.sort()
    order = first[np.argsort(who[first], kind="stable")]
    who, items = who[order], items[order]
    kept = _place_within(np.bincount(who, minlength=len(wanted))) < wanted[who]
    return who[kept], items[kept]


def _place_within(lengths: IntArray) -> IntArray:
    """0, 1, 2 ... within each stretch of these lengths."""
    starts = np.cumsum(lengths) - lengths
    return np.arange(int(lengths.sum())) - np.repeat(starts, lengths)


def _times(random: np.random.Generator, lengths: IntArray, arrival: IntArray) -> IntArray:
    """Ascending times for each user: sittings of some ratings a minute or two apart, and days between them."""
    count = int(lengths.sum())
    minutes = 5 + (random.random(count) * 150).astype(np.int64)
    pause = np.minimum(20 * _DAY, _YEAR / np.maximum(0.1 * lengths, 1))
    days = (random.random(count) * np.repeat(pause, lengths)).astype(np.int64)
    gaps = np.where(random.random(count) < 0.1, days + minutes, minutes)
    elapsed = np.cumsum(gaps)
    before = np.concatenate((np.zeros(1, np.int64), elapsed))[np.cumsum(lengths) - lengths]
    times: IntArray = np.repeat(arrival - before, lengths) + elapsed
    return times
