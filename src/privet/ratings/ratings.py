"""Ratings: who rated what, and how."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from itertools import count, islice
from pathlib import Path
from typing import Any

import numpy as np

from privet.arrays import AnyArray, FloatArray, IntArray, frozen
from privet.errors import ParameterError, RatingsError
from privet.formats.roles import ColumnName, Naming
from privet.kernels.similarity.postings import Postings, posted
from privet.progress import Progress
from privet.ratings import files
from privet.ratings.cells import Cells, Shape
from privet.ratings.changing import Erasing, Writing, changed
from privet.ratings.columns import Coded, Columns, Deletes, Upserts, newcomers, numbers, seconds
from privet.ratings.gathering import Duplicates, gather, refuse_unknown
from privet.ratings.ids import Id, Ids, Side, listed
from privet.ratings.index import Index, Registry
from privet.ratings.profile import Profile, Target
from privet.ratings.rearranging import kept, selected, turned
from privet.ratings.scale import Scale, checked, inferred
from privet.ratings.values import Values


@dataclass(frozen=True, eq=False, repr=False)
class Ratings:
    """Who rated what, users x items; immutable, and the only place beside its registries where ids live.

    >>> ratings = Ratings.of(["ann", "ann", "bob"], ["tea", "jam", "tea"], [5, 3, 4], scale=(1, 5))
    >>> ratings
    <Ratings of 2 users and 2 items: 3 ratings on 1 to 5>
    >>> ratings.updated(upserts=(["bob"], ["jam"], [2])).user_mean(ratings.users.row("bob"))
    3.0
    """

    users: Index
    items: Index
    cells: Cells
    scale: Scale
    scale_declared: bool = False
    source: str | None = None

    @classmethod
    def of(
        cls,
        user_ids: Ids,
        item_ids: Ids,
        values: Sequence[float] | AnyArray | None = None,
        *,
        users: Registry | None = None,
        items: Registry | None = None,
        scale: Scale | None = None,
        timestamps: Sequence[int] | AnyArray | None = None,
        duplicates: Duplicates = "error",
    ) -> "Ratings":
        """Ratings from columns in memory. Without values they are unary feedback: 1.0 on a scale of 0 to 1."""
        scale = None if scale is None else checked(scale)
        users_column, items_column = Coded.of(listed(user_ids), "user"), Coded.of(listed(item_ids), "item")
        found = None if values is None else numbers(values, scale)
        times = None if timestamps is None else seconds(timestamps)
        for name, column in (("item ids", items_column.codes), ("ratings", found), ("timestamps", times)):
            if column is not None and len(column) != len(users_column.codes):
                raise RatingsError(f"there are {len(users_column.codes):,} user ids and {len(column):,} {name}")
        columns = Columns(users_column, items_column, None if found is None else Values.of(found), times)
        return cls.gathered(columns, users=users, items=items, scale=scale, duplicates=duplicates)

    @classmethod
    def read(
        cls,
        path: str | Path,
        *,
        user: ColumnName | None = None,
        item: ColumnName | None = None,
        rating: ColumnName | bool | None = None,
        timestamp: ColumnName | bool | None = None,
        users: Registry | None = None,
        items: Registry | None = None,
        scale: Scale | None = None,
        duplicates: Duplicates = "error",
        progress: Progress | None = None,
    ) -> "Ratings":
        """Ratings from a file: CSV, TSV, `::`, `;`, `|`, blanks, NDJSON, Parquet, or what `save` wrote.

        What it holds is told by its content. Columns are named as usual, or here: by name, or by position from 0.
        `rating=False` and `timestamp=False` leave a column out.
        """
        from privet.ratings.reading import columns_of_file

        user_index, item_index = Index.given(users, side="user"), Index.given(items, side="item")
        naming = Naming(user, item, rating, timestamp)
        if files.is_saved(path):
            refuse_unknown(duplicates)
            if naming != Naming():
                raise ParameterError(
                    f"{path} is a saved file, whose columns have no names: leave user, item, rating and timestamp out."
                )
            try:
                return cls.open(path).declared_as(users=user_index, items=item_index, scale=scale)
            except RatingsError as problem:
                raise RatingsError(problem.reason, file=str(path), row=problem.row) from None
        with columns_of_file(path, naming, user_index, item_index, scale, progress) as columns:
            return cls.gathered(columns, users=user_index, items=item_index, scale=scale, duplicates=duplicates)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        user: ColumnName | None = None,
        item: ColumnName | None = None,
        rating: ColumnName | bool | None = None,
        timestamp: ColumnName | bool | None = None,
        users: Registry | None = None,
        items: Registry | None = None,
        scale: Scale | None = None,
        duplicates: Duplicates = "error",
    ) -> "Ratings":
        """Ratings from a frame of pandas, polars or Arrow, or from a mapping of columns; a frame may be empty."""
        from privet.ratings.reading import columns_of_frame

        columns = columns_of_frame(frame, Naming(user, item, rating, timestamp), scale)
        return cls.gathered(columns, users=users, items=items, scale=scale, duplicates=duplicates)

    @classmethod
    def gathered(
        cls,
        columns: Columns,
        *,
        users: Registry | None,
        items: Registry | None,
        scale: Scale | None,
        duplicates: Duplicates,
    ) -> "Ratings":
        """Ratings from coded columns, which are emptied on the way."""
        found = gather(
            columns,
            users=Index.given(users, side="user"),
            items=Index.given(items, side="item"),
            scale=scale,
            duplicates=duplicates,
        )
        return cls(found.users, found.items, found.cells, found.scale, found.scale_declared)

    @classmethod
    def open(cls, path: str | Path, *, verify: bool = False) -> "Ratings":
        """Ratings that `save` wrote, mapped into memory and shared with every process that opens them."""
        return cls(**files.opened(path, verify=verify))

    def save(self, path: str | Path) -> None:
        """Write a file that `open` maps: whole or not at all."""
        files.save(
            path,
            users=self.users,
            items=self.items,
            cells=self.cells,
            scale=self.scale,
            scale_declared=self.scale_declared,
            source=self.source,
        )

    def __len__(self) -> int:
        """How many ratings."""
        return len(self.cells)

    def __repr__(self) -> str:
        low, high = self.scale
        source = f" from {self.source}" if self.source else ""
        return (
            f"<Ratings of {len(self.users):,} users and {len(self.items):,} items:"
            f" {len(self):,} ratings on {low:g} to {high:g}{source}>"
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ratings):
            return NotImplemented
        return (
            self.users == other.users
            and self.items == other.items
            and (self.scale, self.declared, self.source) == (other.scale, other.declared, other.source)
            and self.cells == other.cells
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy without the means and digests that were computed on the way."""
        return type(self), (self.users, self.items, self.cells, self.scale, self.scale_declared, self.source)

    @property
    def declared(self) -> frozenset[str]:
        """What was declared rather than inferred from the ratings, and may therefore be told: users, items, scale."""
        named = {"users": self.users.declared, "items": self.items.declared, "scale": self.scale_declared}
        return frozenset(name for name, declared in named.items() if declared)

    @property
    def timestamped(self) -> bool:
        """Whether the ratings have times."""
        return self.cells.timestamps is not None

    @property
    def nbytes(self) -> int:
        """The bytes that the ratings take, registries and times apart."""
        arrays = self.cells.arrays()
        return sum(array.nbytes for name, array in arrays.items() if name != "timestamps")

    def columns(self) -> dict[str, AnyArray]:
        """The ratings in columns: user_id, item_id, rating and, where there are times, timestamp."""
        columns = {
            "user_id": self.users.array(self.cells.users()),
            "item_id": self.items.array(self.cells.user_items),
            "rating": self.cells.values(),
        }
        if self.cells.timestamps is not None:
            columns["timestamp"] = self.cells.timestamps
        return columns

    def profile(self, user: Target) -> Profile:
        """The record of the user in a row; a profile is its own."""
        if isinstance(user, Profile):
            return user
        self._check_row("user", user)
        return Profile(*self.cells.of_user(user), int(user))

    def stranger(self, ratings: Mapping[Id, float]) -> Profile:
        """The record of somebody who is not in the registry, from item ids and values."""
        if not isinstance(ratings, Mapping):
            raise RatingsError(f"a stranger's ratings are a mapping from item ids to values; got {ratings!r}"[:200])
        items = self.items.rows(list(ratings))
        values = numbers(list(ratings.values()), self._declared_scale)
        order = np.argsort(items)
        return Profile(items[order], values[order])

    def raters(self, item: int) -> tuple[IntArray, FloatArray]:
        """The users who rated the item in a row, ascending, and their values."""
        self._check_row("item", item)
        return self.cells.of_item(item)

    def user_mean(self, user: int) -> float:
        """The mean of one user's ratings; not a number where there is none."""
        self._check_row("user", user)
        return float(self.user_means[user])

    @cached_property
    def user_means(self) -> FloatArray:
        """The mean of every user's ratings; not a number where there is none."""
        return _means(self.cells.users(), self.cells.values(), len(self.users))

    @cached_property
    def item_means(self) -> FloatArray:
        """The mean of every item's ratings; not a number where there is none."""
        return _means(self.cells.user_items, self.cells.values(), len(self.items))

    @cached_property
    def user_sums(self) -> FloatArray:
        """The sum of every user's ratings."""
        return frozen(
            np.bincount(self.cells.users(), self.cells.values(), minlength=len(self.users)).astype(np.float64)
        )

    @cached_property
    def user_squares(self) -> FloatArray:
        """The sum of the squares of every user's ratings."""
        squares = self.cells.values() ** 2
        return frozen(np.bincount(self.cells.users(), squares, minlength=len(self.users)).astype(np.float64))

    @cached_property
    def postings(self) -> Postings | None:
        """The raters of every item as similarities are summed up with; none where ratings lie on no grid.

        Made when first asked for; they take 4 bytes a rating more, and about 3 for the columns of the busiest users.
        """
        cells = self.cells
        if cells.grid is None:
            return None
        return posted(cells.user_starts, cells.user_items, cells.user_values, cells.item_starts, cells.grid)

    @cached_property
    def mean(self) -> float:
        """The mean of all ratings; the middle of the scale where there is none."""
        return float(self.cells.values().mean()) if len(self) else sum(self.scale) / 2

    @cached_property
    def snapshot(self) -> bytes:
        """A digest of ids, cells and the bounds of the scale: the same for the same ratings, however they came."""
        digest = blake2b(digest_size=32)
        for index in (self.users, self.items):
            index.feed(digest.update)
        self.cells.feed(digest.update)
        digest.update(np.array(self.scale, "<f8").tobytes())
        return digest.digest()

    def without(self, user: int, item: int) -> "Ratings":
        """The ratings without one of them."""
        self._check_row("user", user)
        self._check_row("item", item)
        return self._changed(erasing=Erasing(np.array([user]), np.array([item])))

    def forgetting(self, user: int) -> "Ratings":
        """The ratings without one user's; the row stays, empty, so that no other row moves."""
        items = self.profile(user).items
        return self._changed(erasing=Erasing(np.full(len(items), user), items))

    def joined_by(self, profiles: Mapping[Id, Profile] | Sequence[Profile]) -> "Ratings":
        """The ratings with more users at the end of the registry; in a sequence they get new ids.

        Where ratings have times, those of newcomers are 0.
        """
        named = newcomers(profiles, self._new_ids, items=len(self.items), scale=self._declared_scale)
        if any(id in self.users for id in named):
            raise RatingsError("an id of the newcomers is in the registry already")
        users = self.users.extended(list(named), declared=True)
        records = list(named.values())
        rows = np.repeat(len(self.users) + np.arange(len(records)), [len(profile) for profile in records])
        items = np.concatenate([np.empty(0, np.int64), *(profile.items for profile in records)])
        values = np.concatenate([np.empty(0), *(profile.values for profile in records)])
        return self._changed(users=users, writing=Writing(rows, items, values, None))

    def updated(
        self,
        upserts: tuple[Any, ...] | None = None,
        deletes: tuple[Any, ...] | None = None,
        *,
        users: Iterable[Id] = (),
        items: Iterable[Id] = (),
    ) -> "Ratings":
        """The ratings after a change: columns (user_ids, item_ids, values[, timestamps]) to write, two to delete.

        An unknown id that is written gets a row at the end of its registry; it counts as declared only if `users` or
        `items` name it. Deleting a rating that is not there changes nothing; deleting an unknown id is an error.
        """
        written, erased = Upserts.given(upserts, timestamped=self.timestamped), Deletes.given(deletes)
        user_index, _ = self.users.joined(users, declared=True)
        item_index, _ = self.items.joined(items, declared=True)
        user_index, user_rows = user_index.joined(written.users, declared=False)
        item_index, item_rows = item_index.joined(written.items, declared=False)
        rows = user_rows, item_rows
        values = numbers(written.values, self._declared_scale)
        shape = Shape(len(user_index), len(item_index))
        doomed = np.unique(shape.cells(self.users.rows(erased.users), self.items.rows(erased.items)))
        twice = _twice(np.concatenate([shape.cells(*rows), doomed]))
        if twice is not None:
            _, item = shape.pair(twice)
            raise RatingsError(
                f"a rating of {item_index.id(item)!r} is written twice by one user, or both written and deleted"
            )
        erasing = Erasing(*shape.pairs(doomed))
        return self._changed(
            users=user_index, items=item_index, writing=Writing(*rows, values, written.timestamps), erasing=erasing
        )

    def subset(self, *, users: Iterable[int] | None = None, items: Iterable[int] | None = None) -> "Ratings":
        """The ratings of some users and items, by row; the others leave the registries."""
        user_rows = self._rows("user", users)
        item_rows = self._rows("item", items)
        return replace(
            self,
            users=self.users.taken(user_rows),
            items=self.items.taken(item_rows),
            cells=selected(self.cells, user_rows, item_rows),
        )

    def keeping(self, which: AnyArray) -> "Ratings":
        """The ratings that a mask or ascending places name, by user and item; nobody leaves the registries."""
        which = np.asarray(which) if len(which) else np.empty(0, np.int64)
        mask = which.dtype == np.bool_ and which.shape == (len(self),)
        places = which.dtype.kind in "iu" and which.ndim == 1 and bool((np.diff(which, prepend=-1) > 0).all())
        if not mask and (not places or (len(which) and which[-1] >= len(self))):
            raise RatingsError(
                f"which ratings to keep is a mask of {len(self):,} truth values, or ascending places below that number"
            )
        return replace(self, cells=kept(self.cells, which))

    def transposed(self) -> "Ratings":
        """Items as users and users as items."""
        users, items = replace(self.items, side="user"), replace(self.users, side="item")
        return replace(self, users=users, items=items, cells=turned(self.cells))

    def named(self, source: str | None) -> "Ratings":
        """The same ratings, known as a public data set."""
        return replace(self, source=source)

    def declared_as(
        self, *, users: Registry | None = None, items: Registry | None = None, scale: Scale | None = None
    ) -> "Ratings":
        """The same ratings under registries and a scale that are declared afterwards."""
        scale = None if scale is None else checked(scale)
        if users is None and items is None:
            if scale is None:
                return self
            numbers(self.cells.values(), scale)
            return replace(self, scale=scale, scale_declared=True)
        columns = self.columns()
        again = Ratings.of(
            columns["user_id"],
            columns["item_id"],
            columns["rating"],
            users=self.users if users is None else users,
            items=self.items if items is None else items,
            scale=self.scale if scale is None else scale,
            timestamps=columns.get("timestamp"),
        )
        again = replace(again, scale_declared=self.scale_declared or scale is not None)
        return again.named(self.source)

    def _changed(
        self,
        *,
        users: Index | None = None,
        items: Index | None = None,
        writing: Writing | None = None,
        erasing: Erasing | None = None,
    ) -> "Ratings":
        users = self.users if users is None else users
        items = self.items if items is None else items
        cells = changed(self.cells, Shape(len(users), len(items)), writing, erasing)
        scale = self.scale if self.scale_declared else inferred(cells.values_in_use())
        return replace(self, users=users, items=items, cells=cells, scale=scale)

    def _new_ids(self, joining: int) -> list[Id]:
        if self.users.of_numbers:
            known = self.users.numbers
            first = 1 if known is None or not len(known) else int(known.max()) + 1
            return list(range(first, first + joining))
        free = (name for number in count(1) if (name := f"stranger {number}") not in self.users)
        return list(islice(free, joining))

    @property
    def _declared_scale(self) -> Scale | None:
        return self.scale if self.scale_declared else None

    def _check_row(self, side: Side, row: int) -> None:
        (self.users if side == "user" else self.items).check_row(row)

    def _rows(self, side: Side, rows: Iterable[int] | None) -> IntArray:
        index = self.users if side == "user" else self.items
        if rows is None:
            return np.arange(len(index))
        listing = rows.tolist() if isinstance(rows, np.ndarray) else list(rows)
        for row in listing:
            index.check_row(row)
        chosen = np.array(listing, np.int64)
        if len(np.unique(chosen)) < len(chosen):
            raise RatingsError(f"a {side} is named twice for a subset")
        return chosen


def _means(rows: AnyArray, values: FloatArray, size: int) -> FloatArray:
    sums, counts = np.bincount(rows, values, size), np.bincount(rows, minlength=size)
    return frozen(np.divide(sums, counts, out=np.full(size, np.nan), where=counts > 0))


def _twice(numbers: IntArray) -> int | None:
    """A number that is there more than once, if one is."""
    numbers.sort()
    again = numbers[1:][numbers[1:] == numbers[:-1]]
    return int(again[0]) if len(again) else None
