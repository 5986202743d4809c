"""Packing: several sums of whole numbers side by side in one word of 64 bits, so that one addition feeds them all.

Each lane is wide enough for the most that its sum can become, in either direction, whatever the raters are; what does
not fit into one word goes into another. So no sum overflows, and none is ever rounded.
"""

from typing import NamedTuple

import numpy as np

from privet.arrays import AnyArray, IntArray

WORD = 63  # the topmost lane is read with its sign


class Word(NamedTuple):
    """Lanes that share a word, the lowest first."""

    lanes: tuple[int, ...]
    widths: IntArray
    signed: AnyArray  # bool


def words(most: IntArray, signed: AnyArray) -> list[Word]:
    """Lanes whose sums reach at most so much, signed or not, dealt out to as few words as they fill in order."""
    widths = [max(1, int(value).bit_length()) + int(sign) for value, sign in zip(most, signed, strict=True)]
    dealt: list[list[int]] = []
    room = 0
    for lane, width in enumerate(widths):
        if width > room or not dealt:
            dealt.append([])
            room = WORD
        dealt[-1].append(lane)
        room -= width
    return [
        Word(tuple(lanes), np.array([widths[lane] for lane in lanes]), np.asarray(signed, np.bool_)[lanes])
        for lanes in dealt
    ]


def product_word(longest: int, largest: int) -> Word | None:
    """A word for the three products of ratings up to the largest, over so many common items, if one is wide enough."""
    word, *others = words(np.full(3, longest * largest * largest), np.zeros(3, np.bool_))
    return None if others else word


def product_table(whole: AnyArray, largest: int, word: Word) -> IntArray:
    """[own rating, code]: what a common rating adds to own * theirs, own * own and theirs * theirs in such a word."""
    first, second, _ = word.widths.tolist()
    own, theirs = np.arange(largest + 1)[:, None], whole.astype(np.int64)[None, :]
    table: IntArray = own * theirs + (own * own << first) + (theirs * theirs << (first + second))
    return table


def packed(terms: IntArray, word: Word) -> IntArray:
    """The terms of a word's lanes, in one number each; `terms` has the lanes first."""
    total = np.zeros(terms.shape[1:], np.int64)
    shift = 0
    for lane, width in zip(word.lanes, word.widths.tolist(), strict=True):
        total += terms[lane] << shift
        shift += width
    return total
