"""LensKit: every user's nearest by the cosine of whole rows, centred on the user's mean.

Its user-based model looks for neighbours when it is asked; its item-based one saves them, and is handed users as items.
"""

import pandas as pd
from lenskit.data import Dataset, from_interactions_df
from lenskit.knn import ItemKNNScorer
from lenskit.parallel import initialize
from measuring import NEIGHBOURS, THREADS, Columns, columns, measured


def turned(columns: Columns) -> Dataset:
    frame = pd.DataFrame({"user_id": columns.items, "item_id": columns.users, "rating": columns.ratings})
    return from_interactions_df(frame, items=range(columns.shape[0]), users=range(columns.shape[1]))


def neighbours(data: Dataset) -> ItemKNNScorer:
    model = ItemKNNScorer(max_nbrs=NEIGHBOURS, save_nbrs=NEIGHBOURS)
    model.train(data)
    return model


initialize(threads=THREADS, backend_threads=THREADS)
ratings = columns()
data = turned(ratings)
model = measured(neighbours, lambda: data)
assert len(model.item_counts) == ratings.shape[0]
