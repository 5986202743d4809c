"""Laws of everybody with everybody: pairs, matrix and nearest say what a similarity says of one target at a time."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from privet.errors import InputError, ParameterError, UnknownIdError
from privet.kernels.similarity import postings
from privet.ratings import Profile, Ratings
from privet.similarity import SIMILARITIES, cosine, matrix, nearest, pairs, rank, rs
from privet.similarity.sweep import CosineSweep
from privet.world import World

every_similarity = pytest.mark.parametrize("kind", SIMILARITIES.values(), ids=SIMILARITIES)
THREADS = [1, 2, 3]
VALUES = {  # what may be rated, and the scale; no grid where there are more than 32
    "half stars": (np.arange(1, 11) / 2, (0.5, 5)),
    "1 to 5": (np.arange(1.0, 6), (1, 5)),
    "1 to 10": (np.arange(1.0, 11), (1, 10)),
    "0 to 5": (np.arange(6.0), (0, 5)),
    "-10 to 10": (np.arange(-10.0, 11), (-10, 10)),
    "unary": (np.ones(1), (0, 1)),
    "quarters": (np.arange(1, 16) / 4, (0, 4)),
    "tenths on an odd scale": (np.arange(1, 16) / 10, (1 / 30, np.pi)),
    "few floats": (np.sin(np.arange(7)), (-1, 1)),
    "many floats": (np.sin(np.arange(5000)), (-1, 1)),
}


def table_of(values, users, items, density, rng):
    """Random ratings, users x items, not a number where nothing is rated; some users are alike."""
    table = np.where(rng.random((users, items)) < density, rng.choice(values, (users, items)), np.nan)
    return table[rng.integers(0, users, users)] if users and rng.random() < 0.5 else table


def ratings_of(table, scale):
    """The ratings of a table."""
    cells = np.argwhere(~np.isnan(table))
    values = table[cells[:, 0], cells[:, 1]]
    users, items = table.shape
    return Ratings.of(cells[:, 0], cells[:, 1], values, users=range(users), items=range(items), scale=scale)


def world_of(ratings, rng):
    """Some world of these ratings."""
    return World(sum(ratings.scale) / 2, rng.normal(size=len(ratings.items)), scale=ratings.scale)


@st.composite
def seen(draw_from, least=0):
    """Ratings of nobody, of one, or of some, from a world: empty users, items nobody rated, equals, columns or none."""
    values, scale = VALUES[draw_from(st.sampled_from(list(VALUES)))]
    users, items = draw_from(st.integers(least, 12)), draw_from(st.integers(1, 7))
    rng = np.random.default_rng(draw_from(st.integers(0, 2**32)))
    density = draw_from(st.sampled_from([0.0, 0.3, 0.6, 1.0]))
    ratings = ratings_of(table_of(values, users, items, density, rng), scale)
    with patch.object(postings, "COLUMN_COST", draw_from(st.sampled_from([0.0, 0.06, 2.0]))):
        assert ratings.postings is not None or ratings.cells.grid is None
    return ratings, world_of(ratings, rng)


def crowd(name, users=200):
    """Ratings of more users than three blocks hold, and a world."""
    rng = np.random.default_rng(users)
    values, scale = VALUES[name]
    ratings = ratings_of(table_of(values, users, 9, 0.5, rng), scale)
    return ratings, world_of(ratings, rng)


def lines_of(ratings, kind, world):
    """What a similarity says of each target, in 32 bits."""
    lines = [kind()(ratings, row, world=world) for row in range(len(ratings.users))]
    return np.array(lines, np.float32).reshape(len(ratings.users), len(ratings.users))


def joined(lists):
    """The targets, rows and similarities of all lists."""
    parts = [(part.targets.tolist(), part.rows.tolist(), part.similarities.tolist()) for part in lists]
    return [[line for part in parts for line in part[column]] for column in range(3)]


def heads(ratings, targets, k, kind, world):
    """The beginnings of the ranks of these targets."""
    found = [rank(ratings, target, kind(), world=world) for target in targets]
    rows = [one.rows[:k].tolist() for one in found]
    return [targets, rows, [one.similarities[:k].astype(np.float32).tolist() for one in found]]


def covered(ratings, blocks):
    """How often each ordered pair comes, and the last that is said of it; mirrored blocks count both ways."""
    users = len(ratings.users)
    times, found = np.zeros((users, users), int), np.full((users, users), np.nan, np.float32)
    for block in blocks:
        assert block.similarities.shape == (len(block.targets), len(block.others))
        assert block.similarities.dtype == np.float32
        times[np.ix_(block.targets, block.others)] += 1
        found[np.ix_(block.targets, block.others)] = block.similarities
        if block.mirrored:
            others = ~np.isin(block.others, block.targets)
            times[np.ix_(block.others[others], block.targets)] += 1
            found[np.ix_(block.others[others], block.targets)] = block.similarities[:, others].T
    return times, found


@every_similarity
@given(drawn=seen(), threads=st.sampled_from(THREADS))
@settings(max_examples=30)
def test_a_matrix_has_a_line_for_each_target(kind, drawn, threads):
    """Line by line what the similarity says of that target, in 32 bits; of nobody, nothing."""
    ratings, world = drawn
    found = matrix(ratings, kind(), world=world, threads=threads)
    assert found.dtype == np.float32
    assert found.shape == (len(ratings.users), len(ratings.users))
    assert found.tolist() == lines_of(ratings, kind, world).tolist()


@every_similarity
@given(drawn=seen(), threads=st.sampled_from(THREADS))
@settings(max_examples=30)
def test_blocks_cover_every_pair_once(kind, drawn, threads):
    """Every ordered pair in one block, mirrored ones both ways, and what is said of it is what the similarity says."""
    ratings, world = drawn
    times, found = covered(ratings, pairs(ratings, kind(), world=world, threads=threads))
    assert (times == 1).all()
    assert found.tolist() == lines_of(ratings, kind, world).tolist()


@every_similarity
@given(drawn=seen(), k=st.integers(1, 14), threads=st.sampled_from(THREADS))
@settings(max_examples=30)
def test_the_nearest_of_everybody_are_the_heads_of_the_ranks(kind, drawn, k, threads):
    """Ties by row and zeros included; no more than there are others."""
    ratings, world = drawn
    lists = list(nearest(ratings, k, kind(), world=world, threads=threads))
    assert all(part.rows.shape == (len(part.targets), min(k, len(ratings.users) - 1)) for part in lists)
    assert joined(lists) == heads(ratings, list(range(len(ratings.users))), k, kind, world)


@every_similarity
@given(drawn=seen(least=1), data=st.data())
@settings(max_examples=30)
def test_the_nearest_of_some_are_theirs_in_the_order_of_asking(kind, drawn, data):
    """Any targets, in any order, twice if they are asked for twice; of nobody, nothing."""
    ratings, world = drawn
    targets = data.draw(st.lists(st.integers(0, len(ratings.users) - 1), max_size=20))
    lists = nearest(ratings, data.draw(st.integers(1, 14)), kind(), targets=iter(targets), world=world, threads=2)
    found = joined(lists)
    k = len(found[1][0]) if targets else 1
    assert found == heads(ratings, targets, k, kind, world)


@pytest.mark.parametrize(
    ("kind", "name"),
    [("cosine", name) for name in VALUES]
    + [(kind, name) for kind in SIMILARITIES if kind != "cosine" for name in ("half stars", "many floats")],
)
def test_several_blocks_say_what_one_target_at_a_time_says(kind, name):
    """Hundreds of users, so that blocks, their mirrors and lists of both kinds meet in all ways."""
    kind = SIMILARITIES[kind]
    ratings, world = crowd(name)
    wanted = lines_of(ratings, kind, world)
    blocks = list(pairs(ratings, kind(), world=world))
    assert len(blocks) > 3
    times, found = covered(ratings, blocks)
    assert (times == 1).all()
    assert np.array_equal(found, wanted)
    assert np.array_equal(matrix(ratings, kind(), world=world), wanted)
    everybody = list(range(len(ratings.users)))
    ranks = heads(ratings, everybody, None, kind, world)
    for k in (1, 7, len(everybody) - 2, len(everybody) - 1, len(everybody)):
        cut = [everybody, [rows[:k] for rows in ranks[1]], [similarities[:k] for similarities in ranks[2]]]
        assert joined(nearest(ratings, k, kind(), world=world)) == cut
        assert joined(nearest(ratings, k, kind(), world=world, targets=everybody[::-1])) == [part[::-1] for part in cut]


@pytest.mark.parametrize("name", ["1 to 5", "many floats"])
@every_similarity
def test_the_number_of_threads_changes_nothing(kind, name):
    """The same blocks in the same order, the same matrix and the same lists, to the last bit."""
    ratings, world = crowd(name)
    one, *more = (
        (
            [
                (block.targets.tolist(), block.others.tolist(), block.similarities.tobytes(), block.mirrored)
                for block in pairs(ratings, kind(), world=world, threads=threads)
            ],
            matrix(ratings, kind(), world=world, threads=threads).tobytes(),
            [
                (part.targets.tolist(), part.rows.tobytes(), part.similarities.tobytes())
                for part in nearest(ratings, 20, kind(), world=world, threads=threads)
            ],
        )
        for threads in [*THREADS, 8]
    )
    assert all(other == one for other in more)


def test_ratings_off_the_grid_and_of_both_signs_are_not_swept():
    """What the tests above compare is both ways of going about it: the sweep is for small positive grids."""
    swept = {name for name in VALUES if CosineSweep.over(crowd(name)[0]) is not None}
    assert swept == {"half stars", "1 to 5", "1 to 10", "unary", "quarters"}
    assert {name for name in VALUES if crowd(name)[0].postings is None} == {"many floats"}


@pytest.mark.parametrize("users", [0, 1, 2])
@pytest.mark.parametrize("rated", [False, True])
@every_similarity
def test_nobody_and_somebody_alone_have_no_neighbours(kind, users, rated):
    """Two users have one another, one has nobody, and without users there is nothing; ratings or none."""
    ratings = ratings_of(np.full((users, 2), 3.0 if rated else np.nan), (1, 5))
    world = World(3.0, np.zeros(2))
    assert matrix(ratings, kind(), world=world).shape == (users, users)
    assert sum(block.similarities.size for block in pairs(ratings, kind(), world=world)) == users**2
    assert joined(nearest(ratings, 5, kind(), world=world))[:2] == [[[], []], [[0], [[]]], [[0, 1], [[1], [0]]]][users]
    assert list(nearest(ratings, 5, kind(), targets=[], world=world)) == []


@every_similarity
def test_a_stranger_has_nothing_in_common_with_ratings_that_are_not_there(kind):
    """Users who rated nothing are at 0 from anybody, and RS is the bound."""
    ratings = ratings_of(np.full((3, 2), np.nan), (1, 5))
    stranger = Profile(np.array([0, 1]), np.array([5.0, 3.0]))
    assert kind()(ratings, stranger, world=World(3.0, np.zeros(2))).tolist() == [0, 0, 0]
    assert rs(ratings, stranger).tolist() == [1, 1, 1]


@pytest.mark.parametrize("scale", [(1, 5), (0, 5), (0.5, 5), (0.1, 5), (1, 5.01), (1 / 3, 5), (-10, 10)])
def test_a_wider_scale_moves_no_neighbour(scale):
    """The ends of the scale are no ratings: the cosines, to the last bit, and the lists are those of the ratings."""
    rng = np.random.default_rng(0)
    table = table_of(np.arange(1.0, 6), 60, 20, 0.6, rng)
    narrow, wide = ratings_of(table, (1, 5)), ratings_of(table, scale)
    assert [cosine(wide, row).tolist() for row in range(60)] == [cosine(narrow, row).tolist() for row in range(60)]
    ranks = heads(wide, list(range(60)), 59, SIMILARITIES["cosine"], None)
    assert joined(nearest(wide, 59)) == joined(nearest(narrow, 59)) == ranks


@every_similarity
@given(drawn=seen(least=1), data=st.data())
@settings(max_examples=30)
def test_what_somebody_else_rates_moves_no_two_users(kind, drawn, data):
    """To the last bit: whatever one more user rated, on the grid or off it, the others are as similar as before."""
    ratings, world = drawn
    low, high = ratings.scale
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    steps = data.draw(st.sampled_from([1, 4, 10, 64, 1 << 40]))
    items = np.flatnonzero(rng.random(len(ratings.items)) < 0.8)
    values = np.clip(np.rint(rng.uniform(low, high, len(items)) * steps) / steps, low, high)
    more = ratings.joined_by([Profile(items, values)])
    for row in range(len(ratings.users)):
        before, after = (kind()(some, row, world=world)[: len(ratings.users)] for some in (ratings, more))
        assert after.tolist() == before.tolist()


@every_similarity
def test_nor_does_it_where_sums_are_too_large_to_be_exact(kind):
    """Ratings up to a hundred million, squared and added up: a newcomer rates off the whole numbers."""
    rng = np.random.default_rng(0)
    ratings = ratings_of(table_of(rng.integers(1, 10**8, 20).astype(float), 10, 30, 0.8, rng), (0, 10**8))
    more = ratings.joined_by([Profile(np.array([0]), np.array([0.3]))])
    world = world_of(ratings, rng)
    for row in range(10):
        before, after = (kind()(some, row, world=world)[:10] for some in (ratings, more))
        assert after.tolist() == before.tolist()


def test_a_similarity_made_from_the_cosine_is_asked_itself():
    """The shortcut is for the cosine alone, not for whatever is derived from it."""

    class Half(SIMILARITIES["cosine"]):
        def __call__(self, *given, **named):
            return super().__call__(*given, **named) / 2

    ratings, _ = crowd("1 to 5")
    wanted = lines_of(ratings, Half, None)
    assert np.array_equal(matrix(ratings, Half()), wanted)
    assert np.array_equal(covered(ratings, pairs(ratings, Half()))[1], wanted)
    everybody = list(range(len(ratings.users)))
    assert joined(nearest(ratings, 3, Half())) == heads(ratings, everybody, 3, Half, None)


@pytest.mark.parametrize("cost", [0.0, 2.0])
def test_ratings_too_small_for_a_whole_unit_are_ratings_still(cost):
    """By hand: (1, 1) and (1e-10, 1) are at 45 degrees, in columns or not."""
    ratings = ratings_of(np.array([[1, 1], [1e-10, 1]]), (0, 5))
    with patch.object(postings, "COLUMN_COST", cost):
        assert cosine(ratings, 0) == pytest.approx([1, np.sqrt(0.5)])
        assert matrix(ratings) == pytest.approx(np.array([[1, np.sqrt(0.5)], [np.sqrt(0.5), 1]]))


@given(drawn=seen(least=2))
@settings(max_examples=100)
def test_rs_of_some_is_that_of_all(drawn):
    """Looked up by user or added up by item, RS is the same number, to the last bit."""
    ratings, _ = drawn
    assume(len(ratings))
    backwards = np.arange(len(ratings.users))[::-1]
    for target in range(len(ratings.users)):
        whole = rs(ratings, target)
        with patch("privet.similarity.rs._few", lambda comparison, others: True):
            for others in (backwards, backwards[:1], backwards[:0]):
                assert rs(ratings, target, others).tolist() == whole[others].tolist()


ASKED = {
    "pairs": lambda ratings, **given: list(pairs(ratings, **given)),
    "matrix": matrix,
    "nearest": lambda ratings, **given: list(nearest(ratings, 1, **given)),
}
asked = pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)


@pytest.mark.parametrize("k", [0, -1, 1.5, 2.0, True, "2", None])
def test_a_list_has_a_whole_number_of_members(k):
    """A k that is none is refused in one sentence that shows it, before anything is compared."""
    ratings, _ = crowd("1 to 5")
    with pytest.raises(ParameterError, match=r"^[^.]*whole number k >= 1; got k=\S+$") as refused:
        nearest(ratings, k)
    assert (refused.value.name, refused.value.got) == ("k", k)
    assert str(refused.value).endswith(f"k={k!r}.")


@asked
@pytest.mark.parametrize("threads", [0, -2, 1.5, True, "2"])
def test_threads_are_a_whole_number(ask, threads):
    """A number of threads that is none is refused in one sentence that shows it."""
    ratings, _ = crowd("1 to 5")
    with pytest.raises(ParameterError, match=r"^[^.]*whole number >= 1; got threads=\S+$") as refused:
        ask(ratings, threads=threads)
    assert (refused.value.name, refused.value.got) == ("threads", threads)


@pytest.mark.parametrize(("target", "error"), [(99, UnknownIdError), (-1, UnknownIdError), (1.0, ParameterError)])
def test_targets_are_rows(target, error):
    """A target that is no row is refused, shown, before anything is compared."""
    ratings = ratings_of(np.ones((3, 1)), (0, 1))
    with pytest.raises(error, match=rf"^[^.]*(row|got) {target}\b") as refused:
        nearest(ratings, 1, targets=[0, target])
    assert isinstance(refused.value, InputError)


@asked
@pytest.mark.parametrize("threads", [1, 3])
def test_what_a_similarity_refuses_reaches_the_caller(ask, threads):
    """Deviation without a world: the same error from any thread, and no more work."""
    ratings, _ = crowd("1 to 5")
    with pytest.raises(ParameterError, match="deviation needs a World"):
        ask(ratings, similarity=SIMILARITIES["deviation"](), threads=threads)


@asked
@pytest.mark.parametrize("name", ["1 to 5", "many floats"])
def test_progress_is_told_to_the_end(ask, name):
    """Every block is told once, in order, up to the last of them."""
    told = []
    ask(crowd(name)[0], threads=2, progress=lambda *words: told.append(words))
    assert told == [("comparing users", done, len(told)) for done in range(1, len(told) + 1)]
    assert len(told) > 3
