"""Ratings: who rated what, and how."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from privet.arrays import AnyArray, FloatArray, IntArray, frozen
from privet.errors import RatingsError
from privet.ratings import files
from privet.ratings.cells import Cells, Shape, in_order, lay_out
from privet.ratings.changing import Erasing, Writing, changed
from privet.ratings.gathering import (
    Coded,
    Columns,
    Duplicates,
    Scale,
    checked_scale,
    gather,
    inferred_scale,
    outside,
)
from privet.ratings.index import Id, Index, Registry, Side
from privet.ratings.profile import Profile, Target
from privet.ratings.values import Values

Ids = Sequence[Id] | AnyArray
ColumnName = str | int
Progress = Callable[[str, int, int], None]


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
        user_ids, item_ids = _column(user_ids), _column(item_ids)
        columns = Columns(
            Coded.of(user_ids, "user"),
            Coded.of(item_ids, "item"),
            None if values is None else Values.of(_numbers(values, scale)),
            None if timestamps is None else _seconds(timestamps),
        )
        for name, column in (("item ids", item_ids), ("ratings", values), ("timestamps", timestamps)):
            if column is not None and len(column) != len(user_ids):
                raise RatingsError(f"there are {len(user_ids):,} user ids and {len(column):,} {name}")
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
        return cls.read_counting(
            path,
            user=user,
            item=item,
            rating=rating,
            timestamp=timestamp,
            users=users,
            items=items,
            scale=scale,
            duplicates=duplicates,
            progress=progress,
        )[0]

    @classmethod
    def read_counting(
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
        duplicates: Duplicates = "last",
        progress: Progress | None = None,
    ) -> tuple["Ratings", int]:
        """What `read` gives, and how many ratings of the file gave way to another of the same user and item."""
        from privet.formats.roles import Naming
        from privet.ratings import reading

        user_index, item_index = Index.given(users, side="user"), Index.given(items, side="item")
        if files.is_saved(path):
            return cls.open(path)._declared_as(user_index, item_index, scale), 0
        naming = Naming(user, item, rating, timestamp)
        with reading.columns_of_file(path, naming, user_index, item_index, scale, progress) as columns:
            found = len(columns)
            ratings = cls.gathered(columns, users=user_index, items=item_index, scale=scale, duplicates=duplicates)
            return ratings, found - len(ratings)

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
        """Ratings from a frame of pandas, polars or Arrow, or from a mapping of columns."""
        from privet.formats.roles import Naming
        from privet.ratings import reading

        naming = Naming(user, item, rating, timestamp)
        columns = reading.columns_of_frame(frame, naming, scale)
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
        items = self.items.rows(list(ratings))
        values = _numbers(list(ratings.values()), self.scale)
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
        """The ratings with more users at the end of the registry; in a sequence they get new ids."""
        named = (
            profiles
            if isinstance(profiles, Mapping)
            else dict(zip(self._new_ids(len(profiles)), profiles, strict=True))
        )
        for id in named:
            if id in self.users:
                raise RatingsError(f"the user {id!r} is in the registry already")
        users = self.users.extended(list(named), declared=True)
        records = list(named.values())
        for profile in records:
            if len(profile) and profile.items.max() >= len(self.items):
                raise RatingsError(f"a profile names the item row {profile.items.max()} of {len(self.items):,}")
        rows = np.repeat(len(self.users) + np.arange(len(records)), [len(profile) for profile in records])
        items = np.concatenate([np.empty(0, np.int64), *(profile.items for profile in records)])
        values = np.concatenate([np.empty(0), *(profile.values for profile in records)])
        _numbers(values, self.scale)
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
        written = _written_columns(upserts, timestamped=self.timestamped)
        user_index = self.users.joined(list(users), declared=True).joined(written[0], declared=False)
        item_index = self.items.joined(list(items), declared=True).joined(written[1], declared=False)
        rows = user_index.rows(written[0]), item_index.rows(written[1])
        values = _numbers(written[2], self.scale if self.scale_declared else None)
        erased = _deleted_columns(deletes)
        shape = Shape(len(user_index), len(item_index))
        doomed = np.unique(shape.cells(self.users.rows(erased[0]), self.items.rows(erased[1])))
        twice = _twice(np.concatenate([shape.cells(*rows), doomed]))
        if twice is not None:
            user, item = shape.pair(twice)
            raise RatingsError(
                f"the rating of {item_index.id(item)!r} by {user_index.id(user)!r} is written twice, or written"
                " and deleted, in one change"
            )
        erasing = Erasing(*shape.pairs(doomed))
        return self._changed(
            users=user_index, items=item_index, writing=Writing(*rows, values, written[3]), erasing=erasing
        )

    def subset(self, *, users: Iterable[int] | None = None, items: Iterable[int] | None = None) -> "Ratings":
        """The ratings of some users and items, by row; the others leave the registries."""
        user_rows = self._rows("user", users)
        item_rows = self._rows("item", items)
        new_users, new_items = _places(user_rows, len(self.users)), _places(item_rows, len(self.items))
        of_users, of_items = self.cells.users(), self.cells.user_items
        kept = np.flatnonzero((new_users[of_users] >= 0) & (new_items[of_items] >= 0))
        shape = Shape(len(user_rows), len(item_rows))
        cells, order = in_order(shape.cells(new_users[of_users[kept]], new_items[of_items[kept]]), shape)
        kept = kept[order]
        times = self.cells.timestamps
        return replace(
            self,
            users=self.users.taken(user_rows),
            items=self.items.taken(item_rows),
            cells=lay_out(
                cells,
                Values(self.cells.user_values[kept], self.cells.grid),
                None if times is None else times[kept],
                shape,
            ),
        )

    def keeping(self, which: AnyArray) -> "Ratings":
        """The ratings that a mask or ascending places name, by user and item; nobody leaves the registries."""
        return replace(self, cells=self.cells.kept(which))

    def transposed(self) -> "Ratings":
        """Items as users and users as items."""
        shape = Shape(len(self.items), len(self.users))
        cells, places = in_order(shape.cells(self.cells.user_items, self.cells.users()), shape)
        times = self.cells.timestamps
        values = Values(self.cells.user_values[places], self.cells.grid)
        turned = lay_out(cells, values, None if times is None else times[places], shape)
        return replace(
            self, users=replace(self.items, side="user"), items=replace(self.users, side="item"), cells=turned
        )

    def named(self, source: str | None) -> "Ratings":
        """The same ratings, known as a public data set."""
        return replace(self, source=source)

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
        scale = self.scale
        if not self.scale_declared and writing is not None and len(writing.values):
            low, high = inferred_scale(Values.of(writing.values))
            scale = (min(scale[0], low), max(scale[1], high)) if len(self) else (low, high)
        return replace(self, users=users, items=items, cells=cells, scale=scale)

    def _declared_as(self, users: Index | None, items: Index | None, scale: Scale | None) -> "Ratings":
        """The same ratings under registries and a scale that somebody declares afterwards."""
        if users is None and items is None and scale is None:
            return self
        columns = self.columns()
        again = Ratings.of(
            columns["user_id"],
            columns["item_id"],
            columns["rating"],
            users=users if users is not None or not self.users.declared else self.users,
            items=items if items is not None or not self.items.declared else self.items,
            scale=scale if scale is not None or not self.scale_declared else self.scale,
            timestamps=columns.get("timestamp"),
        )
        return again.named(self.source)

    def _new_ids(self, count: int) -> list[Id]:
        if self.users.of_numbers:
            first = max((int(id) for id in self.users), default=0) + 1
            return list(range(first, first + count))
        names = (f"stranger {number}" for number in range(1, len(self.users) + count + 1))
        free = [name for name in names if name not in self.users]
        return list(free[:count])

    def _check_row(self, side: Side, row: int) -> None:
        (self.users if side == "user" else self.items).check_row(row)

    def _rows(self, side: Side, rows: Iterable[int] | None) -> IntArray:
        index = self.users if side == "user" else self.items
        if rows is None:
            return np.arange(len(index))
        chosen = np.array(list(rows), np.int64)
        for row in chosen[(chosen < 0) | (chosen >= len(index))].tolist():
            index.check_row(row)
        if len(np.unique(chosen)) < len(chosen):
            raise RatingsError(f"a {side} is named twice for a subset")
        return chosen


def _column(ids: Ids) -> Ids:
    if isinstance(ids, str):
        raise RatingsError(f"ids must come as a column, one per rating; got one text, {ids[:60]!r}")
    return ids if isinstance(ids, (np.ndarray, list, tuple)) else list(ids)


def _numbers(values: Sequence[float] | AnyArray, scale: Scale | None) -> FloatArray:
    try:
        numbers = np.asarray(values)
        if numbers.dtype.kind not in "iuf":
            numbers = np.array([_number(value, row) for row, value in enumerate(values)], np.float64)
    except ValueError as problem:
        if isinstance(problem, RatingsError):
            raise
        raise RatingsError(f"ratings must be numbers: {problem}") from None
    numbers = numbers.astype(np.float64)
    if fault := outside(numbers, None if scale is None else checked_scale(scale)):
        raise RatingsError(fault[1], row=fault[0])
    return numbers


def _number(value: object, row: int) -> float:
    if isinstance(value, (int, float, np.number)) and not isinstance(value, bool):
        return float(value)
    raise RatingsError(f"a rating must be a number; got {value!r}", row=row)


def _seconds(timestamps: Sequence[int] | AnyArray) -> IntArray:
    seconds: AnyArray = np.asarray(timestamps)
    if seconds.dtype.kind == "M":
        return np.array(seconds.astype("datetime64[s]"), np.int64)
    if seconds.dtype.kind == "f" and len(seconds):
        whole = np.floor(seconds)
        if not (np.abs(whole) < 2.0**63).all():
            raise RatingsError("a timestamp must be a number of seconds", row=int(np.argmin(np.abs(whole) < 2.0**63)))
        seconds = whole
    if seconds.dtype.kind not in "iuf":
        raise RatingsError(f"timestamps must be numbers of seconds; got an array of {seconds.dtype}")
    return np.array(seconds, np.int64)


def _means(rows: AnyArray, values: FloatArray, size: int) -> FloatArray:
    sums, counts = np.bincount(rows, values, size), np.bincount(rows, minlength=size)
    return frozen(np.divide(sums, counts, out=np.full(size, np.nan), where=counts > 0))


def _places(rows: IntArray, size: int) -> IntArray:
    """Where each of so many rows goes when only these stay; -1 where it does not."""
    places = np.full(size, -1)
    places[rows] = np.arange(len(rows))
    return places


def _written_columns(upserts: tuple[Any, ...] | None, *, timestamped: bool) -> tuple[Ids, Ids, Any, IntArray | None]:
    if upserts is None:
        return [], [], [], None
    if len(upserts) not in (3, 4):
        raise RatingsError(
            "upserts are columns: (user_ids, item_ids, values) or (user_ids, item_ids, values, timestamps)"
        )
    users, items, values = _column(upserts[0]), _column(upserts[1]), upserts[2]
    times = _seconds(upserts[3]) if len(upserts) == 4 and upserts[3] is not None else None
    if not len(users) == len(items) == len(values) or (times is not None and len(times) != len(users)):
        raise RatingsError("the columns of the upserts differ in length")
    if len(users) and timestamped != (times is not None):
        has = "have" if timestamped else "have no"
        raise RatingsError(f"these ratings {has} timestamps, and so must the upserts")
    return users, items, values, times


def _deleted_columns(deletes: tuple[Any, ...] | None) -> tuple[Ids, Ids]:
    if deletes is None:
        return [], []
    if len(deletes) != 2 or len(deletes[0]) != len(deletes[1]):
        raise RatingsError("deletes are two columns of one length: (user_ids, item_ids)")
    return _column(deletes[0]), _column(deletes[1])


def _twice(numbers: IntArray) -> int | None:
    """A number that is there more than once, if one is."""
    numbers.sort()
    again = numbers[1:][numbers[1:] == numbers[:-1]]
    return int(again[0]) if len(again) else None
