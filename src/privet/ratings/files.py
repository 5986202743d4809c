"""Files: ratings as a memory map.

A file is a line of magic, the length and the digest of a header, the header (JSON: what is declared, and of each array
its type, length, place and digest) and the arrays, each at a multiple of 64 bytes. Opening reads the header alone.
"""

import json
import mmap
import os
import stat
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import numpy as np

from privet.arrays import AnyArray
from privet.errors import RatingsError, StoreError
from privet.formats.writing import replacing
from privet.ratings.cells import Cells
from privet.ratings.ids import Side
from privet.ratings.index import Index

MAGIC: Final = b"privet ratings\n\x00"
_VERSION = 1
_ALIGNMENT = 64
_FIXED = len(MAGIC) + 8 + 32  # magic, length of the header, its digest
_LONGEST_HEADER = 1 << 20
_INDEX = ("numbers", "text", "ends", "order")


def is_saved(path: str | Path) -> bool:
    """Whether a file begins as `save` begins one."""
    try:
        if not stat.S_ISREG(Path(path).stat().st_mode):
            return False
        with Path(path).open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError, TypeError):
        return False


def save(
    path: str | Path,
    *,
    users: Index,
    items: Index,
    cells: Cells,
    scale: tuple[float, float],
    scale_declared: bool,
    source: str | None,
) -> None:
    """Write the file beside its place and move it there when it is whole."""
    arrays = {f"cells.{name}": array for name, array in cells.arrays().items()}
    for side, index in (("user", users), ("item", items)):
        arrays |= {f"{side}.{name}": array for name in _INDEX if (array := getattr(index, name)) is not None}
    header: dict[str, Any] = {
        "version": _VERSION,
        "scale": scale,
        "scale_declared": scale_declared,
        "users_declared": users.declared,
        "items_declared": items.declared,
        "source": source,
        "arrays": {},
    }
    little = {name: np.ascontiguousarray(array, array.dtype.newbyteorder("<")) for name, array in arrays.items()}
    for name, array in little.items():
        header["arrays"][name] = [
            array.dtype.str,
            len(array),
            0,
            blake2b(_bytes(array), digest_size=16).hexdigest(),
        ]
    length = len(_encoded(header)) + 32 * (len(arrays) + 1)  # room for the places, which are not known yet
    place = _FIXED + length
    for name, array in little.items():
        place = -(-place // _ALIGNMENT) * _ALIGNMENT
        header["arrays"][name][2] = place
        place += array.nbytes
    header["size"] = place
    text = _encoded(header).ljust(length)
    target = Path(path)
    try:
        with replacing(target) as file:
            file.write(MAGIC + len(text).to_bytes(8, "little") + blake2b(text, digest_size=32).digest() + text)
            for name, array in little.items():
                file.write(b"\0" * (header["arrays"][name][2] - file.tell()))
                file.write(_bytes(array))
    except OSError as problem:
        raise StoreError(f"{target}: the ratings cannot be saved here: {problem.strerror or problem}") from None
    except ValueError as problem:  # no name that a file could have
        raise StoreError(f"{str(path)!r}: the ratings cannot be saved here: {problem}") from None


def opened(path: str | Path, *, verify: bool = False) -> dict[str, Any]:
    """The parts of the ratings in a file, as views of its memory map."""
    name = os.fspath(path)
    whole = _mapped(path, name)
    header = _header(whole, name)
    try:
        arrays = {key: _array(whole, *entry[:3]) for key, entry in header["arrays"].items()}
        if verify:
            _verify_padding(whole, header, name)
            for key, entry in header["arrays"].items():
                if blake2b(_bytes(arrays[key]), digest_size=16).hexdigest() != entry[3]:
                    raise RatingsError(
                        f"the file is damaged: the bytes of {key} are not those that were saved", file=name
                    )
        low, high = header["scale"]
        return {
            "users": _index(arrays, "user", header["users_declared"]),
            "items": _index(arrays, "item", header["items_declared"]),
            "cells": _cells(arrays),
            "scale": (float(low), float(high)),
            "scale_declared": bool(header["scale_declared"]),
            "source": header["source"],
        }
    except (KeyError, TypeError, ValueError, IndexError) as problem:
        if isinstance(problem, RatingsError):
            raise
        raise RatingsError(f"the header does not describe ratings: {problem}", file=name) from None


def _mapped(path: str | Path, name: str) -> memoryview:
    try:
        with Path(path).open("rb") as file:
            if os.fstat(file.fileno()).st_size < _FIXED or file.read(len(MAGIC)) != MAGIC:
                raise RatingsError("this is no file that Ratings.save wrote; Ratings.read takes others", file=name)
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except OSError as problem:
        raise RatingsError(f"the file cannot be opened: {problem.strerror or problem}", file=name) from None
    except ValueError as problem:  # a NUL byte in the path
        if isinstance(problem, RatingsError):
            raise
        raise RatingsError(str(problem), file=name) from None


def _header(whole: memoryview, name: str) -> dict[str, Any]:
    begin = len(MAGIC)
    length = int.from_bytes(whole[begin : begin + 8], "little")
    text = bytes(whole[_FIXED : _FIXED + length]) if length <= _LONGEST_HEADER else b""
    if len(text) != length or blake2b(text, digest_size=32).digest() != whole[begin + 8 : _FIXED]:
        raise RatingsError("the header is damaged or cut short", file=name)
    header: dict[str, Any] = json.loads(text)
    if header.get("version") != _VERSION:
        raise RatingsError(
            f"the file has version {header.get('version')} and this privet reads version {_VERSION}; save it again with"
            " the privet that wrote it, or read the ratings from their origin",
            file=name,
        )
    if header["size"] != len(whole):
        raise RatingsError(
            f"the file is {len(whole):,} bytes long and must be {header['size']:,}: cut short, or longer than saved",
            file=name,
        )
    return header


def _verify_padding(whole: memoryview, header: dict[str, Any], name: str) -> None:
    """Between the arrays there is nothing but zeros."""
    end = _FIXED + int.from_bytes(whole[len(MAGIC) : len(MAGIC) + 8], "little")
    for kind, length, place, _ in sorted(header["arrays"].values(), key=lambda entry: entry[2]):
        if any(whole[end:place]):
            raise RatingsError("the file is damaged: there is something between its parts", file=name)
        end = place + np.dtype(kind).itemsize * length


def _array(whole: memoryview, kind: str, length: int, place: int) -> AnyArray:
    array = np.frombuffer(whole, np.dtype(kind), length, place)
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _index(arrays: dict[str, AnyArray], side: Side, declared: object) -> Index:
    parts = {part: arrays.get(f"{side}.{part}") for part in _INDEX}
    if parts["numbers"] is None and (parts["text"] is None or parts["ends"] is None):
        raise KeyError(f"{side} ids")
    return Index(side, **parts, declared=bool(declared))


def _cells(arrays: dict[str, AnyArray]) -> Cells:
    part = {name.removeprefix("cells."): array for name, array in arrays.items() if name.startswith("cells.")}
    return Cells(
        part["user_starts"],
        part["user_items"],
        part["user_values"],
        part["item_starts"],
        part["item_users"],
        part.get("item_values"),
        part.get("grid"),
        part.get("timestamps"),
    )


def _bytes(array: AnyArray) -> memoryview:
    return array.data.cast("B") if array.nbytes else memoryview(b"")


def _encoded(header: dict[str, Any]) -> bytes:
    return json.dumps(header, separators=(",", ":")).encode()
