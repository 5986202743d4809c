"""Recommender: the facade, the only code that knows the whole flow from an id to an answer."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from privet.arrays import AnyArray, FloatArray, IntArray
from privet.errors import ParameterError, RatingsError
from privet.method import Method
from privet.prediction import Predictions, without_person
from privet.privacy import Label, Stream, Wanted
from privet.ratings import Catalogue, Id, Index, Profile, Ratings
from privet.recommender.answers import Neighbourhood, Prediction, PredictionTable, Recommendations
from privet.settings import is_whole, must_be
from privet.similarity import rank
from privet.urns import Neighbours, draw, slots_in
from privet.world import World

NOISE_FORMAT = 1
"""Changes whenever the same label would lead to other noise, or to the same noise used otherwise."""

_SHOWN = 2.0**20  # scores are rounded to this part of a unit before they are sorted: less differs between machines


class Recommender:
    """Answers from ratings by one method; complete when built, and never changed.

    A draw belongs to an account, an epoch, a method and a state of the ratings: the same question on the same ratings
    has the same answer in every process that holds the same key. Without `key` and `seed` a key is made that lives as
    long as this object.

    >>> ratings = Ratings.of(
    ...     ["ann", "ann", "bob", "bob", "eve"], ["tea", "jam", "tea", "bun", "jam"], [5, 3, 5, 4, 1], scale=(1, 5)
    ... )
    >>> recommender = Recommender(ratings, "knn:k=1")
    >>> list(recommender.recommend("ann"))
    [('bun', 4.0)]
    >>> recommender.predict("ann", "bun")
    Prediction(value=4.0, half_width=None, basis='neighbours', raters=1)
    """

    def __init__(
        self,
        ratings: Ratings,
        method: Method | str,
        *,
        world: World | None = None,
        catalogue: Catalogue | None = None,
        key: bytes | None = None,
        seed: int | None = None,
        epoch: int = 0,
    ):
        must_be("ratings", ratings, Ratings)
        must_be("method", method, Method, str)
        if world is not None:
            must_be("world", world, World)
        if catalogue is not None:
            must_be("catalogue", catalogue, Catalogue)
        if key is not None:
            must_be("key", key, bytes)
        if key is not None and seed is not None:
            raise ParameterError("A recommender has a key or a seed; got both. A seed is for experiments.", name="seed")
        if not is_whole(epoch, at_least=0):
            raise ParameterError(f"Epochs are numbered 0, 1, 2 ...; got epoch={epoch!r}.", name="epoch", got=epoch)
        self.ratings = ratings
        self.method = Method.parse(method) if isinstance(method, str) else method
        fits = getattr(self.method.similarity, "fits", None)
        if fits is not None:
            fits(ratings, world)
        self.world = world
        self.catalogue = catalogue
        self.epoch = epoch
        if seed is None:
            self._stream = Stream(secrets.token_bytes(32) if key is None else key)
        else:
            self._stream = Stream.seeded(seed)

    def __repr__(self) -> str:
        return f"<Recommender by {self.method} on {self.ratings!r}>"

    def neighbours(self, user_id: Id) -> Neighbourhood:
        """Who answers for a user in this epoch."""
        chosen = self._chosen(self._member(user_id))
        return Neighbourhood(
            user_ids=_ids(self.ratings.users, chosen.rows),
            similarities=chosen.similarities,
            weights=chosen.weights,
            partitions=chosen.positions // self.method.k + 1,
        )

    def predict(self, user_id: Id, item_id: Id) -> Prediction:
        """How a user would rate an item; an item that the user has rated has that rating."""
        asker, item = self._member(user_id), self.ratings.items.row(item_id)
        found = self._predictions(asker, np.array([item]))
        half_width = float(found.half_widths[0])
        return Prediction(
            value=float(found.values[0]),
            half_width=None if np.isnan(half_width) else half_width,
            basis=str(found.basis[0]),
            raters=int(found.raters[0]),
        )

    def predict_many(self, user_ids: Sequence[Id] | AnyArray, item_ids: Sequence[Id] | AnyArray) -> PredictionTable:
        """How users would rate items, one answer per pair."""
        if len(user_ids) != len(item_ids):
            raise ParameterError(
                f"Predictions are asked for in pairs; got {len(user_ids)} user ids and {len(item_ids)} item ids."
            )
        users, items = self.ratings.users.rows(user_ids), self.ratings.items.rows(item_ids)
        values, half_widths = np.empty(len(users)), np.empty(len(users))
        raters, basis = np.empty(len(users), np.int64), np.empty(len(users), "U20")
        by_user = np.argsort(users, kind="stable")
        for places in np.split(by_user, np.flatnonzero(np.diff(users[by_user])) + 1):
            if len(places):
                found = self._predictions(self._row(int(users[places[0]])), items[places])
                values[places], half_widths[places] = found.values, found.half_widths
                raters[places], basis[places] = found.raters, found.basis
        return PredictionTable(
            user_ids=_ids(self.ratings.users, users),
            item_ids=_ids(self.ratings.items, items),
            values=values,
            half_widths=half_widths,
            basis=basis,
            raters=raters,
        )

    def recommend(self, user_id: Id, n: int = 10) -> Recommendations:
        """The n items, at most, that a user has not rated and would rate highest.

        Items that a neighbour rated come first, by prediction. Only then follow the others, by the mean of everybody's
        ratings, which is their score: a prediction that rests on no neighbour never passes one that does.
        """
        return self._recommended(self._member(user_id), n)

    def recommend_for(self, profile: Profile, n: int = 10, *, account: str | None = None) -> Recommendations:
        """The same for a profile. An account gives a stranger a draw of their own."""
        must_be("profile", profile, Profile)
        items = profile.items
        if len(items) and not 0 <= int(items.min()) <= int(items.max()) < len(self.ratings.items):
            raise RatingsError("the profile names items that are not in the registry of these ratings")
        if profile.row is not None and not self._is_part_of_own(profile):
            raise RatingsError("the profile has a row and is not of that user here; `stranger` makes one without a row")
        return self._recommended(self._asker(profile, account), n)

    def _is_part_of_own(self, profile: Profile) -> bool:
        """Whether a profile is the record of its row, or what is left of it without some items."""
        assert profile.row is not None
        if not 0 <= profile.row < len(self.ratings.users):
            return False
        own = self.ratings.profile(profile.row)
        return all(own.value(int(item)) == value for item, value in zip(profile.items, profile.values, strict=True))

    def _recommended(self, asker: "_Asker", n: int) -> Recommendations:
        if not is_whole(n, at_least=1):
            raise ParameterError(f"A list needs a whole number n >= 1; got n={n!r}.", name="n", got=n)
        items = np.delete(np.arange(len(self.ratings.items)), asker.profile.items)
        found = self._predictions(asker, items)
        personal = found.basis == "neighbours"
        everybody, otherwise = without_person(self.ratings, items)
        scores = np.rint(np.where(personal, found.values, everybody) * _SHOWN) / _SHOWN
        basis = np.where(personal, found.basis, otherwise)
        best = np.lexsort((items, -scores, ~personal))[:n]
        ids = _ids(self.ratings.items, items[best])
        return Recommendations(
            item_ids=ids,
            scores=scores[best],
            basis=basis[best],
            titles=None if self.catalogue is None else [self.catalogue.title(id) for id in ids.tolist()],
        )

    def _predictions(self, asker: "_Asker", items: IntArray) -> Predictions:
        profile = asker.profile
        found = self.method.predictor.predict(self.ratings, profile, self._chosen(asker), items)
        if not len(profile):
            return found
        places = np.minimum(np.searchsorted(profile.items, items), len(profile) - 1)
        own = profile.items[places] == items
        return found.answering(own, profile.values[places[own]], "own rating") if own.any() else found

    def _chosen(self, asker: "_Asker") -> Neighbours:
        candidates = rank(self.ratings, asker.profile, self.method.similarity, world=self.world)
        plan = self.method.selector.plan(candidates, self.method.k)
        return draw(plan, candidates, self._noise(asker, plan.slots, len(candidates)))

    def _noise(self, asker: "_Asker", slots: IntArray, candidates: int) -> FloatArray | None:
        if not len(slots):
            return None
        profile = asker.profile
        label = Label(
            format=NOISE_FORMAT,
            account=asker.account,
            epoch=self.epoch,
            snapshot=self._snapshot,
            profile=self._stream.digest(
                b"profile", profile.items.astype("<i8").tobytes(), profile.values.astype("<f8").tobytes()
            ),
            method=self.method.digest(),
            world=b"" if self.world is None else self._stream.digest(b"world", *self.world.parts),
        )
        return self._stream.take(Wanted("select", "uniform", slots_in(candidates)), label, slots)

    @cached_property
    def _snapshot(self) -> bytes:
        return self._stream.digest(b"snapshot", self.ratings.snapshot)

    def _member(self, user_id: Id) -> "_Asker":
        return self._row(self.ratings.users.row(user_id))

    def _row(self, user: int) -> "_Asker":
        return self._asker(self.ratings.profile(user), None)

    def _asker(self, profile: Profile, account: str | None) -> "_Asker":
        if profile.row is not None and account is None:
            return _Asker(profile, f"user/{self.ratings.users.id(profile.row)}")
        return _Asker(profile, f"stranger/{account or ''}")


@dataclass(frozen=True, slots=True)
class _Asker:
    """Whose question it is, and under which account its noise is drawn."""

    profile: Profile
    account: str


def _ids(index: Index, rows: IntArray) -> AnyArray:
    return np.array(index.ids(rows), np.int64 if index.of_numbers else np.str_)
