"""Index: the registry of one side, the only place where an id becomes a row.

Whole numbers and text, never a mixture. Text is kept as UTF-8 and offsets, so that a registry can be mapped from a
file and a look-up is a binary search that reads a few pages of it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from privet.arrays import AnyArray, FrozenArrays, IntArray
from privet.errors import ParameterError, RatingsError, UnknownIdError
from privet.formats.words import Words
from privet.ratings.ids import NUMBERS, Id, Ids, Side, canonical_number, fault, listed, typed
from privet.ratings.search import order_with, row_of_text, rows_of_numbers, rows_of_texts

_FEW_TO_COMPARE = 20_000  # texts; comparing with more takes seconds, and anybody may ask for what is not there
_WIDEST = 64  # bytes; texts that are longer are looked up in a dictionary, many shorter ones by one search
_FEW = 64  # fewer look-ups than this are cheaper one by one than what a search for many is prepared with


@dataclass(frozen=True, eq=False)
class Index(FrozenArrays):
    """Who or what there is, in registry order: row <-> id.

    >>> films = Index.of(["Alien", "Brazil"], side="item")
    >>> films.row("Brazil"), films.id(0), len(films)
    (1, 'Alien', 2)
    """

    side: Side
    numbers: IntArray | None = None  # ids that are whole numbers
    text: AnyArray | None = None  # or UTF-8, all ids one after another
    ends: IntArray | None = None  # and where each begins: one more than there are ids
    order: IntArray | None = None  # rows by ascending id; None where the registry already ascends
    declared: bool = True

    @classmethod
    def of(cls, ids: Iterable[Id], *, side: Side, declared: bool = True) -> "Index":
        """A registry of these ids, in this order."""
        found = typed(listed(ids), side)
        if isinstance(found, np.ndarray):
            return _of_numbers(found, side, declared=declared)
        for row, id in enumerate(found):
            if reason := fault(id, side):
                raise RatingsError(reason, row=row)
        return _of_texts(found, side, declared=declared)

    @classmethod
    def given(cls, registry: "Registry | None", *, side: Side) -> "Index | None":
        """A registry as a caller hands it in, if he does."""
        if isinstance(registry, Index):
            return registry if registry.side == side else replace(registry, side=side)
        if registry is None:
            return None
        return cls.of(registry, side=side)

    @classmethod
    def ascending(cls, ids: Sequence[Id] | IntArray, *, side: Side) -> "Index":
        """A registry inferred from sound and distinct ids that ascend."""
        if isinstance(ids, np.ndarray):
            return cls(side, numbers=ids, declared=False)
        words = ids if isinstance(ids, Words) else Words.of(map(str, ids))
        return cls(side, text=words.text, ends=words.ends, declared=False)

    def __len__(self) -> int:
        """How many there are."""
        if self.numbers is not None:
            return len(self.numbers)
        assert self.ends is not None
        return len(self.ends) - 1

    def __iter__(self) -> Iterator[Id]:
        return iter(self.ids())

    def __contains__(self, id: object) -> bool:
        return self._find(id) is not None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Index):
            return NotImplemented
        pairs = ((self.numbers, other.numbers), (self.ends, other.ends), (self.text, other.text))
        return all(one is another or _equal(one, another) for one, another in pairs)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Index of {len(self):,} {self.side}s>"

    @property
    def nbytes(self) -> int:
        """The bytes that the ids take."""
        return sum(part.nbytes for part in (self.numbers, self.text, self.ends, self.order) if part is not None)

    @property
    def of_numbers(self) -> bool:
        """Whether the ids are whole numbers."""
        return self.numbers is not None

    def id(self, row: int) -> Id:
        """The id of a row."""
        self.check_row(row)
        return self._id(int(row))

    def ids(self, rows: AnyArray | None = None) -> list[Id]:
        """The ids of these rows, or of all."""
        if self.numbers is not None:
            found: list[Id] = (self.numbers if rows is None else self.numbers[rows]).tolist()
            return found
        if rows is None:
            return list(self._texts)
        if len(rows) * _FEW < len(self):  # a few of very many: no object for each of the others
            return [self._id(row) for row in rows.tolist()]
        texts = self._texts
        return [texts[row] for row in rows.tolist()]

    def row(self, id: object) -> int:
        """The row of an id; an id that is not here is an error."""
        row = self._find(id)
        if row is None:
            raise self.unknown(id)
        return row

    def rows(self, ids: Ids) -> IntArray:
        """The rows of many ids; an id that is not here is an error."""
        rows = self.rows_if_any(ids)
        if len(rows) and rows.min() < 0:
            raise self.unknown(ids[int(np.argmax(rows < 0))])
        return rows

    def rows_if_any(self, ids: Ids) -> IntArray:
        """The rows of many ids, -1 where one is not here."""
        if isinstance(ids, np.ndarray) and ids.dtype == np.uint64 and (ids > NUMBERS.max).any():
            ids = ids.tolist()
        if isinstance(ids, np.ndarray) and ids.dtype.kind in "iu":
            numbers: IntArray | None = ids.astype(np.int64)
        elif self.numbers is not None and all(type(id) is int and abs(id) <= NUMBERS.max for id in ids):
            numbers = np.array(ids, np.int64)
        else:
            numbers = None
        if numbers is not None:
            none = np.full(len(numbers), -1)
            return none if self.numbers is None else rows_of_numbers(self.numbers, self.order, numbers)
        if self.numbers is not None or len(ids) < _FEW:
            return np.array([-1 if (row := self._find(id)) is None else row for id in ids], np.int64)
        if self._words.width <= _WIDEST:
            return rows_of_texts(self._padded, self.order, ids)
        return np.fromiter((self._rows.get(id, -1) for id in ids), np.int64, len(ids))

    def parse(self, text: str) -> Id:
        """An id as somebody types it: a whole number where the registry holds numbers."""
        number = canonical_number(text) if self.of_numbers else None
        return text if number is None else number

    def extended(self, ids: Sequence[Id], *, declared: bool) -> "Index":
        """The registry with ids that it does not hold appended at its end, so that no row moves."""
        if not len(ids):
            return self
        added = Index.of(ids, side=self.side, declared=declared)
        declared = self.declared and declared
        if not len(self):
            return replace(added, declared=declared)
        if added.of_numbers != self.of_numbers:
            kinds = ("whole numbers", "text") if self.of_numbers else ("text", "whole numbers")
            raise RatingsError(f"the {self.side} ids are {kinds[0]} and cannot be joined by {kinds[1]}")
        if self.numbers is not None and added.numbers is not None:
            numbers = np.concatenate([self.numbers, added.numbers])
            return _of_numbers(numbers, self.side, declared=declared)
        words = self._words.joined(added._words)
        order = order_with(self._words, self.order, added._words, added.order)
        return Index(self.side, text=words.text, ends=words.ends, order=order, declared=declared)

    def joined(self, ids: Ids | Iterable[Id], *, declared: bool) -> tuple["Index", IntArray]:
        """The registry with what it does not hold appended, once each and in order; and the row of each id."""
        known = typed(listed(ids), self.side)
        rows = self.rows_if_any(known)
        missing = np.flatnonzero(rows < 0)
        if not len(missing):
            return self, rows
        strange = [int(id) if isinstance(id, np.integer) else id for id in (known[place] for place in missing.tolist())]
        new = {id: len(self) + place for place, id in enumerate(dict.fromkeys(strange))}
        rows[missing] = [new[id] for id in strange]
        return self.extended(list(new), declared=declared), rows

    def taken(self, rows: IntArray) -> "Index":
        """A registry of these rows, in this order."""
        return Index.of(self.ids(rows), side=self.side, declared=self.declared)

    def array(self, rows: AnyArray) -> AnyArray:
        """The ids of many rows as an array: whole numbers, or objects that are text."""
        if self.numbers is not None:
            return self.numbers[rows]
        texts = np.empty(len(self), object)
        texts[:] = self._texts
        return texts[rows]

    def check_row(self, row: int) -> None:
        """Refuse what is no row."""
        if isinstance(row, (bool, np.bool_)) or not isinstance(row, (int, np.integer)):
            raise ParameterError(f"The rows of {self.side}s are whole numbers; got {row!r}.", name=self.side, got=row)
        if not 0 <= row < len(self):
            raise UnknownIdError(f"There is no {self.side} in row {row}: there are {len(self):,}, from row 0.", id=row)

    def feed(self, update: Callable[[bytes], None]) -> None:
        """Hand the ids to a digest, so that no two registries hand over the same bytes."""
        update(f"{self.side} {len(self)} {self.of_numbers} ".encode())
        if self.numbers is not None:
            update(self.numbers.astype("<i8").tobytes())
        else:
            assert self.text is not None and self.ends is not None
            update(self.ends.astype("<i8").tobytes())
            update(self.text.tobytes())

    def unknown(self, id: object) -> UnknownIdError:
        """The error for an id that is not here. Near spellings are told for items only: for users they name members."""
        near: list[str] = []
        if self.side == "item" and isinstance(id, str) and not self.of_numbers and len(self) <= _FEW_TO_COMPARE:
            near = get_close_matches(id, self._texts, n=3)
        hint = f" Near: {', '.join(map(repr, near))}." if near else ""
        if not hint and isinstance(id, str) and self.of_numbers:
            hint = f" The {self.side} ids here are whole numbers."
        elif not hint and isinstance(id, int) and not self.of_numbers:
            hint = f" The {self.side} ids here are text."
        return UnknownIdError(f"There is no {self.side} {id!r}.{hint}", id=id)

    @cached_property
    def _words(self) -> Words:
        assert self.text is not None and self.ends is not None
        return Words(self.text, self.ends)

    @cached_property
    def _texts(self) -> list[str]:
        return self._words.all()

    @cached_property
    def _padded(self) -> AnyArray:
        return self._words.padded()

    @cached_property
    def _rows(self) -> dict[object, int]:
        return {id: row for row, id in enumerate(self._texts)}

    def _id(self, row: int) -> Id:
        if self.numbers is not None:
            return int(self.numbers[row])
        return self._words[row]

    def _find(self, id: object) -> int | None:
        if self.numbers is not None:
            if isinstance(id, (bool, np.bool_)) or not isinstance(id, (int, np.integer)):
                return None
            if not NUMBERS.min <= id <= NUMBERS.max:
                return None
            row = int(rows_of_numbers(self.numbers, self.order, np.array([id], np.int64))[0])
            return None if row < 0 else row
        return row_of_text(self._words, self.order, id) if isinstance(id, str) else None


Registry: TypeAlias = Index | Iterable[Id]


def _of_numbers(numbers: IntArray, side: Side, *, declared: bool) -> Index:
    order = None
    if not bool(np.all(numbers[1:] > numbers[:-1])):
        order = np.argsort(numbers, kind="stable")
        again = np.flatnonzero(numbers[order][1:] == numbers[order][:-1])
        if len(again):
            raise RatingsError(f"the {side} id is in the registry twice", row=int(order[again[0] + 1]))
    return Index(side, numbers=numbers, order=order, declared=declared)


def _of_texts(texts: Sequence[str], side: Side, *, declared: bool) -> Index:
    order = None
    if not all(one < following for one, following in pairwise(texts)):
        by_id = sorted(range(len(texts)), key=texts.__getitem__)
        for one, following in pairwise(by_id):
            if texts[one] == texts[following]:
                raise RatingsError(f"the {side} id is in the registry twice", row=following)
        order = np.array(by_id, np.int64)
    words = Words.of(texts)
    return Index(side, text=words.text, ends=words.ends, order=order, declared=declared)


def _equal(one: AnyArray | None, other: AnyArray | None) -> bool:
    return one is not None and other is not None and np.array_equal(one, other)
