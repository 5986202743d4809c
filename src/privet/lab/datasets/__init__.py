"""The public data sets: fetched once, verified every time, never shipped."""

from pathlib import Path

from privet.lab.datasets.cache import Entry, Shelf, folder
from privet.lab.datasets.fetching import Say, fetched
from privet.lab.datasets.register import DATASETS, LICENCE, Counts, DataSet, dataset
from privet.progress import Progress
from privet.ratings import Catalogue, Ratings

__all__ = [
    "LICENCE",
    "Counts",
    "DataSet",
    "Entry",
    "cached",
    "catalogue",
    "catalogue_path",
    "dataset",
    "folder",
    "get",
    "load",
    "names",
    "path",
    "recognised",
]


def names() -> tuple[str, ...]:
    """The names of the data sets known here."""
    return tuple(DATASETS)


def get(name: str, *, source: Path | str | None = None, progress: Progress | None = None, say: Say = None) -> Path:
    """Put a data set into the cache, from a path of yours or from its sources, and give its file.

    The file has one rating a line and no header: user, item, rating, timestamp, parted by tabs.
    """
    given = None if source is None else Path(source)
    return fetched(dataset(name), source=given, progress=progress, say=say).ratings


def path(name: str, *, progress: Progress | None = None, say: Say = None) -> Path:
    """The file of a data set, verified just now and fetched where it is missing."""
    return get(name, progress=progress, say=say)


def load(name: str, *, progress: Progress | None = None, say: Say = None) -> Ratings:
    """The ratings of a data set, with its scale declared and its name kept."""
    file = get(name, progress=progress, say=say)
    scale = dataset(name).scale
    return Ratings.read(file, user=0, item=1, rating=2, timestamp=3, scale=scale, progress=progress).named(name)


def catalogue_path(name: str, *, progress: Progress | None = None, say: Say = None) -> Path | None:
    """The file of titles and categories; nothing where the source had none."""
    shelf = fetched(dataset(name), progress=progress, say=say)
    entry = shelf.entry()
    return shelf.titles if entry and entry.titles_sha256 else None


def catalogue(name: str, *, progress: Progress | None = None, say: Say = None) -> Catalogue | None:
    """The titles and categories; nothing where the source had none."""
    file = catalogue_path(name, progress=progress, say=say)
    return None if file is None else Catalogue.read(file)


def cached(name: str) -> Entry | None:
    """What is in the cache of a data set, without fetching or verifying it."""
    return Shelf(dataset(name).name).entry()


def recognised(file: Path | str) -> str | None:
    """The name of the data set whose verified file this is, so that ratings read by path can be `named` too."""
    wanted = Path(file).resolve()
    for name in DATASETS:
        shelf = Shelf(name)
        if shelf.ratings.resolve() == wanted and shelf.verified():
            return name
    return None
