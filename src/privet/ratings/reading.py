"""Reading: files and frames become columns on their way to Ratings. The only door of this room to pyarrow's."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from privet.arrays import IntArray
from privet.errors import RatingsError
from privet.formats.blocks import Source
from privet.formats.idcolumn import IdColumn
from privet.formats.reading import opened
from privet.formats.roles import Naming
from privet.formats.tables import Frame
from privet.progress import Progress
from privet.ratings.columns import Coded, Columns
from privet.ratings.index import Index
from privet.ratings.scale import Scale, checked, outside
from privet.ratings.values import ValueCoder


@contextmanager
def columns_of_file(
    path: str | Path,
    naming: Naming,
    users: Index | None,
    items: Index | None,
    scale: Scale | None,
    progress: Progress | None,
) -> Iterator[Columns]:
    """The columns of a file, which stays open for as long as a line may have to be named."""
    with opened(path, naming, progress=progress) as source:
        columns = _columns(source, users, items, scale)
        if not len(columns):
            raise RatingsError("there is a header and not one rating below it", file=str(path))
        yield columns


def columns_of_frame(frame: Any, naming: Naming, scale: Scale | None) -> Columns:
    """The columns of a frame."""
    return _columns(Frame(frame, naming), None, None, scale)


def _columns(source: Source, users: Index | None, items: Index | None, scale: Scale | None) -> Columns:
    scale = None if scale is None else checked(scale)
    user_ids, item_ids, coder = IdColumn(), IdColumn(), ValueCoder()
    times = []
    rows, unary = 0, True
    for block in source.blocks():
        user_ids.add(block.users)
        item_ids.add(block.items)
        if block.values is not None:
            unary = False
            if fault := outside(block.values, scale):
                raise source.place(rows + fault[0]).error(fault[1])
            coder.add(block.values)
        if block.timestamps is not None:
            times.append(block.timestamps)
        rows += len(block)
    seconds = np.concatenate(times) if times else None
    times.clear()
    if seconds is not None and _are_dates(seconds):
        raise source.place(0).error(
            f"a timestamp must be in seconds or a date like 2024-01-31; {seconds[0]} is neither"
        )
    return Columns(
        _coded(user_ids, users, typed=source.typed),
        _coded(item_ids, items, typed=source.typed),
        None if unary else coder.finish(),
        seconds,
        source.place,
    )


def _are_dates(seconds: IntArray) -> bool:
    """Whether all are days written like 20240131: as seconds they would lie in one month of 1970."""
    if len(seconds) == 0 or seconds.min() < 1900_01_01 or seconds.max() > 2099_12_31:
        return False
    months, days = seconds // 100 % 100, seconds % 100
    return bool(((months >= 1) & (months <= 12) & (days >= 1) & (days <= 31)).all())


def _coded(column: IdColumn, registry: Index | None, *, typed: bool) -> Coded:
    """The ids as they came; in files of text they are whole numbers if every one is spelt as one.

    What a registry declares wins: one of text makes every id text, and in one of numbers what is none is not found.
    """
    if registry is None or not len(registry):
        return Coded(*column.finish(spelt=not typed))
    codes, ids = column.finish(spelt=not typed and registry.of_numbers)
    if typed or isinstance(ids, np.ndarray):
        return Coded(codes, ids)
    return Coded(codes, [registry.parse(id) for id in ids])


__all__ = ["Naming", "columns_of_file", "columns_of_frame"]
