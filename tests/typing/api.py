"""The public names as a program uses them; checked by mypy, never run."""

from pathlib import Path

import privet
from privet import KNN, PPNS, Catalogue, Method, Prediction, Profile, Ratings, Recommender, WeightedMean, similarity
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
version: str = privet.__version__
