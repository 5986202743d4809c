"""similaripy: every user's nearest by the cosine of whole rows, the user among them."""

import similaripy
from measuring import NEIGHBOURS, THREADS, columns, matrix, measured
from scipy.sparse import csr_matrix


def neighbours(ratings: csr_matrix) -> csr_matrix:
    return similaripy.cosine(ratings, k=NEIGHBOURS + 1, num_threads=THREADS, format_output="csr", verbose=False)


ratings = matrix(columns())
lists = measured(neighbours, lambda: ratings)
assert lists.shape[0] == ratings.shape[0]
