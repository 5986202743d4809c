"""The one form in which a data set is kept: user, item, rating, timestamp, in one order.

Sorted by user (as a number if all of them are, else by code point), timestamp, item by code point of its text.
So the order of lines in a source has no part in the checksum; in ml-1m 244,982 pairs of user and second repeat.
"""

import hashlib
from collections.abc import Sequence
from typing import BinaryIO

import numpy as np

from privet.arrays import RowArray
from privet.errors import RatingsError
from privet.lab.datasets.layouts import Columns
from privet.lab.datasets.register import Counts, DataSet
from privet.progress import Progress
from privet.ratings import Catalogue
from privet.ratings.ids import canonical_number

_LINES_AT_ONCE = 20_000


def counted(columns: Columns) -> Counts:
    """The counts that these ratings have."""
    return Counts(len(columns.users), len(columns.user_ids), len(columns.item_ids))


def naming(columns: Columns) -> str:
    """How the source names items: by numbers or by titles."""
    return "numbers" if _all_numbers(columns.item_ids) else "titles"


def check_counts(columns: Columns, dataset: DataSet, *, file: str) -> None:
    """Refuse ratings that have other counts, or rate something twice."""
    found = counted(columns)
    if found != dataset.counts:
        raise RatingsError(f"{dataset.name} has {dataset.counts}; this holds {found}", file=file)
    cells = columns.users.astype(np.int64) * found.items + columns.items
    cells.sort()
    if np.any(cells[1:] == cells[:-1]):
        raise RatingsError(f"in {dataset.name} nobody rates an item twice; here somebody does", file=file)


def write_ratings(columns: Columns, stream: BinaryIO, *, progress: Progress | None = None) -> str:
    """Write the canonical file and give its SHA-256."""
    users, items = columns.user_ids, columns.item_ids
    by_user = _places(users, numbers=_all_numbers(users))[columns.users]
    by_item = _places(items, numbers=False)[columns.items]
    order = np.lexsort((by_item, columns.timestamps, by_user))
    digest = hashlib.sha256()
    spelt = [f"{half / 2:g}" for half in range(int(columns.halves.max(initial=0)) + 1)]
    for start in range(0, len(order), _LINES_AT_ONCE):
        rows = order[start : start + _LINES_AT_ONCE]
        block = zip(
            columns.users[rows].tolist(),
            columns.items[rows].tolist(),
            columns.halves[rows].tolist(),
            columns.timestamps[rows].tolist(),
            strict=True,
        )
        text = "".join([f"{users[u]}\t{items[i]}\t{spelt[h]}\t{t}\n" for u, i, h, t in block]).encode()
        digest.update(text)
        stream.write(text)
        if progress:
            progress("Writing the verified copy", start + len(rows), len(order))
    return digest.hexdigest()


def write_titles(catalogue: Catalogue, stream: BinaryIO) -> str:
    """Write the catalogue beside it and give its SHA-256."""
    lines = ["item_id\ttitle\tcategories\n"]
    for id, title in catalogue.titles.items():
        fields = (str(id), title, "|".join(catalogue.categories.get(id, ())))
        lines.append("\t".join(field.replace("\t", " ") for field in fields) + "\n")
    whole = "".join(lines).encode()
    stream.write(whole)
    return hashlib.sha256(whole).hexdigest()


def _all_numbers(ids: Sequence[str]) -> bool:
    return all(canonical_number(id) is not None for id in ids)


def _places(ids: Sequence[str], *, numbers: bool) -> RowArray:
    """The place of each id in the canonical order. Python orders text by code point."""
    order = sorted(range(len(ids)), key=(lambda code: int(ids[code])) if numbers else ids.__getitem__)
    places = np.empty(len(ids), np.int32)
    places[order] = np.arange(len(ids), dtype=np.int32)
    return places
