"""A made-up shop that behaves like a real one: a long tail, busy and idle people, and neighbours worth finding.

Everybody has a main taste and a second one. A taste says which items one comes across and how one rates them, so
people of the same taste agree beyond what the items' means tell. Nothing here is copied from real ratings.

Only `random()` of NumPy is used, whose bits do not change between its releases: a seed means the same shop later.
"""

from privet.lab.synthetic.shop import Shop

__all__ = ["Shop", "synthetic"]


def synthetic(users: int, items: int, ratings: int, *, seed: int, tastes: int = 8) -> Shop:
    """Make up a shop with exactly so many users, items and ratings.

    >>> shop = synthetic(50, 30, 600, seed=7)
    >>> sum(len(values) for _, _, values, _ in shop.blocks())
    600
    """
    return Shop(users=users, items=items, total=ratings, seed=seed, tastes=tastes)
