"""A made-up shop has exactly what was asked for, and always the same."""

from pathlib import Path

import numpy as np
import pytest

from privet.arrays import IntArray
from privet.errors import ParameterError, StoreError
from privet.lab.synthetic import Shop, synthetic
from privet.lab.synthetic.naming import invented
from privet.ratings import Catalogue, Ratings

SHAPES = [
    (1, 1, 0),
    (1, 1, 1),
    (5, 3, 2),
    (40, 30, 40 * 30),
    (40, 30, 40 * 30 - 1),
    (300, 7, 1_900),
    (3, 4_000, 9_000),
    (943, 1_682, 100_000),
    (2_500, 900, 250_001),
]


def columns(shop: Shop) -> tuple[IntArray, ...]:
    return tuple(np.concatenate(parts) for parts in zip(*shop.blocks(), strict=True))


@pytest.mark.parametrize(("users", "items", "ratings"), SHAPES)
def test_the_numbers_are_exact(users: int, items: int, ratings: int) -> None:
    """So many ratings, no pair twice, ids and values in range, users in order and each in order of time."""
    user, item, value, time = columns(synthetic(users, items, ratings, seed=3))
    assert len(user) == len(item) == len(value) == len(time) == ratings
    assert len(np.unique(user * (items + 1) + item)) == ratings
    if ratings:
        assert 1 <= user.min() <= user.max() <= users
        assert 1 <= item.min() <= item.max() <= items
        assert set(np.unique(value)) <= {1, 2, 3, 4, 5}
    assert np.all((np.diff(user) > 0) | ((np.diff(user) == 0) & (np.diff(time) > 0)))


def test_everybody_rates_something() -> None:
    """The idlest user has at least a fifth of the mean, where there are ratings enough."""
    user, *_ = columns(synthetic(500, 300, 20_000, seed=1))
    assert np.bincount(user)[1:].min() >= 20_000 // 500 // 5
    user, *_ = columns(synthetic(500, 300, 500, seed=1))
    assert np.all(np.bincount(user)[1:] == 1)


def test_a_seed_means_one_shop() -> None:
    """The same seed gives the same shop, another seed another one; a large one comes in several blocks."""
    one, same, other = (columns(synthetic(300, 200, 9_000, seed=seed)) for seed in (5, 5, 6))
    assert all(np.array_equal(a, b) for a, b in zip(one, same, strict=True))
    assert not np.array_equal(one[1], other[1])
    shop = synthetic(3_000, 400, 350_000, seed=5)
    assert len(list(shop.blocks())) > 2
    assert sum(len(block[0]) for block in shop.blocks()) == 350_000


def test_a_seed_means_the_same_shop_in_every_release() -> None:
    """The first ratings of one shop, as they were when it was first made up."""
    user, item, value, time = columns(synthetic(4, 6, 12, seed=1))
    assert list(zip(user.tolist(), item.tolist(), value.tolist(), time.tolist(), strict=True))[:3] == [
        (1, 6, 4, 1670158828),
        (1, 1, 5, 1670158978),
        (1, 2, 1, 1670159112),
    ]


def test_ratings_declare_everybody() -> None:
    """Users and items without ratings are in the registries, and the scale is declared."""
    ratings = synthetic(50, 400, 300, seed=2).ratings()
    assert (len(ratings.users), len(ratings.items), len(ratings)) == (50, 400, 300)
    assert ratings.scale == (1.0, 5.0)
    assert ratings.declared == {"users", "items", "scale"}
    assert ratings.source is None


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_what_is_written_reads_back(suffix: str, tmp_path: Path) -> None:
    """The file holds the same ratings, the catalogue beside it the same titles."""
    shop = synthetic(60, 40, 700, seed=4, tastes=30)
    seen: list[tuple[int, int]] = []
    path = tmp_path / f"shop{suffix}"
    beside = shop.write(path, progress=lambda what, done, total: seen.append((done, total)))
    assert beside == tmp_path / f"shop.items{suffix}"
    assert seen == [(700, 700)]
    header, first = path.read_text().splitlines()[:2]
    assert header.replace("\t", ",") == "user_id,item_id,rating,timestamp"
    assert first.count("," if suffix == ".csv" else "\t") == 3
    read = Ratings.read(path, users=range(1, 61), items=range(1, 41), scale=(1, 5))
    assert read == shop.ratings()
    assert dict(Catalogue.read(beside).titles) == dict(shop.catalogue().titles)
    assert dict(Catalogue.read(beside).categories) == dict(shop.catalogue().categories)
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted([path.name, beside.name])


def test_a_file_of_old_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    """An interrupt while writing leaves what was there."""

    def interrupt(what: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "shop.csv"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt):
        synthetic(60, 40, 700, seed=4).write(path, progress=interrupt)
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["shop.csv"]


def test_titles_are_all_different() -> None:
    """Every item has a word of its own and one or two categories, also where three syllables do not suffice."""
    catalogue = synthetic(1, 5_000, 0, seed=9).catalogue()
    assert len(set(catalogue.titles.values())) == 5_000
    assert {len(each) for each in catalogue.categories.values()} == {1, 2}
    for most in (1_000_001, 1_000_000):
        some = range(0, most, 997)
        assert len({invented(number, most) for number in some}) == len(some)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"users": 0}, "users must be a whole number of at least 1; got 0"),
        ({"items": -1}, "items must be a whole number of at least 1; got -1"),
        ({"ratings": -1}, "ratings must be a whole number of at least 0; got -1"),
        ({"tastes": 0}, "tastes must be a whole number of at least 1; got 0"),
        ({"seed": -1}, "seed must be a whole number of at least 0; got -1"),
        ({"ratings": 61}, "at most 60 ratings, one each; got ratings=61"),
    ],
)
def test_impossible_shops_are_refused(settings: dict[str, int], reason: str) -> None:
    """Each with the limit."""
    asked = {"users": 10, "items": 6, "ratings": 20, "seed": 1, "tastes": 8} | settings
    with pytest.raises(ParameterError, match=reason):
        synthetic(asked["users"], asked["items"], asked["ratings"], seed=asked["seed"], tastes=asked["tastes"])


def test_a_path_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    """Another suffix, or a folder that is not there."""
    shop = synthetic(2, 2, 2, seed=1)
    with pytest.raises(ParameterError, match=r"must end in \.csv or \.tsv; got 'shop\.xlsx'"):
        shop.write(tmp_path / "shop.xlsx")
    with pytest.raises(StoreError, match="must be writable"):
        shop.write(tmp_path / "nowhere" / "shop.csv")
