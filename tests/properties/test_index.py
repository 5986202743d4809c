"""A registry finds everybody it holds and nobody else, whichever way it looks."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from privet.formats.words import Words
from privet.ratings import Index
from privet.testing import strategies as shapes

TEXTS = shapes.TEXT_IDS | st.text(st.sampled_from("aé漢"), min_size=1, max_size=40)


@settings(max_examples=100)
@given(st.data())
def test_many_look_ups_are_each_of_them(data):
    """Looked up one by one or all at once, in registries of any order, ids have the row in which they were named."""
    kind = data.draw(st.sampled_from([TEXTS, shapes.NUMBER_IDS]))
    ids = data.draw(st.lists(kind, min_size=1, max_size=30, unique=True))
    registry = Index.of(ids, side="user")
    rows = {id: row for row, id in enumerate(ids)}
    asked = data.draw(st.lists(st.sampled_from(ids) | kind | st.sampled_from(["", "a\0", "\ud800"]), max_size=10)) * 40
    expected = [rows.get(id, -1) for id in asked]
    assert registry.rows_if_any(asked).tolist() == expected
    assert [rows.get(id, -1) if id in registry else -1 for id in asked] == expected
    assert registry.ids(np.arange(len(ids))) == ids
    assert [registry.id(row) for row in range(len(ids))] == ids


@settings(max_examples=50)
@given(st.lists(TEXTS, min_size=100, max_size=120, unique=True), st.integers(1, 99))
def test_joined_is_made_at_once(ids, cut):
    """A registry joined by others equals the one made of all, and tells their rows."""
    registry, rows = Index.of(ids[:cut], side="item").joined([*ids[cut:], *ids], declared=True)
    assert registry == Index.of(ids, side="item")
    assert rows.tolist() == [*range(cut, len(ids)), *range(len(ids))]
    assert registry.rows(ids).tolist() == list(range(len(ids)))


@settings(max_examples=100)
@given(st.lists(st.text(max_size=5), max_size=20))
def test_words_are_their_texts(texts):
    """Words hold the texts they were made of, and find those that may be blank, hold a NUL, or are too long."""
    words = Words.of(texts)
    assert list(words) == texts == words.all()
    suspicious = set(words.suspicious(8).tolist())
    for place, text in enumerate(texts):
        if not text.strip() or "\0" in text or len(text.encode()) > 8:
            assert place in suspicious
