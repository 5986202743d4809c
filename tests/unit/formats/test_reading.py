"""What a file holds is told by its content, and ids come back exactly as they came."""

import bz2
import gzip
import os
import threading
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from privet.errors import ParameterError
from privet.ratings import Ratings

EXPECTED = {("ann", "tea"): 5.0, ("ann", "jam"): 3.0, ("bob", "tea"): 4.0}


def triples(ratings: Ratings) -> dict:
    columns = ratings.columns()
    keys = zip(columns["user_id"].tolist(), columns["item_id"].tolist(), strict=True)
    return dict(zip(keys, columns["rating"].tolist(), strict=True))


def written(tmp_path: Path, content: str | bytes, name: str = "ratings") -> Path:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


ROWS = [("user_id", "item_id", "rating"), ("ann", "tea", "5"), ("ann", "jam", "3.0"), ("bob", "tea", "4")]


@pytest.mark.parametrize("separator", [",", "\t", ";", "|", "::", " ", "   "])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_every_separator_ending_header_and_byte_order_mark(tmp_path, separator, ending, header, mark):
    """The separator, the line ends, a header and a byte order mark are told by content, whatever the file's name."""
    lines = [separator.join(row) for row in ROWS[0 if header else 1 :]]
    path = written(tmp_path, mark + (ending.join(lines) + ending).encode(), "ratings.xyz")
    assert triples(Ratings.read(path)) == EXPECTED


def test_a_last_line_without_an_end_and_blank_lines_between(tmp_path):
    """The last line needs no newline, and blank lines hold no rating."""
    path = written(tmp_path, "\nuser,item,rating\n\nann,tea,5\r\n\r\nann,jam,3\nbob,tea,4")
    assert triples(Ratings.read(path)) == EXPECTED


def test_movielens_u_data(tmp_path):
    """MovieLens' u.data has tabs, whole numbers, no header and times."""
    ratings = Ratings.read(str(written(tmp_path, "196\t242\t3\t881250949\n186\t302\t3\t891717742\n", "u.data")))
    assert triples(ratings) == {(196, 242): 3.0, (186, 302): 3.0}
    assert ratings.columns()["timestamp"].tolist() == [891717742, 881250949]


def test_movielens_ratings_dat(tmp_path):
    """MovieLens' ratings.dat is separated by ::."""
    assert triples(Ratings.read(written(tmp_path, "1::1193::5::978300760\n"))) == {(1, 1193): 5.0}


@pytest.mark.parametrize(
    "header",
    [
        "user_id,item_id,rating",
        "userId,movieId,rating",
        "userID,itemID,weight",
        "user,item,score",
        "User-ID,ISBN,Book-Rating",
        "user_id:token,item_id:token,rating:float",
        "reviewerID,asin,overall",
    ],
)
def test_usual_spellings(tmp_path, header):
    """Columns are recognised in their usual spellings."""
    assert triples(Ratings.read(written(tmp_path, f"{header}\nann,tea,5\nann,jam,3\nbob,tea,4\n"))) == EXPECTED


def test_columns_by_name_and_by_position(tmp_path):
    """Columns may be said, by name where there is a header and by position from 0 with or without one."""
    path = written(tmp_path, "mark,who,what\n5,ann,tea\n3,ann,jam\n4,bob,tea\n")
    assert triples(Ratings.read(path, user="who", item="what", rating="mark")) == EXPECTED
    assert triples(Ratings.read(path, user=1, item=2, rating=0)) == EXPECTED
    bare = written(tmp_path, "5,ann,tea\n3,ann,jam\n4,bob,tea\n", "bare")
    assert triples(Ratings.read(bare, user=1, item=2, rating=0)) == EXPECTED


def test_the_order_of_columns_and_strange_ones_do_not_matter(tmp_path):
    """Columns that are not needed are passed over."""
    path = written(tmp_path, "title,rating,item,user\nTea,5,tea,ann\nJam,3,jam,ann\nTea,4,tea,bob\n")
    assert triples(Ratings.read(path)) == EXPECTED


def test_quoted_ids(tmp_path):
    """Ids may hold separators, quotation marks and letters of any alphabet."""
    path = written(tmp_path, 'user,item,rating\nann,"tea, ""green""",5\nбоб,抹茶,4\n')
    assert triples(Ratings.read(path)) == {("ann", 'tea, "green"'): 5.0, ("боб", "抹茶"): 4.0}


def test_a_quotation_mark_in_tsv_is_a_letter(tmp_path):
    """Between tabs nothing is quoted: a title may begin with a quotation mark."""
    path = written(tmp_path, 'user\titem\trating\nann\t"Tea" for two\t5\n')
    assert triples(Ratings.read(path)) == {("ann", '"Tea" for two'): 5.0}


@pytest.mark.parametrize("odd", ["007", "true", "2024-01-01", "nan", "null", "NA", "1e3", "+1", "-0", "1.0", "9" * 19])
def test_ids_that_look_like_something_else_come_back_as_they_came(tmp_path, odd):
    """Nothing is a number, a truth value, a date or a null unless every id of the column is a plain whole number."""
    path = written(tmp_path, f"user,item,rating\n1,{odd},5\n{odd},2,3\n")
    ratings = Ratings.read(path)
    assert sorted(map(str, ratings.users)) == sorted(["1", odd])
    assert odd in ratings.users
    assert odd in ratings.items
    assert ratings.users.id(ratings.users.row("1")) == "1"


def test_whole_numbers_are_numbers(tmp_path):
    """Ids are whole numbers where every one is spelt as one, negative ones and large ones too."""
    ratings = Ratings.read(written(tmp_path, f"user,item,rating\n-3,0,5\n{2**63 - 1},10,3\n"))
    assert list(ratings.users) == [-3, 2**63 - 1]
    assert list(ratings.items) == [0, 10]


def test_ids_that_turn_from_digits_to_letters_late(tmp_path):
    """An id of letters in row 2,000,000 makes the column text from its first row on."""
    count = 2_000_000
    lines = "".join(f"{row % 5000},{row // 5000},3\n" for row in range(count))
    ratings = Ratings.read(written(tmp_path, f"user,item,rating\n{lines}zed,1,4\n"))
    assert len(ratings) == count + 1
    assert {type(id) for id in ratings.users} == {str}
    assert ratings.profile(ratings.users.row("zed")).values.tolist() == [4.0]
    assert "17" in ratings.users
    assert 17 not in ratings.users
    assert list(ratings.items)[:3] == [0, 1, 2]


def test_unary_feedback(tmp_path):
    """Without a column of ratings each is 1.0, on a scale of 0 to 1 that holds by definition."""
    ratings = Ratings.read(written(tmp_path, "user,item\nann,tea\nbob,jam\n"))
    assert triples(ratings) == {("ann", "tea"): 1.0, ("bob", "jam"): 1.0}
    assert ratings.scale == (0.0, 1.0)
    assert "scale" in ratings.declared


def test_a_column_left_out(tmp_path):
    """rating=False and timestamp=False leave a column out."""
    path = written(tmp_path, "user,item,rating,timestamp\nann,tea,5,100\n")
    ratings = Ratings.read(path, rating=False, timestamp=False)
    assert triples(ratings) == {("ann", "tea"): 1.0}
    assert not ratings.timestamped


@pytest.mark.parametrize(
    ("time", "seconds"),
    [
        ("1700000000", 1700000000),
        ("1700000000.9", 1700000000),
        ("-5", -5),
        ("2024-01-01", 1704067200),
        ("2024-01-01 00:00:01", 1704067201),
        ("2024-01-01T00:00:01", 1704067201),
        ("2024-01-01T00:00:01Z", 1704067201),
        ("2024-01-01T02:00:01+02:00", 1704067201),
        ("2024-01-01T00:00:01.75", 1704067201),
    ],
)
def test_times(tmp_path, time, seconds):
    """Times are whole seconds, whether they come as numbers or as dates."""
    ratings = Ratings.read(written(tmp_path, f"user,item,rating,timestamp\nann,tea,5,{time}\n"))
    assert ratings.columns()["timestamp"].tolist() == [seconds]


def test_times_that_turn_to_fractions(tmp_path):
    """A fraction of a second after whole seconds is floored like any other."""
    lines = "".join(f"ann,{item},5,{item}\n" for item in range(50))
    ratings = Ratings.read(written(tmp_path, f"user,item,rating,timestamp\n{lines}ann,50,5,50.5\n"))
    assert ratings.columns()["timestamp"].tolist() == list(range(51))


def test_ndjson(tmp_path):
    """NDJSON keeps the types of its ids, and passes over what it does not need."""
    path = written(
        tmp_path,
        '{"user": "7", "item": 3, "rating": 5, "at": [1]}\n\n{"rating": 3.5, "item": 4, "user": "8", "timestamp": 9}\n',
    )
    assert triples(Ratings.read(path)) == {("7", 3): 5.0, ("8", 4): 3.5}


def test_ndjson_dates(tmp_path):
    """NDJSON's times may be dates, and its ids may look like dates."""
    path = written(tmp_path, '{"user":"2024-01-01","item":"a","rating":1,"timestamp":"2024-01-01T00:00:01Z"}\n')
    ratings = Ratings.read(path)
    assert list(ratings.users) == ["2024-01-01"]
    assert ratings.columns()["timestamp"].tolist() == [1704067201]


@pytest.mark.parametrize(
    "kind", [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())]
)
def test_parquet_text(tmp_path, kind):
    """Parquet files keep the types of their ids, whichever of Arrow's texts they are."""
    plain = pa.array(["007", "ann", "007"])
    users = plain.dictionary_encode().cast(kind) if pa.types.is_dictionary(kind) else plain.cast(kind)
    table = pa.table({"user": users, "item": pa.array([1, 2, 3], pa.int16()), "rating": [5, 3, 4]})
    path = tmp_path / "ratings"
    pq.write_table(table, path)
    assert triples(Ratings.read(path)) == {("007", 1): 5.0, ("ann", 2): 3.0, ("007", 3): 4.0}


def test_parquet_times(tmp_path):
    """Parquet's times may be of any unit and in any zone; seconds are floored, before 1970 too."""
    stamps = pa.array([-1, 1_704_067_201_750_000], pa.timestamp("us", "UTC"))
    pq.write_table(pa.table({"user": [1, 2], "item": [1, 2], "rating": [5, 3], "time": stamps}), tmp_path / "r")
    assert Ratings.read(tmp_path / "r").columns()["timestamp"].tolist() == [-1, 1704067201]


@pytest.mark.parametrize("squeeze", [gzip.compress, bz2.compress])
def test_compressed(tmp_path, squeeze):
    """Compressed files are told by their first bytes."""
    text = "user,item,rating\nann,tea,5\nann,jam,3\nbob,tea,4\n"
    assert triples(Ratings.read(written(tmp_path, squeeze(text.encode())))) == EXPECTED


def test_a_pipe(tmp_path):
    """What can be read only once is copied and read."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text("user,item,rating\nann,tea,5\nann,jam,3\nbob,tea,4\n"))
    writer.start()
    assert triples(Ratings.read(pipe)) == EXPECTED
    writer.join()


def test_registries_and_scale_are_declared(tmp_path):
    """Declared registries keep who and what has no rating, in their order; a text registry keeps digits as text."""
    path = written(tmp_path, "user,item,rating\n2,10,5\n1,11,3\n")
    ratings = Ratings.read(path, users=["2", "1", "0"], items=[12, 11, 10], scale=(1, 5))
    assert list(ratings.users) == ["2", "1", "0"]
    assert list(ratings.items) == [12, 11, 10]
    assert ratings.declared == {"users", "items", "scale"}
    assert triples(ratings) == {("2", 10): 5.0, ("1", 11): 3.0}
    assert len(ratings.profile(2)) == 0


@pytest.mark.parametrize(("duplicates", "kept"), [("last", 4.0), ("first", 5.0), ("mean", 4.0)])
def test_duplicates(tmp_path, duplicates, kept):
    """A pair rated again: the last line, the first one, or the mean of all, as it is said."""
    path = written(tmp_path, "user,item,rating\nann,tea,5\nbob,tea,1\nann,tea,3\nann,tea,4\n")
    assert triples(Ratings.read(path, duplicates=duplicates)) == {("ann", "tea"): kept, ("bob", "tea"): 1.0}


def test_duplicates_across_pieces_are_in_the_order_of_their_lines(tmp_path):
    """The last of many is the last by line, however the file is cut."""
    lines = [f"{row % 1000},{row % 7},{1 + row % 5}\n" for row in range(1_500_000)]
    ratings = Ratings.read(written(tmp_path, "user,item,rating\n" + "".join(lines)), duplicates="last")
    last = {(row % 1000, row % 7): float(1 + row % 5) for row in range(1_500_000)}
    assert triples(ratings) == last


def test_a_setting_that_is_none(tmp_path):
    """What is no way to treat duplicates, no scale and no name of a column is a ParameterError."""
    path = written(tmp_path, "user,item,rating\nann,tea,5\n")
    for wrong in (
        {"duplicates": "merge"},
        {"scale": (5, 1)},
        {"scale": 5},
        {"scale": (1, float("inf"))},
        {"user": True},
    ):
        with pytest.raises(ParameterError):
            Ratings.read(path, **wrong)


def test_progress_is_told(tmp_path):
    """Who asks is told how far the reading is."""
    told = []
    Ratings.read(written(tmp_path, "user,item,rating\nann,tea,5\n"), progress=lambda *step: told.append(step))
    assert told[-1][0] == "reading"
    assert told[-1][1] == told[-1][2]
