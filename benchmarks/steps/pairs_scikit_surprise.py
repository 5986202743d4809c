"""Surprise: the co-rated cosine of all pairs of users, as `KNNBasic` makes it of a trainset."""

import numpy as np
from measuring import Columns, columns, keep, measured
from surprise import Dataset, KNNBasic, Reader, Trainset


def trainset(columns: Columns) -> Trainset:
    """Made without pandas, whose memory is not Surprise's; of Python's own numbers, as its readers make them."""
    users, items, ratings = (column.tolist() for column in columns[:3])
    raw = list(zip(users, items, ratings, [None] * len(users), strict=True))
    return Dataset(Reader(rating_scale=columns.scale)).construct_trainset(raw)


def similarities(trainset: Trainset) -> np.ndarray:
    return KNNBasic(sim_options={"name": "cosine", "user_based": True}, verbose=False).fit(trainset).sim


def by_row(similarities: np.ndarray, trainset: Trainset, users: int) -> np.ndarray:
    """Users of a trainset stand in order of appearance, and those without a rating are not in it."""
    rows = [trainset.to_raw_uid(inner) for inner in trainset.all_users()]
    matrix = np.zeros((users, users))
    matrix[np.ix_(rows, rows)] = similarities
    return matrix


ratings = columns()
data = trainset(ratings)
keep(by_row(measured(similarities, lambda: data), data, ratings.shape[0]))
