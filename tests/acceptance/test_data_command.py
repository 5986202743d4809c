"""privet data, as a person types it."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from privet.cli.data import command
from privet.errors import ParameterError, StoreError
from privet.lab import datasets
from privet.ratings import Catalogue, Ratings


def privet_data(*words: str) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(command, words)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache for every test."""
    monkeypatch.setenv("PRIVET_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "datasets"


def test_list_tells_sizes_and_sources() -> None:
    """One line a set, and nothing is fetched for it."""
    rows = json.loads(privet_data("list", "--format", "json").stdout)
    assert [row["name"] for row in rows] == list(datasets.names())
    assert rows[0]["ratings"] == 100_000
    assert rows[0]["cached"] == "no"
    assert "recbole 1.2.1" in rows[0]["sources"]
    assert "ml-32m" in privet_data("list").stdout


def test_synthetic_writes_a_shop(tmp_path: Path) -> None:
    """Nothing on standard output; the ratings and the catalogue are where they were wanted."""
    out = tmp_path / "shop.csv"
    done = privet_data("synthetic", str(out), "--users", "50", "--items", "40", "--ratings", "900", "--seed", "7")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "900 ratings of 50 users and 40 items" in done.stderr
    assert len(Ratings.read(out, scale=(1, 5))) == 900
    assert len(Catalogue.read(tmp_path / "shop.items.csv")) == 40
    again = tmp_path / "again.csv"
    privet_data("synthetic", str(again), "--users", "50", "--items", "40", "--ratings", "900", "--seed", "7")
    assert again.read_bytes() == out.read_bytes()


def test_what_cannot_be_is_an_error(tmp_path: Path) -> None:
    """The house's errors reach the door unchanged."""
    assert isinstance(privet_data("path", "ml-100").exception, ParameterError)
    assert isinstance(privet_data("get", "ml-100k", "--from", str(tmp_path / "nowhere")).exception, StoreError)
    assert isinstance(privet_data("synthetic", str(tmp_path / "a.csv"), "--users", "0").exception, ParameterError)


@pytest.mark.parametrize("verb", [[], ["list"], ["get"], ["path"], ["synthetic"]])
def test_every_verb_has_help(verb: list[str]) -> None:
    """A sentence, and each option explained."""
    assert privet_data(*verb, "--help").exit_code == 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "naming", "first"),
    [
        ("ml-100k", "numbers", "1\t168\t5\t874965478"),
        ("ml-1m", "titles", "1m_1\tGirl, Interrupted (1999)\t4\t978300019"),
    ],
)
def test_the_real_sets_come_by_the_package_index(name: str, naming: str, first: str, cache: Path) -> None:
    """Fetched from whatever source answers, verified, and printed as one path."""
    fetched = privet_data("get", name)
    assert fetched.exit_code == 0, fetched.exception
    assert "Harper" in fetched.stderr
    shown = privet_data("path", name)
    assert shown.stdout == f"{cache / name}.tsv\n"
    content = Path(shown.stdout.strip()).read_bytes()
    dataset = datasets.dataset(name)
    if dataset.canonical[naming] == hashlib.sha256(content).hexdigest():  # else it came from its publisher
        assert content.decode().startswith(first + "\n")
    ratings = datasets.load(name)
    assert (len(ratings), len(ratings.users), len(ratings.items)) == (
        dataset.counts.ratings,
        dataset.counts.users,
        dataset.counts.items,
    )
    assert ratings.source == name
    catalogue = datasets.catalogue(name)
    assert catalogue is not None
    assert all(catalogue.title(item) for item in ratings.items)


@pytest.mark.long
def test_ten_million_ratings_are_written_in_little_memory(tmp_path: Path) -> None:
    """The peak of the process stays under 600 MB, and well under the size of the data."""
    script = (
        "import re, sys\n"
        "from privet.lab.synthetic import synthetic\n"
        f"synthetic(100_000, 20_000, 10_000_000, seed=1).write({str(tmp_path / 'big.csv')!r})\n"
        "print(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=600)
    assert int(done.stdout) * 1024 < 600e6
    with (tmp_path / "big.csv").open("rb") as stream:
        assert sum(chunk.count(b"\n") for chunk in iter(lambda: stream.read(1 << 24), b"")) == 10_000_001
