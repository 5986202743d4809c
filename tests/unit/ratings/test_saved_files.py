"""A saved file is opened whole or refused, and never left half written."""

import os
import subprocess
import sys

import numpy as np
import pytest

from privet.errors import RatingsError, StoreError
from privet.ratings import Ratings
from privet.ratings.files import MAGIC


@pytest.fixture
def ratings() -> Ratings:
    random = np.random.default_rng(3)
    cells = random.choice(200 * 50, 2000, replace=False)
    return Ratings.of(cells // 50, [f"item {cell % 50}" for cell in cells.tolist()], random.integers(1, 6, 2000))


def test_every_cut_is_found(tmp_path, ratings):
    """A file that is cut anywhere is refused, without reading it whole."""
    path = tmp_path / "saved"
    ratings.save(path)
    whole = path.read_bytes()
    for length in (0, 5, len(MAGIC), 60, 300, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(RatingsError) as raised:
            Ratings.open(path)
        assert raised.value.file == str(path)
    path.write_bytes(whole + b"\0")
    with pytest.raises(RatingsError, match="longer"):
        Ratings.open(path)


def test_every_changed_byte_is_found(tmp_path, ratings):
    """A changed byte in the header is found on opening, and one anywhere else by verify=True."""
    path = tmp_path / "saved"
    ratings.save(path)
    whole = bytearray(path.read_bytes())
    random = np.random.default_rng(4)
    places = [*range(len(MAGIC) + 8, len(MAGIC) + 60), *random.integers(0, len(whole), 400).tolist()]
    assert Ratings.open(path, verify=True) == ratings
    for place in places:
        spoilt = bytearray(whole)
        spoilt[place] ^= 64
        path.write_bytes(spoilt)
        with pytest.raises(RatingsError):
            Ratings.open(path, verify=True)


def test_a_foreign_file(tmp_path, ratings):
    """What `save` did not write is refused by `open`, and what it did write is read by `read`."""
    path = tmp_path / "ratings.csv"
    path.write_text("user,item,rating\n1,2,3\n" * 20)
    with pytest.raises(RatingsError, match=r"Ratings\.read"):
        Ratings.open(path)
    for missing in (tmp_path / "none", tmp_path, "a\0b"):
        with pytest.raises(RatingsError):
            Ratings.open(missing)
    ratings.save(path)
    assert Ratings.read(path) == ratings
    declared = Ratings.read(path, scale=(0, 10), users=range(200))
    assert declared.declared == {"scale", "users"}
    assert len(declared) == len(ratings)


def test_another_version(tmp_path, ratings, monkeypatch):
    """A file of another version is refused with both versions."""
    monkeypatch.setattr("privet.ratings.files._VERSION", 2)
    ratings.save(tmp_path / "saved")
    monkeypatch.undo()
    with pytest.raises(RatingsError, match="version 2 and this privet reads version 1"):
        Ratings.open(tmp_path / "saved")


def test_a_place_that_cannot_be_written(tmp_path, ratings):
    """Where nothing can be written the error says so."""
    with pytest.raises(StoreError, match="cannot be saved"):
        ratings.save(tmp_path / "none" / "saved")


def test_a_failure_leaves_the_old_file(tmp_path, ratings, monkeypatch):
    """A write that fails half way leaves what was there, and nothing beside it."""
    path = tmp_path / "saved"
    ratings.save(path)
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space left"):
        ratings.forgetting(0).save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_open_stays_when_the_file_is_replaced(tmp_path, ratings):
    """Who has opened a file keeps what it held when another is saved in its place."""
    path = tmp_path / "saved"
    ratings.save(path)
    opened = Ratings.open(path)
    ratings.forgetting(0).save(path)
    assert opened == ratings
    assert Ratings.open(path) == ratings.forgetting(0)


def test_other_processes_share_the_file(tmp_path, ratings):
    """A process that opens the file sees the same ratings."""
    path = tmp_path / "saved"
    ratings.save(path)
    program = "import sys; from privet import Ratings; print(Ratings.open(sys.argv[1]).snapshot.hex())"
    command = [sys.executable, "-c", program, str(path)]
    found = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() for _ in range(2)]
    assert found == [ratings.snapshot.hex()] * 2


def test_opening_reads_the_header_alone(tmp_path):
    """What stands behind the header is looked at when it is asked for: only verify=True finds damage there."""
    users = np.arange(3_000)
    big = Ratings.of(users, users % 1000, users % 5)
    path = tmp_path / "big"
    big.save(path)
    whole = bytearray(path.read_bytes())
    place = whole.rindex(big.cells.user_items.tobytes())
    whole[place : place + 4] = (7).to_bytes(4, "little")
    path.write_bytes(whole)
    assert Ratings.open(path).profile(0).items.tolist() == [7]
    with pytest.raises(RatingsError, match="user_items"):
        Ratings.open(path, verify=True)
