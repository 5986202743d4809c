import os
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest

from privet.errors import ParameterError, RatingsError, UnknownIdError
from privet.method import Method
from privet.ratings import Catalogue, Ratings
from privet.recommender import Prediction, Recommender
from privet.selection import KNN


def many(users=40, items=30, seed=1):
    """Random ratings with text ids; the last user and the last item have none."""
    rng = np.random.default_rng(seed)
    cells = np.argwhere(rng.random((users - 1, items - 1)) < 0.5)
    return Ratings.of(
        [f"u{user}" for user in cells[:, 0]],
        [f"i{item}" for item in cells[:, 1]],
        rng.integers(1, 6, len(cells)),
        users=[f"u{user}" for user in range(users)],
        items=[f"i{item}" for item in range(items)],
        scale=(1, 5),
    )


RATINGS = many()
TOY = Ratings.of(
    ["ann", "ann", "bob", "bob", "bob", "eve", "eve", "eve"],
    ["tea", "jam", "tea", "jam", "bun", "tea", "jam", "fig"],
    [5, 1, 5, 1, 2, 1, 5, 4],
    users=["ann", "bob", "eve", "new"],
    items=["tea", "jam", "bun", "fig", "oat"],
    scale=(1, 5),
)


def test_items_that_a_neighbour_rated_come_before_all_others():
    """Ann's neighbour bob gives bun a 2; fig, a 4 from eve, and oat, which nobody rated, follow by everybody's mean."""
    found = Recommender(TOY, "knn:k=1").recommend("ann")
    assert found.item_ids.tolist() == ["bun", "fig", "oat"]
    assert found.scores.tolist() == pytest.approx([2, 4, 3], abs=1e-6)
    assert found.basis.tolist() == ["neighbours", "item mean", "global mean"]


def test_a_list_has_n_items_at_most_and_none_that_was_rated():
    """The first n of the whole list."""
    recommender = Recommender(RATINGS, "ppns:k=8", seed=3)
    whole = recommender.recommend("u0", n=99)
    assert recommender.recommend("u0", n=4).item_ids.tolist() == whole.item_ids[:4].tolist()
    rated = RATINGS.items.ids(RATINGS.profile(0).items)
    assert sorted(whole.item_ids.tolist() + rated) == sorted(RATINGS.items.ids())


def test_scores_are_rounded_before_they_are_sorted():
    """Every score is a multiple of 2^-20, though means are not, so that a last bit moves nothing."""
    recommender = Recommender(RATINGS, "ppns:k=8", seed=3)
    scores = recommender.recommend("u0", n=99).scores * 2**20
    means = recommender.predict_many(["u0"] * 29, [f"i{item}" for item in range(29)]).values * 2**20
    assert np.array_equal(scores, np.rint(scores))
    assert not np.array_equal(means, np.rint(means))


def test_equal_scores_are_listed_by_item_row():
    """Ties follow the registry."""
    ratings = Ratings.of([1, 2, 2, 2], [9, 9, 8, 7], [5, 5, 3, 3], items=[8, 9, 7], scale=(1, 5))
    assert Recommender(ratings, "knn:k=1").recommend(1).item_ids.tolist() == [8, 7]


def test_predictions_by_hand():
    """From a neighbour, from oneself, from one's own mean."""
    recommender = Recommender(TOY, "knn:k=1")
    assert recommender.predict("ann", "bun") == Prediction(value=2, half_width=None, basis="neighbours", raters=1)
    assert recommender.predict("ann", "jam") == Prediction(value=1, half_width=0, basis="own rating", raters=0)
    assert recommender.predict("ann", "oat") == Prediction(value=3, half_width=None, basis="user mean", raters=0)


def test_many_predictions_are_the_single_ones_in_the_order_asked_for():
    """Users and items in any order, twice or not, numbers of NumPy or not."""
    recommender = Recommender(RATINGS, "ppns:k=8", seed=3)
    users, items = ["u5", "u0", "u5", "u39", "u5"], ["i3", "i29", "i0", "i1", "i3"]
    table = recommender.predict_many(users, items)
    assert (table.user_ids.tolist(), table.item_ids.tolist()) == (users, items)
    for place, (user, item) in enumerate(zip(users, items, strict=True)):
        one = recommender.predict(user, item)
        assert (table.values[place], table.basis[place], table.raters[place]) == (one.value, one.basis, one.raters)
    assert len(recommender.predict_many([], [])) == 0
    with pytest.raises(ParameterError, match="in pairs; got 1 user ids and 2"):
        recommender.predict_many(["u1"], ["i1", "i2"])


def test_neighbours_are_named_with_their_partitions():
    """k = 8, p = .5: 4 of the first eight, 2 of the second, 1 of the third, one from behind; never oneself."""
    found = Recommender(RATINGS, "ppns:k=8", seed=3).neighbours("u0")
    assert [(found.partitions == partition).sum() for partition in (1, 2, 3)] == [4, 2, 1]
    assert found.partitions[-1] > 3
    assert "u0" not in found.user_ids
    assert (np.diff(found.similarities) <= 0).all()
    assert set(found.weights) == {1}


def test_the_nearest_neighbour_is_the_nearest():
    """Ann agrees with bob."""
    found = Recommender(TOY, "knn:k=2").neighbours("ann")
    assert found.user_ids.tolist() == ["bob", "eve"]
    assert found.similarities.tolist() == pytest.approx([1, 10 / 26])
    assert found.partitions.tolist() == [1, 1]


def test_the_same_label_has_the_same_answer_in_every_process():
    """Key, epoch, data and method decide; nothing else, no hash seed either."""
    key = bytes(range(32))
    command = (
        "import numpy as np; from privet.ratings import Ratings; from privet.recommender import Recommender;"
        "r = np.random.default_rng(0); c = np.argwhere(r.random((60, 20)) < .5);"
        "d = Ratings.of(c[:, 0], c[:, 1], r.integers(1, 6, len(c)), scale=(1, 5));"
        "print(Recommender(d, 'ppns:k=9', key=bytes(range(32)), epoch=2).neighbours(7).user_ids.tolist())"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", command],
            env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for hash_seed in (1, 2)
    }
    rng = np.random.default_rng(0)
    cells = np.argwhere(rng.random((60, 20)) < 0.5)
    ratings = Ratings.of(cells[:, 0], cells[:, 1], rng.integers(1, 6, len(cells)), scale=(1, 5))
    here = Recommender(ratings, "ppns:k=9", key=key, epoch=2).neighbours(7).user_ids.tolist()
    assert said == {f"{here}\n"}


def test_other_keys_epochs_methods_and_data_draw_anew():
    """Whatever is part of the label changes the draw; a repeated question does not."""
    first = Recommender(RATINGS, "ppns:k=12,short=fill", seed=3)
    known = first.neighbours("u0").user_ids.tolist()
    assert first.neighbours("u0").user_ids.tolist() == known
    assert Recommender(RATINGS, "ppns:k=12,short=fill", seed=3).neighbours("u0").user_ids.tolist() == known
    others = [
        Recommender(RATINGS, "ppns:k=12,short=fill", seed=4),
        Recommender(RATINGS, "ppns:k=12,short=fill", seed=3, epoch=1),
        Recommender(RATINGS, "ppns:k=12,short=fill,epsilon=1.0001", seed=3),
        Recommender(RATINGS.without(20, int(RATINGS.profile(20).items[0])), "ppns:k=12,short=fill", seed=3),
        Recommender(RATINGS, "ppns:k=12,short=fill", key=bytes(32)),
        Recommender(RATINGS, "ppns:k=12,short=fill", key=bytes(range(32))),
    ]
    draws = [tuple(known), *(tuple(other.neighbours("u0").user_ids.tolist()) for other in others)]
    assert len(set(draws)) == len(draws)


def test_a_user_without_ratings_is_answered_by_item_means():
    """And told so."""
    recommender = Recommender(RATINGS, "ppns:k=8", seed=3)
    assert set(recommender.recommend("u39", n=99).basis) == {"item mean", "global mean"}
    assert recommender.predict("u39", "i0").basis == "item mean"


def test_a_stranger_is_answered_like_a_member():
    """With the sure neighbours of kNN, a profile's list is that of its twin, whose row is a neighbour too."""
    profile = RATINGS.stranger({"i1": 5, "i2": 1, "i3": 4})
    joined = RATINGS.joined_by({"me": profile})
    here = Recommender(RATINGS, "knn:k=5").recommend_for(profile)
    there = Recommender(joined, "knn:k=5").recommend("me")
    assert (here.item_ids.tolist(), here.scores.tolist()) == (there.item_ids.tolist(), there.scores.tolist())


def test_accounts_and_profiles_of_strangers_have_draws_of_their_own():
    """Another account is another draw; the same is the same."""
    recommender = Recommender(RATINGS, "ppns:k=8,p=.3", seed=3)
    profile = RATINGS.stranger({"i1": 5, "i2": 1, "i3": 4})
    lists = [
        recommender.recommend_for(profile, 30, account=account).scores.tolist() for account in (None, "a", "b", "a")
    ]
    assert lists[1] == lists[3]
    assert len({tuple(scores) for scores in lists}) == 3


def test_another_profile_of_one_account_has_noise_of_its_own():
    """Two profiles with the same angles to everybody, one twice the other: only the label tells their draws apart."""
    recommender = Recommender(RATINGS, "ppns:k=8,p=.3", seed=3)
    lists = []
    for factor in (1, 2):
        profile = RATINGS.stranger({"i1": 2 * factor, "i2": factor, "i3": 2 * factor})
        found = recommender.recommend_for(profile, 99, account="ada")
        lists.append(dict(zip(found.item_ids.tolist(), found.scores.tolist(), strict=True)))
    assert lists[0] != lists[1]


def test_a_members_profile_is_the_member():
    """A profile with a row has that row left out of its neighbours and that user's draw."""
    recommender = Recommender(RATINGS, "ppns:k=8", seed=3)
    assert list(recommender.recommend_for(RATINGS.profile(4))) == list(recommender.recommend("u4"))


def test_a_profile_of_another_registry_is_refused():
    """Item rows that are not here belong to other ratings."""
    with pytest.raises(RatingsError, match="not in the registry"):
        Recommender(TOY, "knn").recommend_for(RATINGS.stranger({"i20": 5}))


def test_unknown_ids_are_refused():
    """By every question."""
    recommender = Recommender(TOY, "knn:k=1")
    for ask in (
        lambda: recommender.recommend("joe"),
        lambda: recommender.neighbours("joe"),
        lambda: recommender.predict("joe", "tea"),
        lambda: recommender.predict("ann", "rum"),
        lambda: recommender.predict_many(["ann", "joe"], ["tea", "tea"]),
        lambda: recommender.predict_many(["ann"], ["rum"]),
    ):
        with pytest.raises(UnknownIdError, match=r"There is no (user 'joe'|item 'rum')"):
            ask()


@pytest.mark.parametrize("n", [0, -1, 1.5, True])
def test_a_list_needs_a_length(n):
    """A whole number of items, at least one."""
    with pytest.raises(ParameterError, match="n >= 1"):
        Recommender(TOY, "knn").recommend("ann", n)


def test_keys_seeds_and_epochs_are_checked():
    """A key or a seed; epochs from 0."""
    with pytest.raises(ParameterError, match="got both"):
        Recommender(TOY, "knn", key=bytes(32), seed=1)
    with pytest.raises(ParameterError, match="at least 32 bytes"):
        Recommender(TOY, "knn", key=b"")
    with pytest.raises(ParameterError, match="epoch=-1"):
        Recommender(TOY, "knn", epoch=-1)


def test_methods_are_texts_or_values():
    """Both forms mean the same."""
    assert Recommender(TOY, "knn:k=3").method == Recommender(TOY, Method(selector=KNN(), k=3)).method


def test_columns_are_taken_by_pandas_and_polars():
    """Every answer is a frame with the promised columns; titles come with a catalogue."""
    catalogue = Catalogue({"bun": "Bun", "oat": "Oats"})
    recommender = Recommender(TOY, "knn:k=1", catalogue=catalogue)
    answers = {
        recommender.recommend("ann"): ["item_id", "score", "title"],
        Recommender(TOY, "knn:k=1").recommend("ann"): ["item_id", "score"],
        recommender.predict_many(["ann"], ["bun"]): ["user_id", "item_id", "value", "half_width", "basis", "raters"],
        recommender.neighbours("ann"): ["user_id", "similarity", "weight", "partition"],
    }
    for answer, names in answers.items():
        assert list(pd.DataFrame(answer.columns()).columns) == names
        assert pl.DataFrame(answer.columns()).columns == names
    assert recommender.recommend("ann").titles == ["Bun", None, "Oats"]
