"""Where verified copies are kept: one folder, one process at a time writing, no file that is half done."""

import hashlib
import json
import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

from privet.errors import StoreError
from privet.formats.writing import beside, replacing

_FORMAT = 1


@dataclass(frozen=True)
class Entry:
    """What the sidecar says of a cached data set."""

    name: str
    source: str
    archive: dict[str, str]  # checksums of what the source gave
    ratings_sha256: str
    titles_sha256: str | None
    ratings: int
    users: int
    items: int
    licence_told: bool
    format: int = _FORMAT


def folder() -> Path:
    """The folder of the data sets: under PRIVET_CACHE, else under the platform's folder for caches."""
    if chosen := os.environ.get("PRIVET_CACHE"):
        return Path(chosen).expanduser() / "datasets"
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        base = Path(local) if local else Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "privet" / "datasets"


class Shelf:
    """The files of one data set in the cache."""

    def __init__(self, name: str, cache: Path | None = None):
        self.name = name
        self.folder = folder() if cache is None else cache
        self.ratings = self.folder / f"{name}.tsv"
        self.titles = self.folder / f"{name}.items.tsv"
        self.sidecar = self.folder / f"{name}.json"
        self.part = self.folder / f"{name}.zip.part"

    def entry(self) -> Entry | None:
        """What is said to be here, unverified; nothing where the sidecar is missing or unreadable."""
        try:
            told = json.loads(self.sidecar.read_bytes())
            entry = Entry(**told)
        except (OSError, ValueError, TypeError):
            return None
        return entry if entry.format == _FORMAT and entry.name == self.name else None

    def verified(self) -> Entry | None:
        """What is here, if every byte is what it was when it was verified."""
        entry = self.entry()
        if entry is None or sha256_of(self.ratings) != entry.ratings_sha256:
            return None
        if entry.titles_sha256 is not None and sha256_of(self.titles) != entry.titles_sha256:
            return None
        return entry

    def note(self, entry: Entry) -> None:
        """Write the sidecar: last of all, so that files without their sidecar count as absent."""
        with replacing(self.sidecar) as stream:
            stream.write(json.dumps(asdict(entry), indent=2).encode() + b"\n")

    def sweep(self) -> None:
        """Remove what a killed process left behind. Only for the holder of the lock."""
        for left in self.folder.glob(f".{self.name}.*.tmp"):
            if left.is_dir():
                shutil.rmtree(left, ignore_errors=True)
            else:
                left.unlink(missing_ok=True)

    @contextmanager
    def workspace(self) -> Iterator[Path]:
        """A folder beside the files that is gone afterwards."""
        place = beside(self.folder / self.name)
        place.mkdir()
        try:
            yield place
        finally:
            shutil.rmtree(place, ignore_errors=True)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold this data set against every other process and thread; waits for its turn."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            stream = (self.folder / f".{self.name}.lock").open("ab")
        except OSError as error:
            raise StoreError(
                f"The cache {self.folder} must be writable; got: {error.strerror}."
                " Name another folder in the environment variable PRIVET_CACHE."
            ) from error
        with stream:
            _lock(stream)  # closing the file releases it, also when the process dies
            yield


def sha256_of(path: Path) -> str | None:
    """The checksum of a file; nothing where it cannot be read."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return None


if sys.platform == "win32":
    import msvcrt

    def _lock(stream: BinaryIO) -> None:
        while True:
            try:
                stream.seek(0)
                return msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
            except OSError:
                time.sleep(0.1)
else:
    import fcntl

    def _lock(stream: BinaryIO) -> None:
        fcntl.flock(stream, fcntl.LOCK_EX)
