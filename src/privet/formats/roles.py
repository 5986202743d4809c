"""Roles: which column holds the users, the items, the ratings and the times."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from privet.errors import ParameterError

ColumnName: TypeAlias = str | int  # a name, or a position counted from 0

# In order of preference, lower case and without `_`, `-`, `.` and blanks.
_SPELLINGS = {
    "user": [
        "userid",
        "user",
        "uid",
        "users",
        "customerid",
        "customer",
        "clientid",
        "client",
        "visitorid",
        "visitor",
        "reviewerid",
        "reviewer",
        "memberid",
        "member",
        "personid",
        "person",
        "accountid",
        "account",
    ],
    "item": [
        "itemid",
        "item",
        "iid",
        "items",
        "movieid",
        "movie",
        "filmid",
        "film",
        "productid",
        "product",
        "bookid",
        "book",
        "isbn",
        "asin",
        "articleid",
        "article",
        "songid",
        "song",
        "trackid",
        "track",
        "artistid",
        "artist",
        "businessid",
        "business",
        "gameid",
        "game",
    ],
    "rating": [
        "rating",
        "ratings",
        "weight",
        "score",
        "stars",
        "value",
        "overall",
        "bookrating",
        "preference",
    ],
    "timestamp": [
        "timestamp",
        "datetime",
        "time",
        "ts",
        "date",
        "unixreviewtime",
        "unixtime",
        "createdat",
        "ratedat",
    ],
}
_TYPE_SUFFIX = re.compile(r":(token|float|token_seq|float_seq)$")  # RecBole's atomic files
_FILLING = re.compile(r"[\s_.\-]+")


@dataclass(frozen=True)
class Naming:
    """What the caller says of the columns; what is None is guessed, and `rating=False` says that there is none."""

    user: ColumnName | None = None
    item: ColumnName | None = None
    rating: ColumnName | bool | None = None
    timestamp: ColumnName | bool | None = None

    def __post_init__(self) -> None:
        """Refuse what names no column."""
        for role, given in vars(self).items():
            if given is True or (given is False and role in ("user", "item")):
                raise ParameterError(
                    f"{role} must name a column, or give its position from 0; got {given}.",
                    name=role,
                    got=given,
                )

    @property
    def by_name(self) -> bool:
        """Whether a column is named, so that there must be a header."""
        return any(isinstance(given, str) for given in vars(self).values())

    @property
    def by_position(self) -> bool:
        """Whether users and items are given as positions, so that no header is needed."""
        return isinstance(self.user, int) and isinstance(self.item, int)


class Roles(NamedTuple):
    """The positions of the columns; None where there is no such column."""

    user: int
    item: int
    rating: int | None
    timestamp: int | None

    def positions(self) -> dict[str, int]:
        """Role -> position of the columns that are there."""
        return {role: place for role, place in self._asdict().items() if place is not None}


class NoSuchColumn(Exception):
    """The columns cannot be told apart, with the reason."""


def header_of(first: Sequence[str], naming: Naming) -> bool:
    """Whether the first line names the columns. It is no header where a field of it must be, and is, a number."""
    if naming.by_name or _usual_names(first) == 2:
        return True
    numbers = any(_is_number(field) for field in first)
    if numbers or _usual_names(first) == 1:
        return not numbers
    if naming.by_position:
        roles = roles_by_position(first, naming)
        return roles.rating is not None
    if len(first) == 2 and naming.rating is None:
        raise NoSuchColumn(
            "the first line may be a header or a pair of ids; name the columns with user= and item=, by name if it is a"
            " header and by position from 0 if not"
        )
    raise NoSuchColumn(
        "the first line is neither a header that names users and items in a usual way nor a rating; name the columns"
        " with user=, item= and rating="
    )


def roles_of(names: Sequence[str], naming: Naming) -> Roles:
    """The columns by their names, as the caller says or as they are usually spelt."""
    found: dict[str, int | None] = {}
    for role in ("user", "item", "rating", "timestamp"):
        given = getattr(naming, role)
        if given is False:
            found[role] = None
        elif given is not None:
            found[role] = _given(role, given, names)
        else:
            taken = {place for place in found.values() if place is not None}
            found[role] = _guessed(role, names, taken)
    for role in ("user", "item"):
        if found[role] is None:
            raise NoSuchColumn(f"no column for the {role}s among {_listed(names)}; name it with {role}=")
    strange = set(range(len(names))) - {place for place in found.values() if place is not None}
    if found["rating"] is None and naming.rating is None and strange:
        raise NoSuchColumn(
            f"no column for the ratings among {_listed(names)}; name it with rating=, or say that there is none"
            " with rating=False"
        )
    return _distinct(Roles(found["user"] or 0, found["item"] or 0, found["rating"], found["timestamp"]), names)


def roles_by_position(first: Sequence[str], naming: Naming) -> Roles:
    """The columns of a file without a header: user, item, rating, timestamp, as many as there are."""
    width = len(first)
    names = [f"column {place}" for place in range(width)]
    if not naming.by_position and width > 4:
        raise NoSuchColumn(
            f"there are {width} columns and no header that names users and items; say which they are with user=,"
            " item= and rating=, as names or as positions from 0"
        )
    found: dict[str, int | None] = {}
    for usual, role in enumerate(("user", "item", "rating", "timestamp")):
        given = getattr(naming, role)
        free = usual < width <= 4 and usual not in [place for place in found.values() if place is not None]
        if given is None:
            found[role] = usual if free else None
        else:
            found[role] = None if given is False else _given(role, given, names)
    if found["rating"] is None and naming.rating is None and width > 2:
        raise NoSuchColumn(
            f"there are {width} columns, and which holds the ratings cannot be told; name it with rating=, or say that"
            " there is none with rating=False"
        )
    if found["rating"] is None and any(mark in field for field in first for mark in "\t;|"):
        raise NoSuchColumn("the fields hold other separators; name the columns with user=, item= and rating=")
    return _distinct(Roles(found["user"] or 0, found["item"] or 0, found["rating"], found["timestamp"]), names)


def _given(role: str, given: ColumnName, names: Sequence[str]) -> int:
    if isinstance(given, int):
        if not 0 <= given < len(names):
            raise NoSuchColumn(f"{role}={given} is no position: there are {len(names)} columns, counted from 0")
        return given
    if given not in names:
        raise NoSuchColumn(f"no column {given!r} for the {role}s; there are {_listed(names)}")
    return list(names).index(given)


def _guessed(role: str, names: Sequence[str], taken: set[int]) -> int | None:
    plain = [_plain(name) for name in names]
    for spelling in _SPELLINGS[role]:
        if spelling in plain and plain.index(spelling) not in taken:
            return plain.index(spelling)
    return None


def _distinct(roles: Roles, names: Sequence[str]) -> Roles:
    places = list(roles.positions().values())
    for role, place in roles.positions().items():
        if places.count(place) > 1:
            raise NoSuchColumn(f"the {role}s and another role are both said to be in {names[place]!r}")
    return roles


def _usual_names(fields: Sequence[str]) -> int:
    """How many of users and items the fields name in a usual spelling."""
    plain = {_plain(field) for field in fields}
    return sum(1 for role in ("user", "item") if plain & set(_SPELLINGS[role]))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name[:40]) for name in names[:12])
    return shown + (f" and {len(names) - 12} more" if len(names) > 12 else "")


def _plain(name: str) -> str:
    return _FILLING.sub("", _TYPE_SUFFIX.sub("", name.strip().lower()))
