"""The public names as a program uses them; checked by mypy, never run."""

from pathlib import Path

import numpy as np

import privet
from privet import (
    KNN,
    PPNS,
    Catalogue,
    Method,
    Prediction,
    Profile,
    Ratings,
    Recommender,
    Terms,
    WeightedMean,
    World,
    similarity,
)
from privet.arrays import FloatArray
from privet.urns import Urn

ratings: Ratings = Ratings.of(["ann", "bob"], ["tea", "tea"], [5, 4], scale=(1, 5))
read: Ratings = Ratings.read(Path("ratings.csv"), user="who", item=1, rating=False, duplicates="last")
same: Ratings = Ratings.read("ratings.csv", users=["ann"], items=range(10), scale=(1, 5))
framed: Ratings = Ratings.from_frame(ratings.columns())
later: Ratings = ratings.updated(upserts=(["eve"], ["tea"], [3.0]), deletes=(["bob"], ["tea"]), users=["eve"])
row: int = ratings.users.row("ann")
profile: Profile = ratings.profile(row)
stranger: Profile = ratings.stranger({"tea": 5.0}).without(0)
joined: Ratings = ratings.joined_by([stranger]).joined_by({"zed": stranger}).forgetting(row).without(0, 0)
mean: float = ratings.user_mean(row)
ratings.save("ratings.privet")
opened: Ratings = Ratings.open("ratings.privet", verify=True).subset(users=[0]).named("mine")
catalogue: Catalogue = Catalogue({"tea": "Tea"}, {"tea": ("drinks",)})

method: Method = Method(selector=PPNS(p=0.9, short="fill"), k=30)
other: Method = Method(selector=KNN(), similarity=similarity.cosine, predictor=WeightedMean())
parsed: Method = Method.parse(str(method))
recommender: Recommender = Recommender(ratings, "ppns:p=.9", catalogue=catalogue, seed=1, epoch=2)
prediction: Prediction = recommender.predict("ann", "tea")
value: float = prediction.value
for item_id, score in recommender.recommend("ann", n=5):
    best: tuple[int | str, float] = (item_id, score)
urns: tuple[Urn, ...] = privet.theory.partitioned(100, 10, 0.5, short="refuse")
world: World = World(3.5, np.zeros(1), scale=(1, 5))
similarities: FloatArray = similarity.deviation(ratings, 0, world=world)
bound: float = similarity.agreement.bound(Terms(users=2, items=1, profile=1, scale=(1, 5))).inserted
sensitivities: FloatArray = similarity.rs(ratings, profile, np.array([1]))
for block in similarity.pairs(ratings, similarity.overlap, threads=1):
    shape: tuple[int, ...] = block.similarities.shape
for lists in similarity.nearest(ratings, 1, targets=[0]):
    nearest_rows: list[int] = lists.rows[0].tolist()
version: str = privet.__version__
