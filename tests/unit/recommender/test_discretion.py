"""What a recommender keeps to itself."""

import pickle
import secrets

import pytest

from privet.errors import ParameterError, PrivacyError, RatingsError
from privet.ratings import Ratings
from privet.recommender import Recommender


@pytest.fixture
def ratings() -> Ratings:
    return Ratings.of(["ann", "bob", "eve"], ["tea", "tea", "tea"], [5, 4, 3], scale=(1, 5))


def test_no_neighbour_is_told_by_a_repr(ratings):
    """What a log would show of neighbours is how many they are."""
    neighbours = Recommender(ratings, "knn:k=2").neighbours("ann")
    assert repr(neighbours) == "<Neighbourhood of 2>"
    assert set(neighbours.user_ids.tolist()) == {"bob", "eve"}


def test_no_key_leaves_in_a_pickle_or_an_error(ratings):
    """A key is in no pickle, in no representation and in no error."""
    key = secrets.token_bytes(32)
    recommender = Recommender(ratings, "ppns:k=1,short=fill", key=key)
    with pytest.raises(PrivacyError, match="key"):
        pickle.dumps(recommender)
    assert key.hex() not in repr(vars(recommender))
    with pytest.raises(ParameterError) as raised:
        Recommender(ratings, "knn", key="my secret key of thirty-two letters")
    assert "secret key of" not in str(raised.value)


@pytest.mark.parametrize(
    "make",
    [
        lambda r: Recommender("ratings.csv", "knn"),
        lambda r: Recommender(r, None),
        lambda r: Recommender(r, "knn", catalogue="titles.csv"),
        lambda r: Recommender(r, "knn").recommend_for({"tea": 5}),
        lambda r: Recommender(r, "knn", key=b"short"),
    ],
)
def test_the_wrong_kind_of_thing(ratings, make):
    """What a recommender cannot be made of is refused when it is made, in a sentence."""
    with pytest.raises(ParameterError):
        make(ratings)


def test_a_profile_of_other_ratings_is_not_taken_for_a_member(ratings):
    """A profile with a row must be that user's record here, or what is left of it."""
    recommender = Recommender(ratings, "knn:k=1")
    others = Ratings.of(["x", "y", "z", "w"], ["tea", "tea", "tea", "tea"], [1, 2, 1, 5], scale=(1, 5))
    for row in (1, 3):
        with pytest.raises(RatingsError, match="not of that user here"):
            recommender.recommend_for(others.profile(row))
    own = ratings.profile(0)
    assert len(recommender.recommend_for(own)) == 0
    assert len(recommender.recommend_for(own.without(0))) == 1
