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


def looks_like_header(fields: Sequence[str]) -> bool:
    """Whether these fields name users and items in a usual spelling, or one of them and no field is a number."""
    plain = {_plain(field) for field in fields}
    named = [role for role in ("user", "item") if plain & set(_SPELLINGS[role])]
    return len(named) == 2 or (len(named) == 1 and not any(field.strip()[:1].isdigit() for field in fields))


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


def roles_by_position(width: int, naming: Naming) -> Roles:
    """The columns of a file without a header: user, item, rating, timestamp, as many as there are."""
    names = [f"column {place}" for place in range(width)]
    if width < 2:
        raise NoSuchColumn(
            "there is one column only; users and items must be separated by a comma, a tab, ;, |, :: or blanks"
        )
    if not naming.by_position() and width > 4:
        raise NoSuchColumn(
            f"there are {width} columns and no header that names users and items; say which they are with user=,"
            " item= and rating=, as names or as positions from 0"
        )
    usual: dict[str, int | None] = {"user": 0, "item": 1}
    usual["rating"] = 2 if width > 2 and not naming.by_position() else None
    usual["timestamp"] = 3 if width == 4 and not naming.by_position() else None
    for role in usual:
        given = getattr(naming, role)
        if given is not None:
            usual[role] = None if given is False else _given(role, given, names)
    return _distinct(Roles(usual["user"] or 0, usual["item"] or 0, usual["rating"], usual["timestamp"]), names)


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


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name[:40]) for name in names[:12])
    return shown + (f" and {len(names) - 12} more" if len(names) > 12 else "")


def _plain(name: str) -> str:
    return _FILLING.sub("", _TYPE_SUFFIX.sub("", name.strip().lower()))
