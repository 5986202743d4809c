"""Laws of packing: several sums in one word, none of them ever wrong."""

from itertools import accumulate

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from privet.kernels.similarity import compiled
from privet.kernels.similarity.packing import WORD, packed, words

HUGE = 2**61  # as large as a sum may become: Comparison packs nothing beyond 2**62


@st.composite
def lanes_of_terms(draw):
    """Terms [lane, place, rater] and whether each lane is signed: small and huge, all of one sign or of both."""
    lanes, places, raters = draw(st.integers(1, 7)), draw(st.integers(1, 4)), draw(st.integers(0, 6))
    lines, signed = [], []
    for _ in range(lanes):
        most = draw(st.sampled_from([0, 1, 2, 7, 8, 2**20, 2**31, 2**40, HUGE])) // max(1, raters)
        least = draw(st.sampled_from([0, -most, -1 if most else 0]))
        drawn = draw(st.lists(st.integers(least, most), min_size=places * raters, max_size=places * raters))
        lines.append(np.array(drawn, np.int64).reshape(places, raters))
        signed.append(least < 0)
    return np.array(lines).reshape(lanes, places, raters), np.array(signed)


def most_of(terms):
    """The most that the sum of each lane can become, in either direction."""
    return np.abs(terms).max(axis=1, initial=0).sum(axis=1)


@given(drawn=lanes_of_terms())
@settings(max_examples=200)
def test_added_up_words_come_apart_into_the_sums_of_their_lanes(drawn):
    """Packing and adding commute: what is taken out of the sum of words is the sum of what was put in."""
    terms, signed = drawn
    for word in words(most_of(terms), signed):
        total = packed(terms, word).sum(axis=1)
        found = np.empty((len(word.lanes), len(total)))
        compiled.unpack(total, word.widths, word.signed, found)
        assert found.tolist() == terms[list(word.lanes)].sum(axis=2).astype(np.float64).tolist()


@given(bits=st.lists(st.tuples(st.integers(0, 62), st.booleans()), min_size=1, max_size=8), below=st.booleans())
@example(bits=[(20, False)] * 3 + [(2, False)] * 2, below=True)
@settings(max_examples=200)
def test_the_ends_of_every_lane_fit_whatever_its_neighbours_hold(bits, below):
    """Lanes filled to their ends, a signed one downwards or upwards, do not touch those beside them."""
    most = np.array([(1 << min(width, 62 - sign)) - 1 for width, sign in bits])
    signed = np.array([sign for _, sign in bits])
    terms = np.where(signed & below, -most, most)[:, None]
    for word in words(most, signed):
        total = packed(terms, word)
        found = np.empty((len(word.lanes), 1))
        compiled.unpack(total, word.widths, word.signed, found)
        assert found.tolist() == terms[list(word.lanes)].astype(np.float64).tolist()


@given(
    most=st.lists(st.integers(0, 2**62 - 1), min_size=1, max_size=10),
    small=st.booleans(),
    signs=st.lists(st.booleans(), min_size=10, max_size=10),
)
@settings(max_examples=200)
def test_lanes_keep_their_order_in_as_few_words_as_hold_them(most, small, signs):
    """Every lane once and in order, wide enough, 63 bits a word; no other cut of that order makes fewer words."""
    reached = np.array([value >> 45 if small else value for value in most])
    signed = np.array(signs[: len(reached)])
    dealt = words(reached, signed)
    assert [lane for word in dealt for lane in word.lanes] == list(range(len(reached)))
    needed = [max(1, int(value).bit_length()) + int(sign) for value, sign in zip(reached, signed, strict=True)]
    for word in dealt:
        assert word.widths.tolist() == [needed[lane] for lane in word.lanes]
        assert word.signed.tolist() == [signed[lane] for lane in word.lanes]
        assert word.widths.sum() <= WORD
    assert len(dealt) == fewest(needed)


def fewest(widths):
    """The least number of words over all cuts, by trying every first word."""
    if not widths:
        return 0
    fitting = [count for count, width in enumerate(accumulate(widths), 1) if width <= WORD]
    return 1 + min(fewest(widths[count:]) for count in fitting)
