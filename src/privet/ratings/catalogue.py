"""Catalogue: what a person may read about an item."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from privet.formats.titles import titles_of
from privet.ratings.ids import Id, canonical_number, canonical_numbers


@dataclass(frozen=True)
class Catalogue:
    """Titles and categories of items, by id.

    >>> Catalogue({7: "Tea"}, {7: ("drinks", "warm")}).title(7)
    'Tea'
    """

    titles: Mapping[Id, str]
    categories: Mapping[Id, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: str | Path) -> "Catalogue":
        """A catalogue from CSV or TSV: item_id, title, categories parted by |; or from MovieLens' own files."""
        found = titles_of(path)
        texts = [titled.item for titled in found]
        numbers = canonical_numbers(texts)
        ids: list[Id] = list(texts) if numbers is None else numbers.tolist()
        return cls(
            {id: titled.title for id, titled in zip(ids, found, strict=True)},
            {id: titled.kinds for id, titled in zip(ids, found, strict=True) if titled.kinds},
        )

    def __len__(self) -> int:
        """How many items have a title."""
        return len(self.titles)

    def title(self, id: Id) -> str | None:
        """The title of an item, if it has one; whole numbers may be text on one side and numbers on the other."""
        if id in self.titles:
            return self.titles[id]
        number = canonical_number(id) if isinstance(id, str) else None
        return self.titles.get(str(id) if number is None else number)
