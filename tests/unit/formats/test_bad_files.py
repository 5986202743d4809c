"""A file that cannot be read gets a RatingsError with the file, the line or row, and the reason."""

import gzip
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from privet.errors import RatingsError
from privet.ratings import Ratings

HEAD = "user_id,item_id,rating\n1,2,3\n"

BAD = {
    "a missing column": ("user_id,rating\n1,3\n", 1, "no column for the items"),
    "no column in a usual spelling": ("who,what,mark\n1,2,3\n", 1, "name the columns"),
    "a rating column nobody knows": ("user,item,mark\n1,2,3\n", 1, "no column for the ratings"),
    "a header of two columns that may be ids": ("ann,tea\nbob,jam\n", 1, "may be a header"),
    "one column": ("user\n1\n", 1, "one column only"),
    "five columns without a header": ("1,2,3,4,5\n", 1, "no header"),
    "a short line": (HEAD + "\n4,5\n", 4, "2 fields where 3 are expected"),
    "a long line": (HEAD + "4,5,6,7\n", 3, "4 fields where 3 are expected"),
    "a word for a rating": (HEAD + "4,5,good\n", 3, "a rating must be a number; got 'good'"),
    "no rating": (HEAD + "4,5,\n", 3, "a rating must be a number; got ''"),
    "a decimal comma": ("user;item;rating\n1;2;3,5\n", 2, "got '3,5'"),
    "not a number": (HEAD + "4,5,nan\n", 3, "finite"),
    "infinity": (HEAD + "4,5,inf\n", 3, "finite"),
    "minus infinity": (HEAD + "4,5,-inf\n", 3, "finite"),
    "more than a float can hold": (HEAD + "4,5,1e999\n", 3, "finite"),
    "an empty user": (HEAD + ",5,3\n", 3, "the user id is blank"),
    "an empty item": (HEAD + "4,,3\n", 3, "the item id is blank"),
    "a blank item": (HEAD + "4,  ,3\n", 3, "the item id is blank"),
    "a NUL byte": (HEAD + "4,a\0b,3\n", 3, "NUL"),
    "a word for a time": ("user,item,rating,timestamp\n1,2,3,4\n1,3,3,noon\n", 3, "a timestamp must be"),
    "a time that is no date": ("user,item,rating,date\n1,2,3,2024-01-01\n1,3,3,2024-02-31\n", 3, "a timestamp"),
    "a pair rated twice": (HEAD + "1,3,3\n1,2,4\n", 4, "first in line 2"),
    "a header only": ("user_id,item_id,rating\n", None, "not one rating"),
    "an empty file": ("", None, "empty"),
    "blank lines only": ("\n\n\n", None, "blank lines"),
    "a JSON list": ('[{"user": 1}]', 1, "one JSON list"),
    "NDJSON that is none": ('{"user": 1,\n', 1, "no JSON object"),
    "NDJSON without items": ('{"user": 1, "rating": 3}\n', 1, "no column for the items"),
    "NDJSON with truth values for ids": ('{"user": true, "item": 1, "rating": 3}\n', 1, "whole numbers or text"),
    "NDJSON with mixed ids": (
        '{"user": 1, "item": 1, "rating": 3}\n\n{"user": "b", "item": 1, "rating": 3}\n',
        3,
        "all whole numbers or all text",
    ),
    "NDJSON with a missing rating": (
        '{"user": 1, "item": 1, "rating": 3}\n{"user": 1, "item": 2}\n',
        2,
        "the rating is missing",
    ),
    "NDJSON with a null": (
        '{"user": 1, "item": 1, "rating": 3}\n{"user": null, "item": 2, "rating": 3}\n',
        2,
        "the user is missing",
    ),
    "NDJSON with a word for a rating": (
        '{"user": 1, "item": 1, "rating": 3}\n{"user": 1, "item": 2, "rating": "x"}\n',
        2,
        "ratings must be numbers",
    ),
    "NDJSON with a line that is cut": (
        '{"user": 1, "item": 1, "rating": 3}\n{"user": 1, "item": 2, "rat\n',
        2,
        "no JSON object",
    ),
    "NDJSON with an empty id": ('{"user": "a", "item": "", "rating": 3}\n', 1, "blank"),
    "ten million characters in one line": ("x" * 10_000_000, 1, "10,000,000 characters"),
    "ten million characters in one field": (HEAD + "x" * 10_000_000 + ",2,3\n", 3, "10,000,000 characters"),
    "ten million characters after good lines": (HEAD + "x" * 10_000_000, 3, "10,000,000 characters"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_text(tmp_path, name):
    """Every fault of a text file is named with its file, its line and its reason."""
    content, line, reason = BAD[name]
    path = tmp_path / "ratings.csv"
    path.write_text(content)
    with pytest.raises(RatingsError) as raised:
        Ratings.read(path)
    assert raised.value.file == str(path)
    assert raised.value.line == line
    assert reason in raised.value.reason
    assert len(str(raised.value)) < 400 + len(str(path))


def test_text_that_is_not_utf8(tmp_path):
    """A file in another encoding is told with the line of the first byte that is not UTF-8."""
    path = tmp_path / "ratings.csv"
    path.write_bytes(HEAD.encode() + "1,café,3\n".encode("latin-1"))
    with pytest.raises(RatingsError, match="not UTF-8") as raised:
        Ratings.read(path)
    assert raised.value.line == 3


def test_a_rating_outside_a_declared_scale(tmp_path):
    """A scale that is declared is kept, and the line that breaks it is named."""
    path = tmp_path / "ratings.csv"
    path.write_text(HEAD + "1,3,6\n")
    with pytest.raises(RatingsError, match="outside the declared scale") as raised:
        Ratings.read(path, scale=(1, 5))
    assert raised.value.line == 3


@pytest.mark.parametrize("registry", [[1, 2], ["1", "2"]])
def test_an_id_outside_a_declared_registry(tmp_path, registry):
    """An id that a declared registry does not hold is named with its line, a word among numbers too."""
    path = tmp_path / "ratings.csv"
    for stranger in ("3", "zed"):
        path.write_text(f"user,item,rating\n1,1,3\n2,1,3\n{stranger},1,3\n")
        with pytest.raises(RatingsError, match="the user is not in the declared registry") as raised:
            Ratings.read(path, users=registry)
        assert raised.value.line == 4


def test_a_fault_far_down_is_found(tmp_path):
    """The line is right in a file of several pieces, with blank lines, a header and Windows line ends."""
    lines = ["user,item,rating", ""] + [f"{row},{row % 1000},3" for row in range(1_600_000)] + ["", "1,999999,bad"]
    path = tmp_path / "ratings.csv"
    path.write_bytes("\r\n".join(lines).encode())
    with pytest.raises(RatingsError, match="'bad'") as raised:
        Ratings.read(path)
    assert raised.value.line == len(lines)
    lines[-1] = "1599999,999,3"
    path.write_bytes("\r\n".join(lines).encode())
    with pytest.raises(RatingsError, match="first in line 1600002") as raised:
        Ratings.read(path)
    assert raised.value.line == len(lines)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_a_truncated_parquet_file(tmp_path, share):
    """A Parquet file that is cut short is refused."""
    path = tmp_path / "ratings.parquet"
    pq.write_table(pa.table({"user": list(range(1000)), "item": list(range(1000)), "rating": [3] * 1000}), path)
    path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])
    with pytest.raises(RatingsError, match="damaged or cut short") as raised:
        Ratings.read(path)
    assert raised.value.file == str(path)


def test_a_damaged_parquet_file(tmp_path):
    """A Parquet file with spoilt pages is refused, not read as other ratings."""
    path = tmp_path / "ratings.parquet"
    users = [f"user {number}" for number in range(5000)]
    table = pa.table({"user": users, "item": list(range(5000)), "rating": [3] * 5000})
    pq.write_table(table, path, compression="zstd")
    content = bytearray(path.read_bytes())
    content[2000:6000] = bytes(4000)
    path.write_bytes(content)
    with pytest.raises(RatingsError, match=r"ratings\.parquet"):
        Ratings.read(path)


@pytest.mark.parametrize(
    ("column", "values", "row", "reason"),
    [
        ("user", [1, None, 2], 1, "the user id is missing"),
        ("rating", [3.0, 3.0, None], 2, "the rating is missing"),
        ("rating", [3.0, float("nan"), 1.0], 1, "finite"),
        ("rating", ["a", "b", "c"], None, "must be numbers"),
        ("user", [1.5, 2.0, 3.0], None, "whole numbers or text"),
        ("user", [True, False, True], None, "whole numbers or text"),
        ("user", pa.array([2**64 - 1, 1, 2], pa.uint64()), None, "64 bits"),
        ("item", ["a", " ", "b"], 1, "blank"),
        ("item", ["b", "a", "a"], 2, "first in row 1"),
    ],
)
def test_bad_parquet(tmp_path, column, values, row, reason):
    """A Parquet file's faults are named with their row, counted from 0."""
    columns = {"user": [1, 1, 1], "item": ["a", "b", "c"], "rating": [3.0, 4.0, 5.0]} | {column: values}
    path = tmp_path / "ratings.parquet"
    pq.write_table(pa.table(columns), path)
    with pytest.raises(RatingsError, match=reason) as raised:
        Ratings.read(path)
    assert raised.value.file == str(path)
    if row is not None:
        assert raised.value.row == row


def test_paths_that_are_no_files(tmp_path):
    """A directory, a file that is not there, and a path that cannot be one."""
    for path, reason in ((tmp_path, "directory"), (tmp_path / "none", "no such file"), ("a\0b", "null")):
        with pytest.raises(RatingsError, match=reason) as raised:
            Ratings.read(path)
        assert raised.value.file == str(path)


def test_a_file_without_permission():
    """A file that may not be read says so. Root may read all, so where the tests run as root another user tries."""
    with tempfile.TemporaryDirectory() as folder:  # not pytest's, which nobody else may enter
        Path(folder).chmod(0o755)
        path = Path(folder) / "ratings.csv"
        path.write_text(HEAD)
        path.chmod(0)
        program = f"""
import os
from privet import Ratings
from privet.errors import RatingsError
import privet.ratings.reading  # before the rights are gone, with which the libraries are read
if os.geteuid() == 0:
    os.setuid(65534)
try:
    Ratings.read({str(path)!r})
except RatingsError as problem:
    print(problem.reason)
"""
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert done.stdout == "no permission to read this file\n"


def test_truncated_compression(tmp_path):
    """A compressed file that is cut short is refused."""
    path = tmp_path / "ratings.csv.gz"
    whole = gzip.compress((HEAD + "".join(f"{row},{row},3\n" for row in range(9, 5000))).encode())
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(RatingsError, match="cut short"):
        Ratings.read(path)
