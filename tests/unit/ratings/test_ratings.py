"""Ratings on a toy worked by hand.

      tea  jam  bun
ann     5    3    -
bob     4    -    2
eve     -    -    -
"""

import copy
import pickle
import tracemalloc

import numpy as np
import pytest

from privet.errors import ParameterError, PrivetError, RatingsError, UnknownIdError
from privet.ratings import Catalogue, Profile, Ratings


@pytest.fixture
def ratings() -> Ratings:
    return Ratings.of(
        ["ann", "bob", "ann", "bob"],
        ["tea", "tea", "jam", "bun"],
        [5, 4, 3, 2],
        users=["ann", "bob", "eve"],
        items=["tea", "jam", "bun"],
        scale=(1, 5),
    )


def test_profiles_and_raters(ratings):
    """A profile holds the items of a user, raters the users of an item, each ascending by row."""
    assert ratings.profile(0) == Profile(np.array([0, 1]), np.array([5.0, 3.0]), 0)
    assert ratings.profile(1) == Profile(np.array([0, 2]), np.array([4.0, 2.0]), 1)
    assert len(ratings.profile(2)) == 0
    users, values = ratings.raters(0)
    assert (users.tolist(), values.tolist()) == ([0, 1], [5.0, 4.0])
    assert len(ratings) == 4


def test_a_profile_is_its_own_profile(ratings):
    """Where a target may be a row or a profile, a profile is taken as it is."""
    profile = ratings.profile(0)
    assert ratings.profile(profile) is profile
    assert profile.value(1) == 3.0
    assert profile.value(2) is None
    assert 0 in profile
    assert 2 not in profile
    assert profile.without(0) == Profile(np.array([1]), np.array([3.0]), 0)


def test_means(ratings):
    """Means are over all ratings of a user, an item, everybody; not a number where there is none."""
    assert ratings.user_mean(0) == 4.0
    assert np.isnan(ratings.user_mean(2))
    np.testing.assert_array_equal(ratings.user_means, [4.0, 3.0, np.nan])
    np.testing.assert_array_equal(ratings.item_means, [4.5, 3.0, 2.0])
    assert ratings.mean == 3.5


def test_nothing_can_be_changed(ratings):
    """Ratings, their arrays and their profiles are frozen."""
    with pytest.raises(AttributeError):
        ratings.scale = (0, 1)
    for array in (*ratings.cells.arrays().values(), ratings.profile(0).items, ratings.user_means):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_what_was_handed_in_is_not_kept():
    """Changing a column afterwards changes nothing, and the column stays writeable."""
    users, items, values = np.array([1, 2]), np.array([3, 4]), np.array([1.5, 2.5])
    ratings = Ratings.of(users, items, values, timestamps=(times := np.array([7, 8])))
    users[0] = items[0] = times[0] = 9
    values[0] = 9.0
    assert {name: column.tolist() for name, column in ratings.columns().items()} == {
        "user_id": [1, 2],
        "item_id": [3, 4],
        "rating": [1.5, 2.5],
        "timestamp": [7, 8],
    }


def test_a_stranger(ratings):
    """A stranger's profile comes from item ids, has no row, and keeps to the scale."""
    profile = ratings.stranger({"bun": 1, "tea": 5})
    assert profile == Profile(np.array([0, 2]), np.array([5.0, 1.0]))
    assert profile.row is None
    assert len(ratings.stranger({})) == 0
    with pytest.raises(UnknownIdError, match=r"no item 'teas'.*Near: 'tea'"):
        ratings.stranger({"teas": 5})
    with pytest.raises(RatingsError, match="outside"):
        ratings.stranger({"tea": 6})


def test_without_one_rating(ratings):
    """One rating is left out, by user and by item; one that is not there leaves all as it is."""
    fewer = ratings.without(0, 1)
    assert fewer.profile(0).items.tolist() == [0]
    assert len(fewer.raters(1)[0]) == 0
    assert ratings.without(2, 0) == ratings


def test_forgetting(ratings):
    """A forgotten user keeps the row, so that no other moves, and no rating."""
    left = ratings.forgetting(0)
    assert len(left.profile(0)) == 0
    assert left.users == ratings.users
    assert left.profile(1) == ratings.profile(1)
    assert left.raters(0)[0].tolist() == [1]


def test_joined_by(ratings):
    """Newcomers get rows at the end, with ids of their own or free ones."""
    profile = ratings.stranger({"bun": 1})
    more = ratings.joined_by({"zed": profile})
    assert more.users.row("zed") == 3
    assert more.profile(3).values.tolist() == [1.0]
    assert more.users.declared
    assert ratings.joined_by([profile, profile]).users.ids()[3:] == ["stranger 1", "stranger 2"]
    numbers = Ratings.of([5, 9], ["a", "b"], [1, 2])
    assert numbers.joined_by([profile.without(2)]).users.ids() == [5, 9, 10]
    with pytest.raises(RatingsError, match="already"):
        ratings.joined_by({"ann": profile})


def test_updated(ratings):
    """Written ratings replace or join, deleted ones go, and unknown ids get rows at the end."""
    later = ratings.updated(
        upserts=(["ann", "zed", "bob"], ["tea", "pie", "jam"], [1, 4, 3]), deletes=(["bob"], ["tea"])
    )
    assert later.profile(0).values.tolist() == [1.0, 3.0]
    assert later.users.ids() == ["ann", "bob", "eve", "zed"]
    assert later.items.ids() == ["tea", "jam", "bun", "pie"]
    assert later.profile(1).items.tolist() == [1, 2]
    assert later.profile(3).items.tolist() == [3]
    assert later.declared == {"scale"}
    named = ratings.updated(upserts=(["zed"], ["tea"], [4]), users=["zed"])
    assert named.declared == {"users", "items", "scale"}
    assert ratings.updated() == ratings


def test_updated_scale_and_times():
    """A declared scale is kept to, an inferred one grows; times go with ratings that have them."""
    inferred = Ratings.of(["a"], ["x"], [3], timestamps=[7])
    assert inferred.updated(upserts=(["a"], ["y"], [9], [8])).scale == (3.0, 9.0)
    with pytest.raises(RatingsError, match="timestamps"):
        inferred.updated(upserts=(["a"], ["y"], [9]))
    declared = Ratings.of(["a"], ["x"], [3], scale=(1, 5))
    with pytest.raises(RatingsError, match="outside the declared scale"):
        declared.updated(upserts=(["a"], ["y"], [9]))


@pytest.mark.parametrize(
    ("upserts", "deletes", "error"),
    [
        ((["ann", "ann"], ["tea", "tea"], [1, 2]), None, RatingsError),
        ((["ann"], ["tea"], [1]), (["ann"], ["tea"]), RatingsError),
        ((["ann"], ["tea"]), None, RatingsError),
        ((["ann"], ["tea", "jam"], [1]), None, RatingsError),
        ((["ann"], ["tea"], [float("nan")]), None, RatingsError),
        (([7], ["tea"], [1]), None, RatingsError),
        (([""], ["tea"], [1]), None, RatingsError),
        (None, (["zed"], ["tea"]), UnknownIdError),
        (None, (["ann"], ["tea", "jam"]), RatingsError),
    ],
)
def test_changes_that_cannot_be(ratings, upserts, deletes, error):
    """A change that says two things of one rating, or nothing sensible, is refused whole."""
    with pytest.raises(error):
        ratings.updated(upserts=upserts, deletes=deletes)


def test_subset(ratings):
    """A subset has its own registries, in the order in which it was asked for."""
    part = ratings.subset(users=[1, 0], items=[2, 0])
    assert part.users.ids() == ["bob", "ann"]
    assert part.items.ids() == ["bun", "tea"]
    assert part.profile(0).values.tolist() == [2.0, 4.0]
    assert part.profile(1).values.tolist() == [5.0]
    with pytest.raises(UnknownIdError):
        ratings.subset(users=[3])
    with pytest.raises(RatingsError, match="twice"):
        ratings.subset(users=[0, 0])


def test_rows_that_are_none(ratings):
    """A row outside the registry is refused: a negative one does not count from the end."""
    for ask in (ratings.profile, ratings.user_mean, ratings.raters, ratings.users.id):
        for row in (-1, 3):
            with pytest.raises(UnknownIdError):
                ask(row)


def test_what_is_declared():
    """Registries and scales that are inferred are remembered as such."""
    assert Ratings.of(["a"], ["x"], [3]).declared == set()
    assert Ratings.of(["a"], ["x"], [3], users=["a", "b"]).declared == {"users"}
    assert Ratings.of(["a"], ["x"], [3], scale=(1, 5)).declared == {"scale"}
    assert Ratings.of(["a"], ["x"]).declared == {"scale"}
    assert Ratings.of(["a", "b"], ["x", "x"], [1, 5]).scale == (1.0, 5.0)


def test_the_snapshot_sees_ratings_ids_and_bounds_only(ratings):
    """Equal ratings have equal snapshots, however they came and whatever is declared; others have others."""
    columns = ratings.columns()
    again = Ratings.of(
        columns["user_id"],
        columns["item_id"],
        columns["rating"],
        users=ratings.users,
        items=ratings.items,
        scale=(1, 5),
    )
    assert again.snapshot == ratings.snapshot
    back = ratings.updated(upserts=(["eve"], ["tea"], [1])).updated(deletes=(["eve"], ["tea"]))
    assert back.snapshot == ratings.snapshot
    inferred = Ratings.of(columns["user_id"], columns["item_id"], columns["rating"])
    declared = Ratings.of(columns["user_id"], columns["item_id"], columns["rating"], scale=inferred.scale)
    assert inferred.snapshot == declared.snapshot
    others = [
        ratings.without(0, 0),
        ratings.updated(upserts=(["ann"], ["tea"], [4])),
        ratings.updated(users=["zed"]),
        ratings.subset(users=[1, 0, 2]),
        ratings.transposed(),
        inferred,
    ]
    assert len({other.snapshot for other in [ratings, *others]}) == 1 + len(others)


def test_memory_on_and_off_the_grid():
    """A rating takes 9 bytes on a grid of 32 values, 16 where 32-bit floats are exact, 24 where they are not."""
    users, items = np.repeat(np.arange(40), 50), np.tile(np.arange(50), 40)
    starts = 8 * (41 + 51)
    for values, size in (
        (np.arange(2000) % 32 / 2, 9),
        (np.arange(2000) % 33 / 2, 16),
        (np.arange(2000) % 33 / 10, 24),
    ):
        ratings = Ratings.of(users, items, values)
        grid = 0 if ratings.cells.grid is None else ratings.cells.grid.nbytes
        assert ratings.nbytes - starts - grid == size * 2000
        np.testing.assert_array_equal(ratings.columns()["rating"], values)


def test_a_change_may_leave_the_grid_and_need_wider_floats():
    """A 33rd value, and one that no 32-bit float holds, are kept exactly."""
    ratings = Ratings.of(np.arange(32), np.zeros(32, int), np.arange(32) / 2)
    assert ratings.cells.grid is not None
    off = ratings.updated(upserts=([0], [1], [99.0]))
    assert off.cells.user_values.dtype == np.float32
    for value in (0.1, 1e300):
        assert off.updated(upserts=([0], [2], [value])).profile(0).values.tolist() == [0.0, 99.0, value]


def test_no_ratings_at_all():
    """Registries alone are ratings too."""
    empty = Ratings.of([], [], [], users=["ann"], items=["tea"], scale=(1, 5))
    assert len(empty) == 0
    assert empty.mean == 3.0
    assert empty.updated(upserts=(["ann"], ["tea"], [4])).profile(0).values.tolist() == [4.0]
    assert len(Ratings.of([], [], [])) == 0


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ((["a", 1], ["x", "y"], [1, 2]), "row 1: user ids must be all whole numbers or all text"),
        (([1, "a"], ["x", "y"], [1, 2]), "row 1: user ids must be all"),
        (([1.5], ["x"], [1]), "row 0: user ids must be whole numbers or text; got 1.5"),
        (([True], ["x"], [1]), "whole numbers or text; got True"),
        (([None], ["x"], [1]), "whole numbers or text; got None"),
        ((np.array([1.0]), ["x"], [1]), "an array of float64"),
        (([2**63], ["x"], [1]), "64 bits"),
        ((["a", ""], ["x", "y"], [1, 2]), "row 1: the user id is blank"),
        ((["a", "b"], ["x", "\t"], [1, 2]), "row 1: the item id is blank"),
        ((["a\0"], ["x"], [1]), "NUL"),
        ((["\ud800"], ["x"], [1]), "UTF-8"),
        ((["a" * 5000], ["x"], [1]), "5,000 characters"),
        (("abc", ["x", "y", "z"], [1, 2, 3]), "one text"),
        ((["a", "b"], ["x"], [1, 2]), "2 user ids and 1 item ids"),
        ((["a"], ["x"], [1, 2]), "1 user ids and 2 ratings"),
        ((["a", "b"], ["x", "y"], [1, float("nan")]), "row 1: a rating must be a finite number"),
        ((["a"], ["x"], [float("inf")]), "finite"),
        ((["a"], ["x"], ["5"]), "row 0: a rating must be a number; got '5'"),
        ((["a"], ["x"], [None]), "row 0: a rating must be a number; got None"),
        ((["a", "a"], ["x", "x"], [1, 2]), "row 1: the item 'x' is rated again by the same user, first in row 0"),
    ],
)
def test_columns_that_cannot_be_ratings(columns, reason):
    """Columns in memory are held to what files are held to, with the row, counted from 0."""
    with pytest.raises(RatingsError) as raised:
        Ratings.of(*columns)
    assert reason in str(raised.value)


def test_registries_that_cannot_be():
    """A registry names everybody once, and holds whole numbers or text."""
    for users in (["a", "a"], ["a", 1], [1, 1], [""], [None]):
        with pytest.raises(RatingsError):
            Ratings.of(["a"], ["x"], [1], users=users)


def test_a_scale_that_cannot_be():
    """A scale is two finite numbers, the lower first."""
    for scale in ((5, 1), (1, 1), (1,), (1, float("nan")), "ab", 5):
        with pytest.raises(ParameterError, match="scale"):
            Ratings.of(["a"], ["x"], [1], scale=scale)


def test_subclasses_of_text_and_numpy_integers():
    """NumPy's integers and texts are whole numbers and texts."""
    assert Ratings.of([np.int32(1), 2], [np.str_("x"), "y"], [1, 2]).users.ids() == [1, 2]
    assert Ratings.of(np.array(["b", "a"]), np.array(["x", "y"], object), [1, 2]).users.ids() == ["a", "b"]


def test_an_error_tells_no_member_by_near_spelling(ratings):
    """Near spellings are offered for items only: for users they would list members."""
    with pytest.raises(UnknownIdError) as raised:
        ratings.users.row("anne")
    assert str(raised.value) == "There is no user 'anne'."
    with pytest.raises(UnknownIdError, match="text"):
        ratings.users.row(7)


def test_registries_of_the_other_side(tmp_path):
    """A registry may serve users and items alike, and each stays what it is when saved."""
    first = Ratings.of(["a", "b"], ["x", "y"], [1, 2])
    swapped = Ratings.of(["x"], ["a"], [1], users=first.items, items=first.users)
    shared = Ratings.of(["a"], ["b"], [1], users=first.users, items=first.users)
    for ratings in (swapped, shared, shared.transposed()):
        assert (ratings.users.side, ratings.items.side) == ("user", "item")
        ratings.save(tmp_path / "saved")
        assert Ratings.open(tmp_path / "saved", verify=True) == ratings


def test_a_saved_file_declared_later(tmp_path, ratings):
    """Reading a saved file under a declared scale moves no row and drops nobody."""
    grown = ratings.updated(upserts=(["0new"], ["tea"], [1])).forgetting(0)
    grown.save(tmp_path / "saved")
    read = Ratings.read(tmp_path / "saved", scale=(0, 10))
    assert read.users == grown.users
    assert read.cells == grown.cells
    assert read.scale == (0.0, 10.0)
    with pytest.raises(RatingsError, match="outside"):
        Ratings.read(tmp_path / "saved", scale=(4, 10))
    for wrong in ({"duplicates": "nope"}, {"rating": False}, {"user": "who"}):
        with pytest.raises(ParameterError):
            Ratings.read(tmp_path / "saved", **wrong)


def test_profiles_that_cannot_be(ratings):
    """A profile's items are rows, ascending, each once, and its ratings finite numbers; it keeps copies."""
    for items, values in (
        ([-1], [2.0]),
        ([0, 0], [1.0, 2.0]),
        ([1, 0], [1.0, 2.0]),
        ([0], [np.nan]),
        ([0], [1.0, 2.0]),
    ):
        with pytest.raises(RatingsError):
            Profile(np.array(items), np.array(values))
    mine = np.array([0, 1])
    profile = Profile(mine, np.array([1, 2]))
    mine[0] = 7
    assert profile.items.tolist() == [0, 1]
    with pytest.raises(RatingsError, match="item row 9"):
        ratings.joined_by([Profile(np.array([9]), np.array([1.0]))])


@pytest.mark.parametrize(
    "ask",
    [
        lambda r: r.profile(None),
        lambda r: r.profile("0"),
        lambda r: r.profile(True),
        lambda r: r.raters(0.5),
        lambda r: r.user_mean([0]),
        lambda r: r.users.id("ann"),
        lambda r: r.without("ann", "tea"),
        lambda r: r.forgetting("ann"),
        lambda r: r.subset(users=[True, False]),
        lambda r: r.subset(users=[0.7]),
        lambda r: r.subset(users=["0"]),
        lambda r: r.subset(users=[10**30]),
        lambda r: r.keeping([0, 0]),
        lambda r: r.keeping([-1]),
        lambda r: r.keeping([True]),
        lambda r: r.keeping([9]),
        lambda r: r.stranger([]),
        lambda r: r.stranger({"tea": 10**400}),
        lambda r: r.joined_by(None),
        lambda r: r.joined_by(["zed"]),
        lambda r: r.updated(5),
        lambda r: r.updated({"user_id": ["ann"]}),
        lambda r: r.updated((["ann"], ["tea"], None)),
        lambda r: r.updated(users=5),
        lambda r: r.updated(users=[["q"]]),
        lambda r: r.updated(deletes=(None, None)),
        lambda r: r.save("a\0b"),
        lambda r: Ratings.of(None, ["x"]),
        lambda r: Ratings.of(["a"], ["x"], 5),
        lambda r: Ratings.of([["a"]], ["x"]),
        lambda r: Ratings.of(["a"], ["x"], [[5]]),
        lambda r: Ratings.of(["a"], ["x"], [10**400]),
        lambda r: Ratings.of(["a"], ["x"], [1 + 2j]),
        lambda r: Ratings.of(["a"], ["x"], b"\1"),
        lambda r: Ratings.of(["a", "b"], ["x", "x"], np.ma.array([1, 2], mask=[0, 1])),
        lambda r: Ratings.of(["a"], ["x"], users="ab"),
        lambda r: Ratings.of(["a"], ["x"], users=5),
        lambda r: Ratings.of(["a"], ["x"], scale="15"),
        lambda r: Ratings.of(["a"], ["x"], scale=(1, 10**400)),
        lambda r: Ratings.of(["a"], ["x"], scale=(2, 5)),
        lambda r: Ratings.of(["a"], ["x"], timestamps=np.array(["NaT"], "M8[s]")),
        lambda r: Ratings.of(["a"], ["x"], timestamps=[[1]]),
        lambda r: Ratings.of(["a"], ["x"], timestamps=np.array([2**63], np.uint64)),
    ],
)
def test_the_wrong_kind_of_thing(ratings, ask):
    """Whatever is handed in, the error is one of the house's, in one sentence."""
    with pytest.raises(PrivetError) as raised:
        ask(ratings)
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 400


def test_negative_zeros_are_zeros():
    """A negative zero leaves no trace: not in the snapshot, not in the scale."""
    zero, negative = (Ratings.of([1, 1], [0, 1], [value, 1.0], scale=(value, 1)) for value in (0.0, -0.0))
    assert zero.snapshot == negative.snapshot
    written = [zero.updated(upserts=([1], [1], [value])).snapshot for value in (0.0, -0.0)]
    assert written[0] == written[1]


def test_means_of_duplicates_stay_among_them():
    """A mean is never outside what it is the mean of: not by rounding, and not by overflow."""
    ratings = Ratings.of(["a"] * 3, ["x"] * 3, [0.1] * 3, scale=(0, 0.1), duplicates="mean")
    assert ratings.profile(0).values.tolist() == [0.1]
    large = Ratings.of(["a"] * 2, ["x"] * 2, [1.7e308] * 2, duplicates="mean")
    assert large.profile(0).values.tolist() == [1.7e308]


def test_an_inferred_scale_has_two_ends():
    """A scale inferred from one value has its lower end below it, for large values too."""
    for value in (5.0, 1e17, -3.0):
        low, high = Ratings.of(["a"], ["x"], [value]).scale
        assert low < high == value


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_copies_are_frozen_too(ratings, again):
    """Copied and pickled ratings, profiles and catalogues are equal, and nobody can change them either."""
    same = again(ratings)
    assert same == ratings
    assert same.snapshot == ratings.snapshot
    for array in (*same.cells.arrays().values(), same.users.text, again(ratings.profile(0)).items):
        assert not array.flags.writeable
    catalogue = Catalogue({"tea": "Tea"}, {"tea": ("drinks",)})
    assert again(catalogue) == catalogue


def test_appending_to_a_registry_of_text_keeps_every_look_up():
    """However ids are appended, each is found in its row, and the registry equals one made at once."""
    random = np.random.default_rng(5)
    names = [f"{number:x}" for number in random.choice(10**6, 300, replace=False)]
    ratings = Ratings.of([names[0]], [1], [1])
    done = 1
    for step in (1, 3, 50, 100, 145):
        ratings = ratings.updated(upserts=(names[done : done + step], [1] * step, [1] * step))
        done += step
    assert ratings.users.ids() == names[:done]
    assert [ratings.users.row(name) for name in names[:done]] == list(range(done))
    assert "no hexadecimal number" not in ratings.users
    assert ratings.users == type(ratings.users).of(names[:done], side="user")


def test_near_spellings_are_not_sought_among_very_many():
    """Among very many items near spellings would take seconds, and anybody may ask for what is not there."""
    many = Ratings.of(["a"] * 30_000, [f"item {row}" for row in range(30_000)])
    with pytest.raises(UnknownIdError) as raised:
        many.items.row("item -")
    assert "Near" not in str(raised.value)


def test_only_a_declared_scale_is_held_to():
    """Strangers, newcomers and changes may go beyond an inferred scale, and never beyond a declared one."""
    inferred = Ratings.of(["a", "b"], ["x", "x"], [3, 4])
    assert inferred.stranger({"x": 5}).values.tolist() == [5.0]
    assert inferred.joined_by([inferred.stranger({"x": 5})]).scale == (3.0, 5.0)
    declared = Ratings.of(["a", "b"], ["x", "x"], [3, 4], scale=(1, 5))
    for beyond in (
        lambda: declared.stranger({"x": 6}),
        lambda: declared.joined_by([inferred.stranger({"x": 6})]),
        lambda: declared.updated(upserts=(["a"], ["x"], [6])),
    ):
        with pytest.raises(RatingsError, match="declared scale"):
            beyond()


def test_look_ups_of_what_cannot_be_there():
    """Numbers beyond 64 bits with a sign wrap to nobody, and a very long text is not there, without much ado."""
    ratings = Ratings.of([-1, 5], [1, 1], [2, 3])
    assert ratings.users.rows_if_any(np.array([2**64 - 1, 5], np.uint64)).tolist() == [-1, 1]
    with pytest.raises(UnknownIdError):
        ratings.updated(deletes=(np.array([2**64 - 1], np.uint64), [1]))
    names = [f"m{number}" for number in range(1000)]
    registry = Ratings.of(names, names, [1] * 1000).users
    tracemalloc.start()
    assert registry.rows_if_any([*names[:100], "x" * 2_000_000]).tolist()[-1] == -1
    assert tracemalloc.get_traced_memory()[1] < 50e6
    tracemalloc.stop()


def test_keeping_nothing(ratings):
    """Nothing kept leaves the registries."""
    assert len(ratings.keeping([])) == 0
    assert ratings.keeping([]).users == ratings.users


@pytest.mark.parametrize("duplicates", ["last", "first", "mean"])
def test_the_inferred_scale_is_of_what_was_kept(duplicates):
    """Ratings that gave way to others have no part in the scale, and a change of nothing changes nothing."""
    ratings = Ratings.of(
        ["a", "b", "a"],
        ["x", "x", "x"],
        [{"last": 1, "first": 3, "mean": 1}[duplicates], 3, {"last": 3.5, "first": 9, "mean": 6}[duplicates]],
        duplicates=duplicates,
    )
    assert ratings.scale == {"last": (3.0, 3.5), "first": (2.0, 3.0), "mean": (3.0, 3.5)}[duplicates]
    assert ratings.updated() == ratings


def test_no_error_names_a_member(ratings):
    """Errors end in logs: what is wrong with a user's id or rating is told without the id."""
    for ask in (
        lambda: ratings.joined_by({"ann": ratings.stranger({})}),
        lambda: ratings.updated(upserts=(["ann", "ann"], ["tea", "tea"], [1, 2])),
        lambda: Ratings.of(["ann", "ann"], ["tea", "tea"], [1, 2]),
        lambda: Ratings.of(["ann"], ["tea"], [1], users=["bob"]),
        lambda: Ratings.of(["ann"], ["tea"], [1], users=["ann", "ann"]),
        lambda: Ratings.of([7], ["tea"], [1], users=[5]),
    ):
        with pytest.raises(RatingsError) as raised:
            ask()
        assert "ann" not in str(raised.value)
        assert "7" not in str(raised.value)
