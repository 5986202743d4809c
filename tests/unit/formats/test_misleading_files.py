"""Files that look like one thing and are another: refused with the line, or read as what they are."""

import json
import sys

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from privet.errors import ParameterError, RatingsError
from privet.formats import textfile
from privet.ratings import Ratings

HEAD = "user_id,item_id,rating\n"


def read(tmp_path, content, **settings):
    path = tmp_path / "ratings"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return Ratings.read(path, **settings)


def pairs(ratings):
    columns = ratings.columns()
    return sorted(
        zip(columns["user_id"].tolist(), columns["item_id"].tolist(), columns["rating"].tolist(), strict=True)
    )


REFUSED = {
    "a newline in quotes": ('user,item,rating,review\n1,2,3,fine\n1,3,3,"good\nbad"\n', 3, "does not end in its line"),
    "a quotation mark that is never closed": (HEAD + 'a,"x,3\nb,y,4\nc,z",5\n', 2, "does not end in its line"),
    "a ragged second line in TSV": ("user\titem\trating\n7\t\t5\t3\n", 2, "4 fields where 3"),
    "a decimal comma without a header": ("a;b;3,5\nc;d;4,0\n", 1, "neither a header"),
    "carriage returns for line ends": ("user,item,rating\r1,2,3\r", 1, "carriage return"),
    "a carriage return far down": (
        HEAD + "".join(f"{row},1,3\n" for row in range(30_000)) + "1,2\r,3\n",
        30_002,
        "return",
    ),
    "a line of blanks in CSV": (HEAD + "1,2,3\n   \n", 3, "1 fields"),
    "two objects in a line": (
        '{"user":1,"item":2,"rating":3}\n{"user":1,"item":3,"rating":3} {"user":1,"item":4,"rating":3}\n',
        2,
        "no JSON",
    ),
    "NDJSON of lists": ('{"user":1,"item":2,"rating":3}\n[1,2,3]\n', 2, "no JSON object"),
    "deep NDJSON": ('{"user":1,"item":2,"rating":3,"z":' + "[" * 20_000 + "]" * 20_000 + "}\n", 1, "no JSON object"),
    "digits of another alphabet": (HEAD + "1,2,٣\n", 2, "must be a number"),
    "an underscore in a number": (HEAD + "1,2,1_000\n", 2, "must be a number"),
    "a hexadecimal number": (HEAD + "1,2,3\n1,3,0x10\n", 3, "must be a number"),
    "a time beyond 64 bits": ("user,item,rating,timestamp\n1,2,3,4\n1,3,3,1e30\n", 3, "timestamp"),
    "times with and without a zone": (
        "user,item,rating,time\n1,2,3,2024-01-01T00:00:00Z\n1,3,3,2024-01-01T00:00:00\n",
        3,
        "a date like the first",
    ),
    "three columns whose last is a word": ("ann,tea,warm\nbob,jam,cold\n", 1, "neither a header"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_the_line(tmp_path, name):
    """What cannot be told apart, or is not what it begins as, is refused, and its line named."""
    content, line, reason = REFUSED[name]
    with pytest.raises(RatingsError) as raised:
        read(tmp_path, content)
    assert raised.value.line == line
    assert reason in raised.value.reason


def test_quoted_newlines_are_refused_wherever_the_file_is_cut(tmp_path, monkeypatch):
    """A review that goes on over lines never becomes a rating, however the pieces fall."""
    lines = [f'{row},2,3,"great film\n{10**6 + row},5,5,so good"\n' for row in range(200)]
    for piece in (64, 100, 1000, 1 << 20):
        monkeypatch.setattr(textfile.TextFile.pieces, "__defaults__", (piece,))
        with pytest.raises(RatingsError, match="does not end in its line") as raised:
            read(tmp_path, "user,item,rating,review\n" + "".join(lines))
        assert raised.value.line == 2


@pytest.mark.parametrize("piece", [7, 16, 33, 100, 1000])
def test_any_cut_gives_the_same(tmp_path, monkeypatch, piece):
    """Pieces of any length give the same ratings and the same lines of faults."""
    monkeypatch.setattr(textfile.TextFile.pieces, "__defaults__", (piece,))
    rows = [f"čtenář {row % 7},кни́га {row},{1 + row % 5}" for row in range(100)]
    text = "\ufeff\r\n\r\nuser,item,rating\r\n" + "\r\n\r\n".join(rows) + "\r\n"
    expected = sorted((row.split(",")[0], row.split(",")[1], float(row.split(",")[2])) for row in rows)
    assert pairs(read(tmp_path, text)) == expected
    with pytest.raises(RatingsError) as raised:
        read(tmp_path, text + "\r\nx,y,z\r\n")
    assert raised.value.line == 3 + 2 * len(rows) + 1
    with pytest.raises(RatingsError, match="first in line 4") as raised:
        read(tmp_path, text + rows[0])
    assert raised.value.line == 3 + 2 * len(rows)


def test_positions_and_a_header(tmp_path):
    """Users and items by position: a header still names the rest, and without one the usual places hold it."""
    expected = [(1, 2, 3.0), (4, 5, 1.0)]
    assert pairs(read(tmp_path, HEAD + "1,2,3\n4,5,1\n", user=0, item=1)) == expected
    assert pairs(read(tmp_path, HEAD + "1,2,3\n4,5,1\n", user=0, item=1, rating="rating")) == expected
    assert pairs(read(tmp_path, "1,2,3\n4,5,1\n", user=0, item=1)) == expected
    assert read(tmp_path, "1\t2\t3\t100\n", user=0, item=1).timestamped
    assert pairs(read(tmp_path, "ann,tea\nbob,jam\n", user=0, item=1)) == [("ann", "tea", 1.0), ("bob", "jam", 1.0)]
    with pytest.raises(RatingsError, match="cannot be told"):
        read(tmp_path, "2,1,3\n", user=1, item=2)
    assert pairs(read(tmp_path, "2,1,3\n", user=1, item=2, rating=0)) == [(1, 3, 2.0)]


@pytest.mark.parametrize("bad", ["nan", "oops", ""])
def test_a_bad_first_rating_is_no_header(tmp_path, bad):
    """A first line with numbers in it is a rating, and a bad one is named, not dropped."""
    with pytest.raises(RatingsError) as raised:
        read(tmp_path, f"1,2,{bad}\n4,5,1\n", user=0, item=1, rating=2)
    assert raised.value.line == 1


@pytest.mark.parametrize("wrong", [{"user": "a", "item": "b"}, {"user": 7}, {"user": -1}, {"user": 0, "item": 0}])
def test_columns_that_are_not_there(tmp_path, wrong):
    """A column that is named and not there, a position beyond the last, and one column for two roles."""
    with pytest.raises(RatingsError) as raised:
        read(tmp_path, HEAD + "1,2,3\n", **wrong)
    assert raised.value.line == 1


def test_lines_of_blanks(tmp_path):
    """Between blanks, and in NDJSON, a line of blanks is blank: it holds nothing and shifts no line number."""
    assert len(read(tmp_path, "   \n1 2 3\n \t \n4 5 6\n")) == 2
    with pytest.raises(RatingsError, match="first in line 3") as raised:
        read(tmp_path, "1 2 3\n   \n4 5 6\n4 5 6\n")
    assert raised.value.line == 4
    record = json.dumps({"user": 1, "item": 2, "rating": 3})
    with pytest.raises(RatingsError, match="first in line 1") as raised:
        read(tmp_path, f"{record}\n  \n{record}\n")
    assert raised.value.line == 3


def test_many_blank_lines_before_the_first(tmp_path):
    """However many blank lines come first, the lines are counted from the file's beginning."""
    with pytest.raises(RatingsError) as raised:
        read(tmp_path, "\n" * 200_000 + HEAD + "1,2,x\n")
    assert raised.value.line == 200_002


def test_a_long_review_is_no_fault(tmp_path):
    """A long field that is not needed is passed over, and a fault behind it is still found."""
    text = f"user,item,rating,review\n1,2,3,{'x' * 140_000}\n"
    assert len(read(tmp_path, text)) == 1
    with pytest.raises(RatingsError, match="'bad'") as raised:
        read(tmp_path, text + "1,3,bad,y\n")
    assert raised.value.line == 3


def test_names_that_begin_like_other_formats(tmp_path):
    """Text may begin with the letters by which bz2 and Parquet are told."""
    assert pairs(read(tmp_path, "BZh,tea,3\nBZhang,jam,4\n")) == [("BZh", "tea", 3.0), ("BZhang", "jam", 4.0)]
    assert pairs(read(tmp_path, "PAR1,tea,3\nbob,jam,4\n"))[0] == ("PAR1", "tea", 3.0)


def test_separators_within_fields(tmp_path):
    """The separator is the one that cuts the most: a TSV of titles with commas is a TSV."""
    assert pairs(read(tmp_path, "ann\tTea, green\t5\nbob\tJam, red\t4\n"))[0] == ("ann", "Tea, green", 5.0)
    assert pairs(read(tmp_path, "user;item;rating\nann;a,b;5\n")) == [("ann", "a,b", 5.0)]


def test_bytes_that_are_not_utf8_in_typed_files(tmp_path):
    """NDJSON and Parquet are held to UTF-8 as well."""
    good = b'{"user":"a","item":"b","rating":3}\n'
    with pytest.raises(RatingsError, match="UTF-8") as raised:
        read(tmp_path, good + b'{"user":"\xff","item":"b","rating":3}\n')
    assert raised.value.line == 2
    texts = pa.StringArray.from_buffers(1, pa.py_buffer(b"\0\0\0\0\x01\0\0\0"), pa.py_buffer(b"\xff"))
    pq.write_table(pa.table({"user": texts, "item": ["a"], "rating": [3]}), tmp_path / "parquet")
    with pytest.raises(RatingsError, match="UTF"):
        Ratings.read(tmp_path / "parquet")


def test_parquet_with_two_columns_of_one_name(tmp_path):
    """Two columns of one name cannot be told apart."""
    table = pa.Table.from_arrays([pa.array([1]), pa.array([2]), pa.array([3])], names=["user", "user", "item"])
    pq.write_table(table, tmp_path / "ratings")
    with pytest.raises(RatingsError, match="called 'user'"):
        Ratings.read(tmp_path / "ratings", rating=False)


@pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc elsewhere")
def test_a_file_that_cannot_be_read():
    """A file whose bytes cannot be had is a RatingsError like any other."""
    with pytest.raises(RatingsError):
        Ratings.read("/proc/self/mem")


@pytest.mark.parametrize("path", [None, 7, b"ratings"])
def test_what_names_no_file(path):
    """A file is named by text or a Path."""
    with pytest.raises(ParameterError, match="named by text"):
        Ratings.read(path)


@pytest.mark.parametrize(
    ("times", "seconds"),
    [
        (["2024-01-01T00:00:00.000", "2024-01-01T00:00:01.500"], [1704067200, 1704067201]),
        (["2024-01-01T00:00:00Z", "2024-01-01T01:00:01+01:00"], [1704067200, 1704067201]),
        ([5, 6.5], [5, 6]),
    ],
)
def test_times_in_ndjson(tmp_path, times, seconds):
    """Dates with a zone or without, as pandas writes them, and seconds that turn to fractions."""
    records = [{"user": 1, "item": item, "rating": 3, "timestamp": time} for item, time in enumerate(times)]
    ratings = read(tmp_path, "\n".join(map(json.dumps, records)) + "\n")
    assert ratings.columns()["timestamp"].tolist() == seconds


@pytest.mark.parametrize("time", ["foo", True, "2024-01-01T00:00:00Z", [1]])
def test_bad_times_in_ndjson(tmp_path, time):
    """A time unlike the first is named with its line."""
    records = [
        {"user": 1, "item": item, "rating": 3, "timestamp": each} for item, each in enumerate(["2024-01-01", time])
    ]
    with pytest.raises(RatingsError, match="timestamp") as raised:
        read(tmp_path, "\n".join(map(json.dumps, records)) + "\n")
    assert raised.value.line == 2


def test_utf_16(tmp_path):
    """Text in UTF-16, as spreadsheets save it, is told as such."""
    with pytest.raises(RatingsError, match="UTF-16"):
        read(tmp_path, (HEAD + "1,2,3\n").encode("utf-16"))


def test_a_decimal_comma_is_told(tmp_path):
    """Who writes 4,5 for a rating is told what to write."""
    with pytest.raises(RatingsError, match="decimal point"):
        read(tmp_path, "user;item;rating\n1;2;4,5\n")


@pytest.mark.parametrize("line", ["1,2,3,1704103200000\n", "1,2,3,1e30\n"])
def test_milliseconds_are_not_seconds(tmp_path, line):
    """Times beyond the year 9999 are milliseconds, and refused with what to do."""
    with pytest.raises(RatingsError, match="year 9999") as raised:
        read(tmp_path, "user,item,rating,timestamp\n1,1,3,5\n" + line)
    assert raised.value.line == 3
    assert not read(tmp_path, "user,item,rating,timestamp\n1,1,3,5\n" + line, timestamp=False).timestamped


def test_archives_of_other_kinds(tmp_path):
    """What must be unpacked first is told as such."""
    for magic in (b"PK\x03\x04", b"\xfd7zXZ\0"):
        with pytest.raises(RatingsError, match="unpack it first"):
            read(tmp_path, magic + bytes(100))


def test_frames_with_mixed_columns():
    """A column of several types is named, with the first row that differs."""
    for frame in (
        {"user_id": [1, "a"], "item_id": [1, 2], "rating": [3, 4]},
        pd.DataFrame({"user_id": [1, "a"], "item_id": [1, 2], "rating": [3, 4]}),
    ):
        with pytest.raises(RatingsError, match="'user_id' holds int and str") as raised:
            Ratings.from_frame(frame)
        assert raised.value.row == 1


def test_a_saved_file_is_named(tmp_path):
    """What a saved file holds beyond what is declared of it is an error that names the file."""
    path = tmp_path / "saved"
    Ratings.of([1, 2], [1, 2], [3, 4]).save(path)
    for declared in ({"scale": (4, 5)}, {"users": [1]}):
        with pytest.raises(RatingsError) as raised:
            Ratings.read(path, **declared)
        assert raised.value.file == str(path)


@pytest.mark.parametrize("line", ["null", "5", "[]", '"x"', "true", "{}"])
def test_lines_of_ndjson_that_are_no_object(tmp_path, monkeypatch, line):
    """A line that is JSON and no object with the fields is refused, wherever a piece begins."""
    content = '{"user":1,"item":2,"rating":3}\n' + line + "\n"
    for piece in (8, 20, 1 << 20):
        monkeypatch.setattr(textfile.TextFile.pieces, "__defaults__", (piece,))
        with pytest.raises(RatingsError) as raised:
            read(tmp_path, content)
        assert raised.value.line == 2


@pytest.mark.parametrize(
    "content",
    [
        'user,item,rating,n1,n2\n1,2,3,5" disc,"open\n9,9,5,a,b"\n2,3,4,a,b\n',
        'user,item,rating\nx"y,"z\nw",5\n',
        'user,item,rating\n"x"y,"z\nw",5\n',
    ],
)
def test_quotes_that_go_on_however_they_are_hidden(tmp_path, monkeypatch, content):
    """A field that goes on over lines is refused, whatever other quotation marks stand in its line."""
    for piece in (5, 20, 1 << 20):
        monkeypatch.setattr(textfile.TextFile.pieces, "__defaults__", (piece,))
        with pytest.raises(RatingsError) as raised:
            read(tmp_path, content)
        assert raised.value.line in (2, 3)


def test_times_in_the_hour_that_is_repeated():
    """A time is a point in UTC, in the hour too that a zone has twice."""
    time = pd.to_datetime(["2023-10-29 00:30", "1969-12-31 23:59:59.5"], utc=True, format="ISO8601").tz_convert(
        "Europe/Berlin"
    )
    frame = pd.DataFrame({"user": [1, 2], "item": [1, 1], "rating": [3.0, 4.0], "timestamp": time})
    assert Ratings.from_frame(frame).columns()["timestamp"].tolist() == [1698539400, -1]


@pytest.mark.parametrize("time", ["2020-01-01", "5.5"])
def test_one_line_without_an_end(tmp_path, time):
    """The last line is looked at before reading too: it may be the only one."""
    assert read(tmp_path, f"user,item,rating,timestamp\n1,2,3,{time}").timestamped


def test_blanks_at_the_end_and_very_many_of_them(tmp_path):
    """A last line of blanks holds nothing, and a run of blanks takes no longer than its length."""
    assert len(read(tmp_path, "1 2 3\n2 3 4\n ")) == 2
    assert len(read(tmp_path, "\t1 2  3 \r\n2" + " \t" * 500_000 + "3 4\n")) == 2


def test_times_spelt_as_text_in_ndjson(tmp_path):
    """Seconds may be spelt as text, if all are."""
    records = [
        {"user": 1, "item": item, "rating": 3, "timestamp": time} for item, time in enumerate(["881250949", "7"])
    ]
    assert read(tmp_path, "\n".join(map(json.dumps, records))).columns()["timestamp"].tolist() == [881250949, 7]
    records.append({"user": 1, "item": 9, "rating": 3, "timestamp": 8})
    with pytest.raises(RatingsError, match="timestamp") as raised:
        read(tmp_path, "\n".join(map(json.dumps, records)))
    assert raised.value.line == 3


def test_the_smallest_id_of_ndjson(tmp_path):
    """The smallest whole number of 64 bits is an id like others."""
    good = f'{{"user":{-(2**63)},"item":2,"rating":3}}\n'
    assert list(read(tmp_path, good).users) == [-(2**63)]
    with pytest.raises(RatingsError) as raised:
        read(tmp_path, good + '{"user":1,"item":2,"rating":"x"}\n')
    assert raised.value.line == 2


def test_a_nul_that_is_escaped(tmp_path):
    """A NUL in an id is refused in NDJSON too, where it may come in disguise."""
    with pytest.raises(RatingsError, match="NUL") as raised:
        read(tmp_path, '{"user":"ann","item":"x","rating":3}\n{"user":"a\\u0000b","item":"x","rating":3}\n')
    assert raised.value.line == 2


def test_negative_zeros_of_files(tmp_path):
    """A rating of -0 is a 0."""
    assert read(tmp_path, HEAD + "1,2,-0\n1,3,5\n").snapshot == read(tmp_path, HEAD + "1,2,0\n1,3,5\n").snapshot


def test_dates_without_hyphens(tmp_path):
    """Dates written 20240131 are no seconds, of which all would lie in one month of 1970."""
    with pytest.raises(RatingsError, match="20240131 is neither"):
        Ratings.from_frame({"user": [1, 2], "item": [1, 1], "rating": [3, 4], "date": [20240131, 20231224]})
    with pytest.raises(RatingsError, match="20240131 is neither") as raised:
        read(tmp_path, "user,item,rating,date\n1,2,3,20240131\n1,3,3,20231224\n")
    assert raised.value.line == 2
    assert read(tmp_path, "user,item,rating,time\n1,2,3,20240131\n1,3,3,20240199\n").timestamped
