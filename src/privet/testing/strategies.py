"""Hypothesis strategies for ratings; the extra that brings Hypothesis is the developer's own."""

from typing import Any

from privet.errors import MissingExtra
from privet.ratings import Ratings

try:
    from hypothesis import strategies as st
except ImportError:
    raise MissingExtra("dev", purpose="privet.testing.strategies") from None

_LETTERS = st.characters(codec="utf-8", exclude_characters="\0")
TEXT_IDS = st.text(_LETTERS, min_size=1, max_size=6).filter(lambda text: bool(text.strip()))
NUMBER_IDS = st.integers(-(2**63), 2**63 - 1) | st.integers(0, 20)
ON_GRID = st.sampled_from([1.0, 2.0, 3.0, 4.0, 5.0])
OFF_GRID = st.floats(-1e6, 1e6, allow_nan=False).map(lambda value: value + 0.0)


@st.composite
def rating_columns(
    draw: st.DrawFn, *, least: int = 1, values: st.SearchStrategy[float] | None = None, timestamped: bool | None = None
) -> dict[str, list[Any]]:
    """Columns of ratings, no pair twice: user_id, item_id, rating and, perhaps, timestamp."""
    users = draw(st.lists(draw(st.sampled_from([TEXT_IDS, NUMBER_IDS])), min_size=1, max_size=8, unique=True))
    items = draw(st.lists(draw(st.sampled_from([TEXT_IDS, NUMBER_IDS])), min_size=1, max_size=8, unique=True))
    pairs = [(user, item) for user in users for item in items]
    chosen = draw(st.lists(st.sampled_from(pairs), min_size=min(least, len(pairs)), max_size=40, unique=True))
    of_values = values or draw(st.sampled_from([ON_GRID, OFF_GRID, ON_GRID | OFF_GRID]))
    columns: dict[str, list[Any]] = {
        "user_id": [user for user, _ in chosen],
        "item_id": [item for _, item in chosen],
        "rating": draw(st.lists(of_values, min_size=len(chosen), max_size=len(chosen))),
    }
    if draw(st.booleans()) if timestamped is None else timestamped:
        times = st.integers(-(2**37), 2**37)
        columns["timestamp"] = draw(st.lists(times, min_size=len(chosen), max_size=len(chosen)))
    return columns


@st.composite
def ratings(draw: st.DrawFn, *, least: int = 1, values: st.SearchStrategy[float] | None = None) -> Ratings:
    """Ratings of every shape, their registries and scale declared or not."""
    columns = draw(rating_columns(least=least, values=values))
    declared: dict[str, Any] = {}
    for name, column in (("users", columns["user_id"]), ("items", columns["item_id"])):
        if draw(st.booleans()):
            declared[name] = draw(st.permutations(sorted(set(column))))
    if draw(st.booleans()):
        declared["scale"] = (-1e6, 1e6)
    return of_columns(columns, **declared)


def of_columns(columns: dict[str, list[Any]], *, users: Any = None, items: Any = None, scale: Any = None) -> Ratings:
    """Ratings of the columns that `rating_columns` draws."""
    return Ratings.of(
        columns["user_id"],
        columns["item_id"],
        columns["rating"],
        timestamps=columns.get("timestamp"),
        users=users,
        items=items,
        scale=scale,
    )
