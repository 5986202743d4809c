"""Cornac: the co-rated cosine of all pairs of users, as `UserKNN` makes it of a data set."""

import numpy as np
from cornac.data import Dataset
from cornac.models import UserKNN
from measuring import NEIGHBOURS, THREADS, Columns, columns, keep, measured
from scipy.sparse import csr_matrix


def data_set(columns: Columns) -> Dataset:
    triples = zip(*(column.tolist() for column in columns[:3]), strict=True)
    return Dataset.from_uir(list(triples))


def similarities(data: Dataset) -> csr_matrix:
    model = UserKNN(k=NEIGHBOURS, similarity="cosine", num_threads=THREADS, verbose=False)
    return model.fit(data).sim_mat


def by_row(similarities: csr_matrix, data: Dataset, users: int) -> np.ndarray:
    """Users of a data set stand in order of appearance, and those without a rating are not in it."""
    rows = list(data.uid_map)
    matrix = np.zeros((users, users))
    matrix[np.ix_(rows, rows)] = similarities.toarray()
    return matrix


ratings = columns()
data = data_set(ratings)
keep(by_row(measured(similarities, lambda: data), data, ratings.shape[0]))
