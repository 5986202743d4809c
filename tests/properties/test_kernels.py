"""Laws of the kernels: each agrees with its specification in NumPy, to the last bit."""

from threading import local
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privet.kernels.similarity import compiled, compiled_pairs, plain, postings
from privet.kernels.similarity.postings import CODE_BITS, TILE
from privet.ratings import Ratings
from privet.similarity import nearest
from privet.similarity.sweep import CosineSweep

POSITIVE = {  # grids whose ratings stand in columns
    "half stars": (np.arange(1, 11) / 2, (0.5, 5)),
    "1 to 5": (np.arange(1.0, 6), (1, 5)),
    "1 to 10": (np.arange(1.0, 11), (1, 10)),
    "to 15": (np.arange(1.0, 16), (1, 15)),
    "sixteenths": (np.arange(1, 16) / 16, (0, 1)),
    "unary": (np.ones(1), (0, 1)),
}
GRIDS = POSITIVE | {
    "0 to 5": (np.arange(6.0), (0, 5)),
    "-10 to 10": (np.arange(-10.0, 11), (-10, 10)),
    "32 values": (np.arange(32.0) - 3, (-3, 28)),
}
COSTS = [0.0, 0.06, 2.0]  # everything in columns; as it is measured; nothing in columns
THREADS = [1, 2, 3]


@st.composite
def rated(draw_from, grids=POSITIVE, *, least=1):
    """Ratings laid out: users without any, items that nobody rated, users who are alike, and columns or none."""
    grid, scale = grids[draw_from(st.sampled_from(list(grids)))]
    users, items = draw_from(st.integers(least, 12)), draw_from(st.integers(1, 7))
    rng = np.random.default_rng(draw_from(st.integers(0, 2**32)))
    there = rng.random((users, items)) < draw_from(st.sampled_from([0.0, 0.2, 0.5, 0.9, 1.0]))
    there[:least, -1] = True
    table = np.where(there, rng.choice(grid, there.shape), np.nan)
    if users and draw_from(st.booleans()):
        table[1:] = table[rng.integers(0, users, users - 1)]
    return laid_out(table, scale, draw_from(st.sampled_from(COSTS)))


def laid_out(table, scale, cost):
    """The ratings of a table, their columns made at this cost."""
    cells = np.argwhere(~np.isnan(table))
    values = table[cells[:, 0], cells[:, 1]]
    users, items = table.shape
    ratings = Ratings.of(cells[:, 0], cells[:, 1], values, users=range(users), items=range(items), scale=scale)
    with patch.object(postings, "COLUMN_COST", cost):
        assert ratings.postings is not None
    return ratings


def targets(ratings):
    """The items and the whole ratings of every user."""
    for row in range(len(ratings.users)):
        profile = ratings.profile(row)
        own = ratings.postings.columns.own(profile.values * ratings.postings.columns.unit)
        yield profile.items, own


def cosines(ratings, row):
    """The specified cosines of the user in a row, by place."""
    profile, layout = ratings.profile(int(row)), ratings.postings
    return plain.cosines(layout, profile.items, layout.columns.own(profile.values * layout.columns.unit))


@pytest.fixture(scope="module")
def many():
    """More users than two tiles hold, the last of them in part: columns of every length and entries behind them."""
    rng = np.random.default_rng(4)
    users = 2 * TILE + 300
    reach = np.array([users, 2 * TILE, 2 * TILE, TILE, TILE, TILE // 2, 0, 0])
    there = (np.arange(users)[:, None] < reach) | (rng.random((users, len(reach))) < 0.002)
    table = np.where(there, rng.choice(np.arange(1, 11) / 2, there.shape), np.nan)[rng.permutation(users)]
    ratings = laid_out(table, (0.5, 5), 0.06)
    columns = ratings.postings.columns
    assert set(columns.tiles.tolist()) == {0, 1, 2, 3}
    assert (columns.behind < ratings.postings.starts[1:])[columns.tiles > 0].any()
    return ratings


@given(ratings=rated(GRIDS, least=0), seed=st.integers(0, 2**32), lanes=st.integers(1, 7))
@settings(max_examples=200)
def test_sums_of_whole_terms_are_those_of_the_specification(ratings, seed, lanes):
    """Any whole terms of any items, small or so large that they take several words, of one sign or of both."""
    rng = np.random.default_rng(seed)
    items = np.flatnonzero(rng.random(len(ratings.items)) < 0.7)
    most = 2 ** rng.choice([0, 3, 10, 25, 40], lanes)
    least = np.where(rng.random(lanes) < 0.5, -most, 0)
    codes = max(1, len(ratings.cells.grid))
    terms = rng.integers(least, most, (len(items), codes, lanes), endpoint=True).transpose(2, 0, 1)
    found = compiled.common_sums(ratings.postings, items, terms)
    assert found.tolist() == plain.common_sums(ratings.postings, items, terms).tolist()


@given(ratings=rated())
@settings(max_examples=150)
def test_products_and_losses_are_those_of_the_specification(ratings):
    """Of every user as the target: the three sums, and the larger term of Eq. (3)."""
    layout = ratings.postings
    for items, own in targets(ratings):
        assert compiled.product_sums(layout, items, own).tolist() == plain.product_sums(layout, items, own).tolist()
        assert compiled.largest_losses(layout, items, own).tolist() == plain.largest_losses(layout, items, own).tolist()


@given(ratings=rated(GRIDS), seed=st.integers(0, 2**32))
@settings(max_examples=100)
def test_the_ends_of_lists_retreat_to_the_first_places(ratings, seed):
    """Step by step, as blocks come: of every item's entries those are left that stand at the first so many places."""
    layout, rng = ratings.postings, np.random.default_rng(seed)
    firsts, ends = layout.starts[:-1], layout.starts[1:]
    firsts = firsts + rng.integers(0, ends - firsts, endpoint=True)
    lasts = ends.copy()
    for users in range(layout.users, -1, -int(rng.integers(1, 4))):
        compiled_pairs.retreat(firsts, layout.entries, users, lasts)
        left = [
            max(first, start + int((layout.entries[start:end] >> CODE_BITS < users).sum()))
            for first, start, end in zip(firsts, layout.starts, ends, strict=False)
        ]
        assert lasts.tolist() == left


@given(seed=st.integers(0, 2**32), users=st.integers(1, 9), lanes=st.integers(1, 7), ratings=st.integers(0, 60))
def test_scattered_terms_are_added_up_in_order(seed, users, lanes, ratings):
    """Terms of very different sizes, whose sums depend on the order."""
    rng = np.random.default_rng(seed)
    places = rng.integers(0, users, ratings)
    terms = rng.normal(size=(lanes, ratings)) * 10.0 ** rng.integers(-20, 20, (lanes, ratings))
    sums = np.zeros((lanes, users))
    compiled.scatter(places, terms, sums)
    assert sums.tolist() == plain.scattered(places, terms, users).tolist()


@given(ratings=rated(), size=st.integers(1, 6))
@settings(max_examples=150)
def test_blocks_are_lines_of_the_specified_cosines(ratings, size):
    """In blocks of any size, the idlest first: every target with everybody up to the last of its block."""
    sweep, users, worker = CosineSweep.over(ratings), len(ratings.users), local()
    for first in reversed(range(0, users, size)):
        last = min(users, first + size)
        block = sweep._block(first, last, worker)
        wanted = [cosines(ratings, row)[:last].tolist() for row in sweep.rows[first:last]]
        assert block.tolist() == wanted


@st.composite
def offers(draw_from):
    """Similarities of all pairs, many of them ties, in blocks, which worker takes which, and how long lists are."""
    users = draw_from(st.integers(2, 24))
    rng = np.random.default_rng(draw_from(st.integers(0, 2**32)))
    values = np.array([0.0, 0.5, 1.0]) if draw_from(st.booleans()) else rng.random(50)
    drawn = np.tril(rng.choice(values, (users, users)))
    size, workers = draw_from(st.integers(1, users)), draw_from(st.integers(1, 3))
    firsts = list(range(0, users, size))[::-1]
    spans = [(first, min(users, first + size), int(rng.integers(workers))) for first in firsts]
    return np.maximum(drawn, drawn.T), rng.permutation(users), spans, draw_from(st.integers(1, users - 1))


@given(drawn=offers())
@settings(max_examples=200)
def test_lists_of_any_workers_merge_into_the_specified_ones(drawn):
    """Whoever is offered which block, the lists are the k nearest, ties by row."""
    similarities, rows, spans, k = drawn
    users = len(rows)
    floors = np.full(users, -np.inf)
    lists = [(np.full((users, k), -np.inf), np.full((users, k), np.iinfo(np.int32).max, np.int32)) for _ in range(3)]
    for first, last, worker in spans:
        block = np.ascontiguousarray(similarities[first:last, :last])
        compiled_pairs.offer(block, first, rows, floors, *lists[worker])
    (best, who), *others = lists
    for part in others:
        compiled_pairs.merge(*part, best, who)
    compiled_pairs.settle(best, who)
    for place in range(users):
        others = np.arange(users) != place
        wanted = plain.nearest(similarities[place][others], rows[others], k)
        assert [who[place].tolist(), best[place].tolist()] == [wanted[0].tolist(), wanted[1].tolist()]


@pytest.mark.parametrize("threads", THREADS)
@given(ratings=rated(least=2), k=st.integers(1, 13))
@settings(max_examples=60)
def test_swept_lists_are_the_specified_ones(threads, ratings, k):
    """Of every user the k nearest others, by the specified cosines, ties by row."""
    layout = ratings.postings
    (found,) = nearest(ratings, k, threads=threads)
    for place, row in enumerate(layout.rows):
        others = np.arange(layout.users) != place
        rows, similarities = plain.nearest(cosines(ratings, row)[others], layout.rows[others], k)
        assert found.rows[row].tolist() == rows.tolist()
        assert found.similarities[row].tolist() == similarities.astype(np.float32).tolist()


def test_sums_over_several_tiles_are_those_of_the_specification(many):
    """Targets from the busiest to the idlest, over columns of every length and the entries behind them."""
    layout, rng = many.postings, np.random.default_rng(5)
    chosen = layout.rows[[0, 1, TILE - 1, TILE, 2 * TILE - 1, 2 * TILE, len(layout.rows) - 1]]
    for row in [*chosen, *rng.integers(0, layout.users, 30)]:
        profile = many.profile(int(row))
        items, own = profile.items, layout.columns.own(profile.values * 2)
        assert np.array_equal(compiled.product_sums(layout, items, own), plain.product_sums(layout, items, own))
        assert np.array_equal(compiled.largest_losses(layout, items, own), plain.largest_losses(layout, items, own))
        terms = rng.integers(-(2**40), 2**40, (3, len(items), 10))
        assert np.array_equal(compiled.common_sums(layout, items, terms), plain.common_sums(layout, items, terms))


def test_blocks_over_several_tiles_are_lines_of_the_specified_cosines(many):
    """All blocks in turn, as they shrink across the ends of tiles: two targets of each, to the last bit."""
    sweep, worker = CosineSweep.over(many), local()
    rng = np.random.default_rng(6)
    assert len(sweep.spans) > 200
    for first, last in sweep.spans:
        block = sweep._block(first, last, worker)
        for place in {first, int(rng.integers(first, last))}:
            assert np.array_equal(block[place - first], cosines(many, sweep.rows[place])[:last])


@pytest.mark.parametrize("threads", THREADS)
def test_swept_lists_over_several_tiles_are_the_specified_ones(many, threads):
    """Thousands of users, most of them tied with many: the lists of some of them, whatever the number of threads."""
    layout, k = many.postings, 20
    (found,) = nearest(many, k, threads=threads)
    for place in np.random.default_rng(7).integers(0, layout.users, 60):
        row, others = layout.rows[place], np.arange(layout.users) != place
        rows, similarities = plain.nearest(cosines(many, row)[others], layout.rows[others], k)
        assert found.rows[row].tolist() == rows.tolist()
        assert found.similarities[row].tolist() == similarities.astype(np.float32).tolist()
