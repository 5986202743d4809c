"""Postings: what is laid out is what was rated, and what the narrow sums over it cannot hold goes another way."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from privet.kernels.similarity import compiled, plain, postings
from privet.kernels.similarity.packing import words
from privet.kernels.similarity.postings import CODE_BITS, CODES, TILE, WHOLE, whole_unit
from privet.ratings import Ratings
from privet.similarity import cosine, rs
from privet.similarity.sweep import CosineSweep

HALF_STARS, STARS, TO_15 = np.arange(1, 11) / 2, np.arange(1.0, 6), np.arange(1.0, 16)
COSTS = [0.0, 0.06, 2.0]  # everything in columns; as it is measured; nothing in columns


def ratings_of(table, grid):
    """The ratings of a table, users x items, not a number where nothing is rated."""
    cells = np.argwhere(~np.isnan(table))
    users, items = table.shape
    return Ratings.of(
        cells[:, 0],
        cells[:, 1],
        table[cells[:, 0], cells[:, 1]],
        users=range(users),
        items=range(items),
        scale=(grid[0], grid[-1]),
    )


def table_on(grid, users, items, density, seed):
    """Random ratings on a grid, this many of all of them."""
    rng = np.random.default_rng(seed)
    return np.where(rng.random((users, items)) < density, rng.choice(grid, (users, items)), np.nan)


def laid_out(table, grid, cost):
    """Ratings and their postings, made at this cost of columns."""
    ratings = ratings_of(table, grid)
    with patch.object(postings, "COLUMN_COST", cost):
        return ratings, ratings.postings


def check_layout(table, ratings, found, cost):
    """Compare postings with a plain reading of the table, item by item."""
    users, grid = len(table), ratings.cells.grid
    counts = (~np.isnan(table)).sum(axis=1)
    assert found.rows.tolist() == sorted(range(users), key=lambda row: (-counts[row], row))
    assert (found.users, found.starts.tolist()) == (users, ratings.cells.item_starts.tolist())
    for item, line in enumerate(table[found.rows].T):
        places = np.flatnonzero(~np.isnan(line))
        entries = found.entries[found.starts[item] : found.starts[item + 1]]
        assert (entries >> CODE_BITS).tolist() == places.tolist()
        assert grid[entries & (CODES - 1)].tolist() == line[places].tolist()
        if found.columns is None:
            continue
        ends = [min(users, tile * TILE) for tile in range(-(-users // TILE) + 1)]
        gains = [(places < end).sum() - cost * end for end in ends]
        tiles = int(np.argmax(gains))
        assert found.columns.tiles[item] == tiles
        assert found.columns.behind[item] == found.starts[item] + (places < ends[tiles]).sum()
        begin = found.columns.offsets[item]
        column = found.columns.values[begin : begin + ends[tiles]]
        assert column.tolist() == np.nan_to_num(line[: ends[tiles]] * found.columns.unit).tolist()


@given(
    seed=st.integers(0, 2**32),
    users=st.integers(0, 12),
    items=st.integers(1, 7),
    density=st.sampled_from([0.0, 0.3, 0.7, 1.0]),
    grid=st.sampled_from([HALF_STARS, STARS, TO_15, np.ones(1), np.arange(-10.0, 11), np.arange(6.0)]),
    cost=st.sampled_from([*COSTS, 0.5]),
)
@example(seed=0, users=2, items=1, density=0.3, grid=HALF_STARS, cost=0.5)  # a column that just does not pay
@settings(max_examples=150)
def test_every_rating_stands_where_it_belongs(seed, users, items, density, grid, cost):
    """Places are ranks by activity, ties by row; items list places and codes; columns are as long as they pay."""
    table = table_on(grid, users, items, density, seed)
    ratings, found = laid_out(table, np.append(0.0, grid) if len(grid) == 1 else grid, cost)
    assert (found.columns is not None) == bool(len(ratings) and ratings.cells.grid.min() > 0)
    check_layout(table, ratings, found, cost)


def test_columns_of_several_tiles_stand_where_they_belong():
    """Two tiles and a part of a third: columns of every length, and entries behind them."""
    rng = np.random.default_rng(1)
    users = 2 * TILE + 300
    reach = np.array([users, 2 * TILE, TILE, TILE // 2, 0, 0])
    rated = (np.arange(users)[:, None] < reach) | (rng.random((users, len(reach))) < 0.002)
    table = np.where(rated, rng.choice(HALF_STARS, rated.shape), np.nan)[rng.permutation(users)]
    ratings, found = laid_out(table, HALF_STARS, 0.06)
    assert set(found.columns.tiles.tolist()) == {0, 1, 2, 3}
    assert (found.columns.behind < found.starts[1:])[found.columns.tiles > 0].any()
    check_layout(table, ratings, found, 0.06)


def test_ratings_beyond_a_column_have_none():
    """No columns where ratings are not positive, not whole in any unit at hand, or too large; no postings off grid."""
    assert ratings_of(np.array([[0.0, 5]]), np.arange(6.0)).postings.columns is None
    assert ratings_of(np.array([[1 / 3, 1]]), np.array([0, 1])).postings.columns is None
    assert ratings_of(np.array([[WHOLE + 1.0, 1]]), np.array([1, 16])).postings.columns is None
    assert ratings_of(np.array([[WHOLE, 1.0]]), TO_15).postings.columns is not None
    assert ratings_of(np.linspace(1, 2, CODES + 1)[None], np.array([1, 2])).postings is None
    assert ratings_of(np.linspace(1, 2, CODES)[None], np.array([1, 2])).postings is not None


def test_own_ratings_beyond_a_column_are_not_multiplied_with_it():
    """A target's whole ratings are taken from 1 to 15, ends included, or not at all."""
    _, found = laid_out(np.array([[5.0]]), STARS, 0.0)
    assert found.columns.own(np.array([1.0, WHOLE])).tolist() == [1, WHOLE]
    assert found.columns.own(np.empty(0)).tolist() == []
    assert found.columns.own(np.array([0.0, 5])) is found.columns.own(np.array([WHOLE + 1.0, 5])) is None


@pytest.mark.parametrize("factor", [1, 2, 4, 8, 16])
def test_a_unit_is_the_least_that_makes_ratings_whole(factor):
    """Whole multiples of 1 over a factor, 1 over it among them, have that factor; others none."""
    assert whole_unit(np.arange(-3 * factor, 3 * factor + 1) / factor) == factor
    assert whole_unit(np.array([1 / factor, 1 / 10])) is None
    assert whole_unit(np.array([1 / factor, 1 / 32])) is None
    assert whole_unit(np.array([1 / factor, 1 + 2**-52])) is None


def products(own, theirs):
    """The three sums over common items of two users, in whole numbers of any length."""
    both = ~np.isnan(own) & ~np.isnan(theirs)
    pairs = list(zip(own[both].astype(int).tolist(), theirs[both].astype(int).tolist(), strict=True))
    return [sum(x * y for x, y in pairs), sum(x * x for x, _ in pairs), sum(y * y for _, y in pairs)]


def check_cosines(ratings, layout, table):
    """Compare every pair's sums and cosine with those of the table, whose ratings are whole in the columns' unit."""
    for row in range(len(table)):
        profile = ratings.profile(row)
        own = layout.columns.own(profile.values * layout.columns.unit)
        found = compiled.product_sums(layout, profile.items, own)
        wanted = np.array([products(table[row], table[other]) for other in layout.rows], np.float64).T
        assert found.tolist() == wanted.tolist()
        dots, own_squares, squares = wanted
        assert cosine(ratings, row)[layout.rows] == pytest.approx(dots / np.sqrt(np.maximum(own_squares * squares, 1)))


@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize("items", [290, 291, 292, 293, 655, 656, 657, 1170])
@pytest.mark.parametrize("grid", [HALF_STARS, TO_15], ids=["half stars", "to 15"])
def test_sums_of_16_bits_are_emptied_before_they_overflow(grid, items, cost):
    """All at the top, as many columns as 16 bits hold and more: the sums and the cosines are those of the ratings."""
    top = grid[-1]
    table = np.vstack([np.full((3, items), top), table_on(grid, 3, items, 0.9, items)])
    ratings, layout = laid_out(table, grid, cost)
    check_cosines(ratings, layout, table * layout.columns.unit)
    sweep = CosineSweep.over(ratings)
    for first, block in sweep.blocks(1, None):
        for place, line in enumerate(block, first):
            profile = ratings.profile(int(layout.rows[place]))
            own = layout.columns.own(profile.values * layout.columns.unit)
            assert line.tolist() == plain.cosines(layout, profile.items, own)[: len(line)].astype(np.float32).tolist()


@pytest.mark.parametrize("cost", COSTS)
def test_more_common_items_than_a_word_holds_take_several(cost):
    """25,000 times five stars on half stars need 3 x 22 bits: no sweep, and all that one word would hold is exact."""
    items = 25_000
    rng = np.random.default_rng(25)
    fives, some = np.full(items, 5.0), rng.choice(HALF_STARS, (2, items))
    some[1, rng.random(items) < 0.5] = np.nan
    table = np.vstack([fives, some, np.full(items, np.nan), fives])
    ratings, layout = laid_out(table, HALF_STARS, cost)
    assert len(words(np.full(3, items * 10 * 10), np.zeros(3, np.bool_))) == 2
    assert CosineSweep.over(ratings) is None
    check_cosines(ratings, layout, table * 2)
    for row in (0, 1):
        assert rs(ratings, row) == pytest.approx([sensitivity(table[row], other) for other in table])


def sensitivity(own, theirs):
    """The larger term of Eq. (3) over the common items of two users, in floats; 1 where nothing is common."""
    both = ~np.isnan(own) & ~np.isnan(theirs)
    if not both.any():
        return 1.0
    own, theirs = own[both], theirs[both]
    before = np.sqrt((own @ own) * (theirs @ theirs))
    after = np.sqrt((own @ own - own**2) * (theirs @ theirs - theirs**2))
    return max((own * theirs / after).max(), ((own @ theirs) * (1 / after - 1 / before)).max())
