"""Titles and categories, from our own files and from MovieLens'."""

import pytest

from privet.errors import RatingsError
from privet.ratings import Catalogue


def read(tmp_path, content: str, encoding: str = "utf-8") -> Catalogue:
    path = tmp_path / "items"
    path.write_bytes(content.encode(encoding))
    return Catalogue.read(path)


def test_csv(tmp_path):
    """CSV with item_id, title and categories, parted by |."""
    found = read(tmp_path, 'item_id,title,categories\n1,"Tea, green",drinks|warm\n2,Jam,\n')
    assert found.title(1) == "Tea, green"
    assert found.categories[1] == ("drinks", "warm")
    assert 2 not in found.categories
    assert found.title(3) is None
    assert len(found) == 2


def test_tsv_with_text_ids(tmp_path):
    """Ids that are not all whole numbers are text."""
    found = read(tmp_path, "\ufeffitem_id\ttitle\r\n007\tBond\r\nx\tUnknown\r\n")
    assert found.title("007") == "Bond"


def test_movielens_movies_csv(tmp_path):
    """movies.csv of the newer MovieLens sets."""
    found = read(
        tmp_path, 'movieId,title,genres\n1,"American President, The (1995)",Comedy|Drama\n2,X,(no genres listed)\n'
    )
    assert found.title(1) == "American President, The (1995)"
    assert found.categories[1] == ("Comedy", "Drama")
    assert 2 not in found.categories


def test_movielens_movies_dat(tmp_path):
    """movies.dat of MovieLens 1M, in Latin-1."""
    found = read(tmp_path, "1::Misérables, Les (1995)::Drama|Musical\n", "latin-1")
    assert found.title(1) == "Misérables, Les (1995)"
    assert found.categories[1] == ("Drama", "Musical")


def test_movielens_u_item(tmp_path):
    """u.item of MovieLens 100K, whose genres are flags."""
    flags = ["0"] * 19
    flags[1] = flags[5] = "1"
    found = read(tmp_path, "|".join(["1", "Café (1995)", "01-Jan-1995", "", "http://x", *flags]) + "\n", "latin-1")
    assert found.title(1) == "Café (1995)"
    assert found.categories[1] == ("Action", "Comedy")


def test_recbole_item_file(tmp_path):
    """RecBole's .item files name types in their header."""
    found = read(
        tmp_path,
        "item_id:token\tmovie_title:token_seq\tclass:token_seq\n1\tToy Story\tAnimation Comedy\n",
    )
    assert found.title(1) == "Toy Story"
    assert found.categories[1] == ("Animation", "Comedy")


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        ("", None, "empty"),
        ("id_of_thing,name_of_thing\n1,2\n", 1, "need the columns"),
        ("item_id,title\n1,a\n2\n", 3, "1 fields"),
        ("item_id,title\n,a\n", 2, "blank"),
        ("item_id,title\n7,a\n7,b\n", 3, "first in line 2"),
    ],
)
def test_bad_catalogues(tmp_path, content, line, reason):
    """A catalogue that cannot be read says where and why."""
    with pytest.raises(RatingsError, match=reason) as raised:
        read(tmp_path, content)
    assert raised.value.line == line


def test_no_catalogue(tmp_path):
    """A file that is not there."""
    with pytest.raises(RatingsError, match="No such file"):
        Catalogue.read(tmp_path / "none")


def test_titles_with_newlines_and_strange_separators(tmp_path):
    """A quoted title may go on over lines, :: may stand in a title, and only a newline ends a line."""
    found = read(tmp_path, 'item_id,title\n1,"Tea\nfor two"\n2,A\x0cB\u2028C\n')
    assert found.titles == {1: "Tea\nfor two", 2: "A\x0cB\u2028C"}
    assert read(tmp_path, "1::Toy:: x::A|B\n").titles == {1: "Toy:: x"}
    with pytest.raises(RatingsError, match="no CSV") as raised:
        read(tmp_path, 'item_id,title\n1,a\n2,"b\n')
    assert raised.value.line == 3


def test_titles_across_kinds_of_ids():
    """Where a shop's ids are text and a catalogue's whole numbers, or the other way round, titles are found."""
    assert Catalogue({1: "One"}).title("1") == "One"
    assert Catalogue({"1": "One"}).title(1) == "One"
    assert Catalogue({1: "One"}).title("01") is None
