"""Shop: made-up ratings, block by block, so that any number of them needs little memory."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

import numpy as np

from privet.arrays import IntArray
from privet.errors import ParameterError, StoreError
from privet.formats.writing import replacing
from privet.lab.synthetic.making import GROUP_PART, SCALE, Goods, People, randomness, rated
from privet.lab.synthetic.naming import invented, shelf_name
from privet.progress import Progress
from privet.ratings import Catalogue, Ratings
from privet.ratings.columns import Coded, Columns
from privet.ratings.values import ValueCoder

Block: TypeAlias = tuple[IntArray, IntArray, IntArray, IntArray]

_RATINGS_AT_ONCE = 100_000
_SEPARATORS = {".csv": ",", ".tsv": "\t"}


@dataclass(frozen=True, kw_only=True)
class Shop:
    """A made-up shop. Users and items have the ids 1, 2, 3 and so on; ratings are whole numbers from 1 to 5."""

    users: int
    items: int
    total: int
    seed: int
    tastes: int = field(default=8)

    def __post_init__(self) -> None:
        for name, least in (("users", 1), ("items", 1), ("total", 0), ("seed", 0), ("tastes", 1)):
            value = getattr(self, name)
            said = "ratings" if name == "total" else name
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise _refused(said, value, f"{said} must be a whole number of at least {least}; got {value!r}.")
        if self.total > self.users * self.items:
            raise _refused(
                "ratings",
                self.total,
                f"{self.users:,} users can give {self.items:,} items at most {self.users * self.items:,} ratings,"
                f" one each; got ratings={self.total:,}. Ask for fewer, or for more users or items.",
            )

    def blocks(self) -> Iterator[Block]:
        """The ratings: users, items, values and timestamps, users ascending and each of them in order of time."""
        for group in range(len(self._groups) - 1):
            yield self._block(group)

    def ratings(self) -> Ratings:
        """The ratings, with everybody and everything declared."""
        users, items = np.empty(self.total, np.int32), np.empty(self.total, np.int32)
        timestamps, values = np.empty(self.total, np.int64), ValueCoder()
        start = 0
        for of_users, of_items, of_values, of_times in self.blocks():
            part = slice(start, start + len(of_users))
            users[part], items[part], timestamps[part] = of_users - 1, of_items - 1, of_times
            values.add(of_values.astype(np.float64))
            start = part.stop
        everybody, everything = np.arange(1, self.users + 1), np.arange(1, self.items + 1)
        columns = Columns(Coded(users, everybody), Coded(items, everything), values.finish(), timestamps)
        del users, items, timestamps
        return Ratings.gathered(columns, users=everybody, items=everything, scale=SCALE, duplicates="error")

    def catalogue(self) -> Catalogue:
        """The titles and categories of all items."""
        titles: dict[int | str, str] = {}
        categories: dict[int | str, tuple[str, ...]] = {}
        for item_id, title, shelves in self._listed():
            titles[item_id], categories[item_id] = title, shelves
        return Catalogue(titles, categories)

    def write(self, path: Path | str, *, progress: Progress | None = None) -> Path:
        """Write the ratings as CSV or TSV and the catalogue beside them, and give the catalogue's path.

        `shop.csv` has its catalogue in `shop.items.csv`.
        """
        path = Path(path)
        separator = _SEPARATORS.get(path.suffix)
        if separator is None:
            raise _refused("path", str(path), f"The file must end in .csv or .tsv; got {path.name!r}.")
        catalogue = path.with_suffix(f".items{path.suffix}")
        try:
            self._write_ratings(path, separator, progress)
            self._write_catalogue(catalogue, separator)
        except OSError as error:
            raise StoreError(f"{path} must be writable; got: {error.strerror or error}.") from error
        return catalogue

    def _write_ratings(self, path: Path, separator: str, progress: Progress | None) -> None:
        line = separator.join(["%d"] * 4) + "\n"
        done = 0
        with replacing(path) as stream:
            stream.write(separator.join(("user_id", "item_id", "rating", "timestamp")).encode() + b"\n")
            for block in self.blocks():
                rows = zip(*(column.tolist() for column in block), strict=True)
                stream.write("".join([line % row for row in rows]).encode())
                done += len(block[0])
                if progress:
                    progress("Writing ratings", done, self.total)

    def _write_catalogue(self, path: Path, separator: str) -> None:
        with replacing(path) as stream:
            stream.write(separator.join(("item_id", "title", "categories")).encode() + b"\n")
            for item_id, title, shelves in self._listed():
                stream.write(f"{item_id}{separator}{title}{separator}{'|'.join(shelves)}\n".encode())

    def _listed(self) -> Iterator[tuple[int, str, tuple[str, ...]]]:
        shelf, second = self._goods.shelf.tolist(), self._goods.second.tolist()
        for item in range(self.items):
            mine = (shelf[item],) if second[item] in (-1, shelf[item]) else (shelf[item], second[item])
            title = f"{invented(item + self.seed, self.items)} {shelf_name(shelf[item])}"
            yield item + 1, title, tuple(shelf_name(each) for each in mine)

    @cached_property
    def _goods(self) -> Goods:
        return Goods.of(self.items, tastes=self.tastes, seed=self.seed)

    @cached_property
    def _people(self) -> People:
        return People.of(self.users, ratings=self.total, items=self.items, tastes=self.tastes, seed=self.seed)

    @cached_property
    def _groups(self) -> list[int]:
        """The first user of each group that is made up together, and the end. Fixed, so blocks cannot matter."""
        ends = np.cumsum(self._people.activity)
        group = (ends - self._people.activity) // _RATINGS_AT_ONCE
        starts = np.flatnonzero(np.diff(group, prepend=-1))
        return [*starts.tolist(), self.users]

    def _block(self, group: int) -> Block:
        first, last = self._groups[group], self._groups[group + 1]
        random = randomness(self.seed, GROUP_PART, group)
        who, items, values, times = rated(random, self._people.between(first, last), self._goods)
        return first + who + 1, items + 1, values, times


def _refused(name: str, got: object, message: str) -> ParameterError:
    return ParameterError(message, owner="synthetic", name=name, got=got)
