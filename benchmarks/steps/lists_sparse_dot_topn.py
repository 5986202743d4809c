"""sparse_dot_topn: every user's nearest by the cosine of whole rows, the user among them."""

import numpy as np
from measuring import NEIGHBOURS, THREADS, columns, matrix, measured
from scipy.sparse import csr_matrix, diags
from sparse_dot_topn import sp_matmul_topn


def neighbours(ratings: csr_matrix) -> csr_matrix:
    lengths = np.sqrt(np.asarray(ratings.multiply(ratings).sum(axis=1)).ravel())
    normalised = (diags(1 / np.maximum(lengths, 1e-9)) @ ratings).astype(np.float32).tocsr()
    return sp_matmul_topn(normalised, normalised.T.tocsr(), NEIGHBOURS + 1, sort=True, n_threads=THREADS)


ratings = matrix(columns())
lists = measured(neighbours, lambda: ratings)
assert lists.shape[0] == ratings.shape[0]
