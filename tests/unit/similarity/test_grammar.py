"""Similarities in the text of a method, and in a recommender."""

import numpy as np
import pytest

from privet.errors import ParameterError
from privet.method import Method
from privet.ratings import Ratings
from privet.recommender import Recommender
from privet.similarity import SIMILARITIES, Agreement, Cosine, CosineFull, Deviation, Overlap, Pearson, rank
from privet.world import World

WRITTEN = {
    "cosine": (Cosine(), "cosine"),
    "cosine()": (Cosine(), "cosine"),
    "cosine_full": (CosineFull(), "cosine_full"),
    "pearson": (Pearson(), "pearson"),
    "agreement": (Agreement(m0=20), "agreement(m0=20)"),
    "agreement(m0=5)": (Agreement(m0=5), "agreement(m0=5)"),
    "deviation": (Deviation(steps=64), "deviation(steps=64)"),
    "deviation(steps=8)": (Deviation(steps=8), "deviation(steps=8)"),
    "overlap": (Overlap(like=None, steps=64), "overlap(like=none,steps=64)"),
    "overlap(like=4)": (Overlap(like=4), "overlap(like=4,steps=64)"),
    "overlap( steps = 1 , like = -2.5 )": (Overlap(like=-2.5, steps=1), "overlap(like=-2.5,steps=1)"),
    "overlap(like=none)": (Overlap(), "overlap(like=none,steps=64)"),
}


def shop():
    """Twenty-five users, two of them without a rating, and twelve items."""
    rng = np.random.default_rng(4)
    cells = np.argwhere(rng.random((23, 12)) < 0.6)
    return Ratings.of(
        cells[:, 0], cells[:, 1], rng.integers(1, 6, len(cells)), users=range(25), items=range(12), scale=(1, 5)
    )


def test_every_similarity_is_here():
    """One that is registered and not written down above would go untested."""
    assert {type(similarity) for similarity, _ in WRITTEN.values()} == set(SIMILARITIES.values())


@pytest.mark.parametrize("text", WRITTEN)
def test_a_similarity_is_read_and_written(text):
    """parse gives the value with these settings, str writes them all, and parse(str(m)) == m."""
    similarity, written = WRITTEN[text]
    method = Method.parse(f"knn:k=3; similarity={text}")
    assert method.similarity == similarity
    assert str(method) == f"knn:k=3; similarity={written}; predictor=weighted; candidates=all"
    assert Method.parse(str(method)) == method


def test_methods_with_other_settings_are_other_methods():
    """Their digests differ, so their draws do."""
    texts = [
        "cosine",
        "cosine_full",
        "pearson",
        "agreement",
        "agreement(m0=5)",
        "deviation",
        "overlap",
        "overlap(like=4)",
    ]
    assert len({Method.parse(f"knn; similarity={text}").digest() for text in texts}) == len(texts)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("agreement(m0=0)", "Agreement needs a whole number m0 >= 1; got m0=0. m0 is the least number of items"),
        ("agreement(m0=none)", "Agreement needs a whole number m0 >= 1; got m0='none'."),
        ("agreement(k=3)", "There is no setting 'k' of agreement: it has m0."),
        ("deviation(steps=.5)", "Deviation needs a whole number steps >= 1; got steps='.5'."),
        ("overlap(like=much)", "Overlap needs like to be a number; got like='much'."),
        ("overlap(like=inf)", "Overlap needs like to be a number; got like=inf."),
        ("pearson(m0=3)", "There is no setting 'm0' of pearson: it has no settings."),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence(text, sentence):
    """Every refusal says what came and what is possible."""
    with pytest.raises(ParameterError) as refusal:
        Method.parse(f"knn; similarity={text}")
    assert str(refusal.value).startswith(sentence)


@pytest.mark.parametrize(
    "text", ["pearson", "cosine_full", "agreement", "agreement(m0=5)", "overlap", "overlap(like=4)"]
)
def test_a_recommender_answers_by_any_of_them(text):
    """From the neighbours that `rank` puts first; nothing that was rated; the scale is kept."""
    ratings = shop()
    recommender = Recommender(ratings, f"knn:k=6; similarity={text}")
    for user in (0, 7):
        nearest = rank(ratings, user, recommender.method.similarity).rows[:6]
        assert recommender.neighbours(user).user_ids.tolist() == nearest.tolist()
        found = recommender.recommend(user, n=99)
        assert sorted([*found.item_ids.tolist(), *ratings.profile(user).items.tolist()]) == list(range(12))
        assert "neighbours" in found.basis
        assert ((found.scores >= 1) & (found.scores <= 5)).all()
    assert len(recommender.recommend_for(ratings.stranger({3: 5, 4: 1}), 2)) == 2
    assert recommender.recommend(24).basis.tolist()[0] == "item mean"


def test_a_recommender_hands_its_world_to_the_similarity():
    """Deviation answers from the world that the recommender holds, and without one says what is missing."""
    ratings = shop()
    world = World(3.0, np.linspace(-1, 1, 12))
    recommender = Recommender(ratings, "knn:k=6; similarity=deviation", world=world)
    nearest = rank(ratings, 7, Deviation(), world=world).rows[:6]
    assert recommender.neighbours(7).user_ids.tolist() == nearest.tolist()
    with pytest.raises(ParameterError, match="deviation needs a World"):
        Recommender(ratings, "knn:k=6; similarity=deviation").recommend(7)
