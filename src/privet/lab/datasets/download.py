"""Fetching a file from its publisher: short waits, and a part is continued rather than begun again."""

import hashlib
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from privet.errors import StoreError
from privet.lab.datasets.register import Publisher
from privet.progress import Progress

_PATIENCE = 5  # seconds for a connection or for the next bytes: whoever is offline should learn it soon
_ATTEMPTS = 20
_BYTES_AT_ONCE = 1 << 18
_LARGEST = 1 << 30  # four times the largest archive


def download(publisher: Publisher, part: Path, *, what: str, progress: Progress | None = None) -> None:
    """Fetch the archive into `part`, continuing what is there, until its checksum is the published one."""
    if _md5(part) == publisher.md5:
        return
    damaged = False
    for _ in range(_ATTEMPTS):
        before = _size(part)
        try:
            _continue(publisher.url, part, what, progress)
        except HTTPError as error:
            if error.code == 416 and before:  # the part is longer than the file: it is of something else
                part.unlink()
                continue
            raise StoreError(f"{publisher.url} answered {error.code} {error.reason}") from error
        except (OSError, HTTPException) as error:
            if _size(part) > before:
                continue
            raise StoreError(f"{publisher.url} could not be fetched: {_reason(error)}") from error
        if _md5(part) == publisher.md5:
            return
        part.unlink()
        if damaged or not before:  # a part of an older file explains one wrong checksum, not two
            break
        damaged = True
    raise StoreError(f"what came from {publisher.url} does not have the published md5 {publisher.md5}")


def _continue(url: str, part: Path, what: str, progress: Progress | None) -> None:
    have = _size(part)
    headers = {"User-Agent": "privet"} | ({"Range": f"bytes={have}-"} if have else {})
    request = Request(url, headers=headers)  # noqa: S310 - the address comes from the register
    response: HTTPResponse
    with urlopen(request, timeout=_PATIENCE) as response:  # noqa: S310
        if response.status != 206:
            have = 0
        length = response.headers.get("Content-Length")
        total = have + int(length) if length else 0
        with part.open("ab" if have else "wb") as stream:
            while block := response.read(_BYTES_AT_ONCE):
                stream.write(block)
                have += len(block)
                if have > _LARGEST:
                    raise StoreError(f"{url} sends more than any of the archives has")
                if progress:
                    progress(f"Downloading {what}", have, total)
        if have < total:
            raise ConnectionError("the connection ended before the file did")


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _md5(path: Path) -> str | None:
    if not path.exists():
        return None
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def _reason(error: Exception) -> str:
    cause = getattr(error, "reason", error)
    return str(getattr(cause, "strerror", None) or cause or type(cause).__name__)
