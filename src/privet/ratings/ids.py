"""Ids: whole numbers or text, never a mixture, and what neither can be."""

import re
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from privet.arrays import AnyArray, IntArray
from privet.errors import RatingsError

Id: TypeAlias = int | str
Ids: TypeAlias = Sequence[Id] | AnyArray
Side: TypeAlias = Literal["user", "item"]

LONGEST = 4096  # characters; what is longer is a damaged file, not a name
NUMBERS = np.iinfo(np.int64)

_CANONICAL = re.compile(r"0|-?[1-9][0-9]{0,18}")


def canonical_number(text: str) -> int | None:
    """The whole number that a text spells in its only canonical way, or nothing: `7` is one, `007` is a name."""
    if not _CANONICAL.fullmatch(text):
        return None
    number = int(text)
    return number if NUMBERS.min <= number <= NUMBERS.max else None


def canonical_numbers(texts: Sequence[str]) -> IntArray | None:
    """Whole numbers, if every text is one."""
    numbers = np.empty(len(texts), np.int64)
    for place, text in enumerate(texts):
        number = canonical_number(text)
        if number is None:
            return None
        numbers[place] = number
    return numbers


def listed(given: Any) -> Ids:
    """A column of ids that can be counted and looked into."""
    if isinstance(given, (str, bytes)):
        raise RatingsError(f"ids must come as a column, one per rating; got one text, {given[:60]!r}")
    if isinstance(given, np.ma.MaskedArray) and given.mask.any():
        raise RatingsError("ids must not be missing", row=int(np.argmax(given.mask)))
    if isinstance(given, (np.ndarray, list, tuple)):
        return given
    if hasattr(given, "__array__"):
        array: AnyArray = np.asarray(given)
        return array
    try:
        return list(given)
    except TypeError:
        raise RatingsError(f"ids must come as a column, one per rating; got {given!r}") from None


def typed(ids: Ids, side: Side) -> IntArray | list[str]:
    """Ids as whole numbers, or as texts; an error names the row of what is neither or not like the others."""
    if isinstance(ids, np.ndarray) and ids.ndim != 1:
        raise RatingsError(f"{side} ids must come as a column; got {ids.ndim} dimensions")
    if isinstance(ids, np.ndarray) and ids.dtype.kind in "iu":
        if ids.dtype == np.uint64 and len(ids) and ids.max() > NUMBERS.max:
            raise _too_large(side)
        return ids.astype(np.int64)
    if isinstance(ids, np.ndarray) and ids.dtype.kind not in "OTU":
        raise RatingsError(f"{side} ids must be whole numbers or text; got an array of {ids.dtype}")
    objects: list[Any] = ids.tolist() if isinstance(ids, np.ndarray) else list(ids)
    kinds = {type(id) for id in objects}
    if kinds == {str}:
        return objects
    if kinds and kinds != {int}:
        _refuse_mixtures(objects, side)
        if isinstance(objects[0], str):
            return [str(id) for id in objects]
    try:
        return np.array([int(id) for id in objects], np.int64)
    except OverflowError:
        raise _too_large(side) from None


def fault(id: Id, side: Side) -> str | None:
    """What keeps an id from being one, if anything does."""
    if isinstance(id, int):
        return None
    if not id.strip():
        return f"the {side} id is blank"
    if "\0" in id:
        return f"the {side} id {id[:60]!r} holds a NUL character"
    if len(id) > LONGEST:
        return f"the {side} id is {len(id):,} characters long; at most {LONGEST:,} are possible"
    try:
        id.encode()
    except UnicodeEncodeError:
        return f"the {side} id {id[:60]!r} cannot be written in UTF-8"
    return None


def _refuse_mixtures(ids: list[Id], side: Side) -> None:
    for row, id in enumerate(ids):
        whole = isinstance(id, (int, np.integer)) and not isinstance(id, bool)
        if not whole and not isinstance(id, str):
            raise RatingsError(f"{side} ids must be whole numbers or text; got {_shown(id)}", row=row)
        if row and whole == isinstance(ids[0], str):
            raise RatingsError(
                f"{side} ids must be all whole numbers or all text; got {_shown(id)} after {_shown(ids[0])}", row=row
            )


def _shown(id: object) -> str:
    return repr(id)[:80]


def _too_large(side: Side) -> RatingsError:
    return RatingsError(f"a {side} id does not fit into 64 bits with a sign")
