"""implicit: every user's nearest by the cosine of whole rows, the user among them.

It finds the neighbours of items, which is why it is handed items x users.
"""

from implicit.nearest_neighbours import CosineRecommender
from measuring import NEIGHBOURS, THREADS, columns, matrix, measured
from scipy.sparse import csr_matrix


def neighbours(ratings: csr_matrix) -> csr_matrix:
    model = CosineRecommender(K=NEIGHBOURS + 1, num_threads=THREADS)
    model.fit(ratings.T.tocsr(), show_progress=False)
    return model.similarity


ratings = matrix(columns())
lists = measured(neighbours, lambda: ratings)
assert lists.shape[0] == ratings.shape[0]
