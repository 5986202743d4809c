"""Search: where an id stands among ids that ascend, or that an order makes ascend."""

from collections.abc import Iterable

import numpy as np

from privet.arrays import AnyArray, IntArray
from privet.formats.words import Words


def row_of_text(words: Words, order: IntArray | None, id: str) -> int | None:
    """The row of one text, by reading a few of them."""
    place = place_of_text(words, order, id)
    if place == len(words):
        return None
    row = place if order is None else int(order[place])
    return row if words[row] == id else None


def place_of_text(words: Words, order: IntArray | None, id: str) -> int:
    """How many texts come before this one."""
    low, high = 0, len(words)
    while low < high:
        middle = (low + high) // 2
        if words[middle if order is None else int(order[middle])] < id:
            low = middle + 1
        else:
            high = middle
    return low


def rows_of_texts(padded: AnyArray, order: IntArray | None, ids: Iterable[object]) -> IntArray:
    """The rows of many, by one search for all among texts as `Words.padded` gives them; -1 where one is not there."""
    width = padded.dtype.itemsize  # what is longer is not there, and would only make the table wide
    texts = [id if isinstance(id, str) and len(id) <= width and "\0" not in id else "" for id in ids]
    wanted = Words.of(texts).padded()
    return _rows_if_equal(padded, order, wanted, possible=wanted != b"")


def rows_of_numbers(numbers: IntArray, order: IntArray | None, ids: IntArray) -> IntArray:
    """The rows of many whole numbers; -1 where one is not there."""
    return _rows_if_equal(numbers, order, ids, possible=np.ones(len(ids), np.bool_))


def order_with(words: Words, order: IntArray | None, added: Words, added_order: IntArray | None) -> IntArray | None:
    """The order after an append, by as many searches as there are new texts: the old ones stay as they are."""
    ascending = range(len(added)) if added_order is None else added_order.tolist()
    places = [place_of_text(words, order, added[row]) for row in ascending]
    if order is None and added_order is None and places[0] == len(words):
        return None
    return np.insert(np.arange(len(words)) if order is None else order, places, [len(words) + row for row in ascending])


def _rows_if_equal(own: AnyArray, order: IntArray | None, wanted: AnyArray, *, possible: AnyArray) -> IntArray:
    if not len(own):
        return np.full(len(wanted), -1)
    places = np.minimum(np.searchsorted(own, wanted, sorter=order), len(own) - 1)
    rows = places if order is None else order[places]
    return np.where((own[rows] == wanted) & possible, rows, -1)
