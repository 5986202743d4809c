"""Ratings come back as they went in, whichever way they take."""

import json
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import given, settings
from hypothesis import strategies as st

from privet.ratings import Ratings
from privet.testing import strategies as shapes

QUICK = settings(max_examples=60)


def as_rows(columns: dict) -> dict:
    times = columns.get("timestamp")
    times = [None] * len(columns["user_id"]) if times is None else list(times)
    return {
        (user, item): (value, time)
        for user, item, value, time in zip(
            columns["user_id"], columns["item_id"], columns["rating"], times, strict=True
        )
    }


def plain(ratings: Ratings) -> dict:
    return {name: column.tolist() for name, column in ratings.columns().items()}


def wider_types(columns: dict) -> dict:
    return {
        name: pa.array(column, pa.int64() if column and isinstance(column[0], int) else None)
        for name, column in columns.items()
    }


@QUICK
@given(shapes.rating_columns(least=0))
def test_what_goes_in_comes_out(columns):
    """The columns of ratings are the columns they were made of, types of ids and times included."""
    ratings = shapes.of_columns(columns)
    assert as_rows(plain(ratings)) == as_rows(columns)
    assert len(ratings) == len(columns["user_id"])
    for id in columns["user_id"]:
        found = ratings.users.id(ratings.users.row(id))
        assert (type(found), found) == (type(id), id)


@QUICK
@given(shapes.ratings(least=0))
def test_both_orders_tell_the_same(ratings):
    """By user and by item stand the same ratings, each ascending, and the means are theirs."""
    by_user = {
        (user, int(item)): value
        for user in range(len(ratings.users))
        for item, value in zip(ratings.profile(user).items, ratings.profile(user).values, strict=True)
    }
    by_item = {
        (int(user), item): value
        for item in range(len(ratings.items))
        for user, value in zip(*ratings.raters(item), strict=True)
    }
    assert by_user == by_item
    for user in range(len(ratings.users)):
        profile = ratings.profile(user)
        assert np.all(np.diff(profile.items) > 0)
        expected = np.mean(profile.values) if len(profile) else np.nan
        assert np.isclose(ratings.user_mean(user), expected, equal_nan=True)


@QUICK
@given(shapes.ratings(least=0), st.randoms())
def test_the_order_of_the_rows_does_not_matter(ratings, random):
    """Shuffled columns give equal ratings with an equal snapshot."""
    columns = plain(ratings)
    places = list(range(len(ratings)))
    random.shuffle(places)
    again = Ratings.of(
        [columns["user_id"][place] for place in places],
        [columns["item_id"][place] for place in places],
        [columns["rating"][place] for place in places],
        timestamps=None if "timestamp" not in columns else [columns["timestamp"][place] for place in places],
        users=ratings.users,
        items=ratings.items,
        scale=ratings.scale,
    )
    assert again.cells == ratings.cells
    assert again.snapshot == ratings.snapshot


@QUICK
@given(shapes.ratings(least=0), st.sampled_from([None, "ml-100k"]))
def test_save_and_open(ratings, source):
    """What is opened equals what was saved, and is the same snapshot."""
    ratings = ratings.named(source)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "saved"
        ratings.save(path)
        found = Ratings.open(path, verify=True)
        assert found == ratings
        assert found.snapshot == ratings.snapshot
        assert Ratings.read(path) == ratings
        assert list(Path(folder).iterdir()) == [path]
        found.save(path)  # over the file that is mapped
        assert Ratings.open(path, verify=True) == ratings


@QUICK
@given(shapes.rating_columns())
def test_frames(columns):
    """Frames of pandas, polars and Arrow, and mappings, give what the columns give."""
    expected = shapes.of_columns(columns)
    arrow = pa.table(wider_types(columns))
    dtypes = {name: "int64" for name, column in columns.items() if isinstance(column[0], int)}
    frames = [
        arrow,
        pl.from_arrow(arrow),
        pd.DataFrame(columns).astype(dtypes),
        {name: column.to_numpy(zero_copy_only=False) for name, column in wider_types(columns).items()},
        expected.columns(),
    ]
    for frame in frames:
        assert Ratings.from_frame(frame) == expected


@QUICK
@given(shapes.rating_columns())
def test_parquet_and_ndjson(columns):
    """Typed files give what the columns give."""
    expected = shapes.of_columns(columns)
    with tempfile.TemporaryDirectory() as folder:
        parquet, ndjson = Path(folder) / "a", Path(folder) / "b"
        pq.write_table(pa.table(wider_types(columns)), parquet)
        assert Ratings.read(parquet) == expected
        names = list(columns)
        lines = [json.dumps(dict(zip(names, row, strict=True))) for row in zip(*columns.values(), strict=True)]
        ndjson.write_text("\n".join(lines) + "\n")
        assert Ratings.read(ndjson) == expected


@settings(max_examples=150)
@given(st.data())
def test_updated_equals_rebuilt(data):
    """Ratings after a change equal ratings made of the changed columns, and the old ones are as they were."""
    ratings = data.draw(shapes.ratings(least=0))
    before = plain(ratings)
    rows = as_rows(before)
    users, items = ratings.users.ids(), ratings.items.ids()
    numbers = {True: shapes.NUMBER_IDS, False: shapes.TEXT_IDS}
    new_user = numbers[ratings.users.of_numbers] | st.sampled_from(users or [0])
    new_item = numbers[ratings.items.of_numbers] | st.sampled_from(items or [0])
    pair = st.tuples(new_user, new_item) if users and items else st.nothing()
    written = data.draw(st.lists(pair, max_size=8, unique=True)) if users and items else []
    known = [(user, item) for user in users for item in items if (user, item) not in written]
    erased = data.draw(st.lists(st.sampled_from(known), max_size=8)) if known else []
    values = data.draw(st.lists(shapes.ON_GRID | shapes.OFF_GRID, min_size=len(written), max_size=len(written)))
    times = [index * 7 for index in range(len(written))] if ratings.timestamped else None

    upserts = ([user for user, _ in written], [item for _, item in written], values)
    changed = ratings.updated(
        upserts=(*upserts, times) if times is not None else upserts,
        deletes=([user for user, _ in erased], [item for _, item in erased]),
    )

    for place, key in enumerate(written):
        rows[key] = (values[place], None if times is None else times[place])
    for key in erased:
        rows.pop(key, None)
    assert as_rows(plain(changed)) == rows
    assert changed.users.ids()[: len(users)] == users
    assert changed.items.ids()[: len(items)] == items
    rebuilt = Ratings.of(
        [user for user, _ in rows],
        [item for _, item in rows],
        [value for value, _ in rows.values()],
        timestamps=[time for _, time in rows.values()] if ratings.timestamped else None,
        users=changed.users,
        items=changed.items,
        scale=changed.scale if changed.scale_declared else None,
    )
    assert rebuilt == changed
    assert rebuilt.snapshot == changed.snapshot
    assert plain(rebuilt.transposed()) == plain(changed.transposed())
    assert plain(ratings) == before


@QUICK
@given(shapes.ratings(), st.data())
def test_subset_and_keeping(ratings, data):
    """A subset holds the ratings of its users and items, and keeping holds those of its mask."""
    users = data.draw(st.lists(st.integers(0, len(ratings.users) - 1), unique=True))
    items = data.draw(st.lists(st.integers(0, len(ratings.items) - 1), unique=True))
    part = ratings.subset(users=users, items=items)
    user_ids, item_ids = {ratings.users.id(row) for row in users}, {ratings.items.id(row) for row in items}
    expected = {
        key: value for key, value in as_rows(plain(ratings)).items() if key[0] in user_ids and key[1] in item_ids
    }
    assert as_rows(plain(part)) == expected
    assert part.users.ids() == [ratings.users.id(row) for row in users]
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=len(ratings), max_size=len(ratings))), bool)
    kept = ratings.keeping(mask)
    columns = plain(ratings)
    assert plain(kept) == {
        name: [v for v, keep in zip(column, mask, strict=True) if keep] for name, column in columns.items()
    }
    assert kept.users is ratings.users


@QUICK
@given(shapes.ratings())
def test_twice_transposed(ratings):
    """Items as users and back again is where one began."""
    assert ratings.transposed().transposed() == ratings
