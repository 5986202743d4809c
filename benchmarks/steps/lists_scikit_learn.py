"""scikit-learn: every user's nearest by the cosine of whole rows, the user among them, in its usual 64-bit floats."""

import numpy as np
from measuring import NEIGHBOURS, columns, matrix, measured
from scipy.sparse import csr_matrix
from sklearn.neighbors import NearestNeighbors


def neighbours(ratings: csr_matrix) -> tuple[np.ndarray, np.ndarray]:
    model = NearestNeighbors(n_neighbors=NEIGHBOURS + 1, metric="cosine", algorithm="brute")
    return model.fit(ratings).kneighbors(ratings)


ratings = matrix(columns(), np.float64)
_, lists = measured(neighbours, lambda: ratings)
assert lists.shape == (ratings.shape[0], NEIGHBOURS + 1)
