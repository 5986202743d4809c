"""The ratings of privet's own steps."""

import sys

from privet.ratings import Ratings


def opened() -> Ratings:
    """The set that the command line names, opened anew: its pages are in memory, and nothing is made of it yet."""
    ratings = Ratings.open(sys.argv[1])
    sum(array.sum() for array in ratings.cells.arrays().values())
    return ratings
