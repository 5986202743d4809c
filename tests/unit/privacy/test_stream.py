import struct
from dataclasses import replace

import numpy as np
import pytest

from privet.errors import ParameterError
from privet.privacy import Label, Stream, Wanted
from privet.privacy.stream import MOST_SLOTS, _keystream

LABEL = Label(format=1, account="user/ada", epoch=3, snapshot=b"s", profile=b"p", method=b"m", world=b"w")
STREAM = Stream.seeded(1)
WANTED = Wanted("select", "uniform", 1000)
GOLDEN = ["0x1.af37548d7c064p-3", "0x1.8e61e6c881e8ep-2", "0x1.f9baa4eb37495p-1"]


def chacha20_block(key: bytes, counter: int) -> bytes:
    """RFC 8439, 2.3, written down once more: a constant, the key, the counter, a nonce of zeros, twenty rounds."""
    start = [
        *struct.unpack("<4I", b"expand 32-byte k"),
        *struct.unpack("<8I", key),
        counter % 2**32,
        counter >> 32,
        0,
        0,
    ]
    state = list(start)

    def turn(a: int, b: int, bits: int, into: int) -> None:
        state[a] = (state[a] + state[b]) % 2**32
        mixed = state[into] ^ state[a]
        state[into] = ((mixed << bits) | (mixed >> (32 - bits))) % 2**32

    columns = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)]
    diagonals = [(0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]
    for _ in range(10):
        for a, b, c, d in columns + diagonals:
            turn(a, b, 16, d)
            turn(c, d, 12, b)
            turn(a, b, 8, d)
            turn(c, d, 7, b)
    return struct.pack("<16I", *((one + other) % 2**32 for one, other in zip(state, start, strict=True)))


@pytest.mark.parametrize("block", [0, 1, 77, 2**32 - 1])
def test_the_words_are_those_of_chacha20(block):
    """Slot s is the s-th little-endian word of ChaCha20's keystream, wherever it is read."""
    key = bytes(range(32))
    expected = np.frombuffer(chacha20_block(key, block), "<u8")
    assert np.array_equal(_keystream(key, block, 1), expected)


def test_any_slot_can_be_read_alone():
    """A value depends on its slot, not on which other slots are read, in which order, or how often."""
    everything = STREAM.take(WANTED, LABEL)
    slots = np.array([999, 0, 7, 8, 63, 64, 512, 7])
    assert np.array_equal(STREAM.take(WANTED, LABEL, slots), everything[slots])
    assert np.array_equal(STREAM.take(replace(WANTED, slots=10), LABEL), everything[:10])


def test_far_slots_are_read_without_those_between():
    """Two slots at the two ends of all slots cost two blocks."""
    wide = Wanted("select", "uniform", MOST_SLOTS)
    ends = STREAM.take(wide, LABEL, np.array([MOST_SLOTS - 1, 0]))
    assert ends[1] == STREAM.take(WANTED, LABEL)[0]
    assert ends[0] != ends[1]


@pytest.mark.parametrize(
    "other",
    [
        replace(LABEL, format=2),
        replace(LABEL, account="user/ad"),
        replace(LABEL, epoch=4),
        replace(LABEL, snapshot=b"t"),
        replace(LABEL, profile=b"q"),
        replace(LABEL, method=b"n"),
        replace(LABEL, world=b""),
        replace(LABEL, snapshot=b"sp", profile=b""),
        replace(LABEL, snapshot=b"", profile=b"sp"),
    ],
)
def test_every_part_of_a_label_matters(other):
    """Labels that differ anywhere, or hold the same bytes cut elsewhere, have different noise and digests."""
    assert other.digest != LABEL.digest
    assert not np.isin(STREAM.take(WANTED, other), STREAM.take(WANTED, LABEL)).any()


def test_roles_and_keys_have_noise_of_their_own():
    """Another role, another key or another seed gives other values; the same gives the same."""
    here = STREAM.take(WANTED, LABEL)
    assert np.array_equal(Stream.seeded(1).take(WANTED, LABEL), here)
    assert not np.isin(STREAM.take(replace(WANTED, role="num"), LABEL), here).any()
    assert not np.isin(Stream.seeded(2).take(WANTED, LABEL), here).any()
    assert not np.isin(Stream(bytes(32)).take(WANTED, LABEL), here).any()


def test_the_noise_never_changes():
    """The first values under one key and label, for ever: whoever changes them breaks every stored answer."""
    noise = Stream(bytes(range(32))).take(Wanted("select", "uniform", 3), LABEL)
    assert [value.hex() for value in noise.tolist()] == GOLDEN


def test_values_lie_strictly_between_0_and_1(monkeypatch):
    """The smallest and the largest word give numbers whose logarithms are finite, evenly about one half."""
    words = np.array([0, 2**64 - 1] * 4, np.uint64)
    monkeypatch.setattr("privet.privacy.stream._keystream", lambda key, first, blocks: words)
    low, high = STREAM.take(Wanted("select", "uniform", 2), LABEL)
    assert 0 < low < 1e-15
    assert 1 - 1e-15 < high < 1
    assert low + high == 1


def test_values_are_uniform():
    """Of a million values each tenth holds a tenth; six standard deviations would be missed once in 5e8 tests each."""
    counts, _ = np.histogram(STREAM.take(Wanted("uniform", "uniform", 1_000_000), LABEL), bins=10, range=(0, 1))
    assert np.abs(counts - 100_000).max() < 6 * np.sqrt(90_000)


def test_fill_gives_each_role_what_take_gives():
    """Filling several wants is taking each."""
    wants = [WANTED, Wanted("num", "uniform", 5)]
    noise = STREAM.fill(wants, LABEL)
    assert {role: len(values) for role, values in noise.items()} == {"select": 1000, "num": 5}
    assert np.array_equal(noise["num"], STREAM.take(wants[1], LABEL))


def test_a_role_wanted_twice_is_refused():
    """Two wants under one role would share their noise."""
    with pytest.raises(ParameterError, match="wanted twice"):
        STREAM.fill([WANTED, WANTED], LABEL)


def test_slots_outside_are_refused():
    """A slot that was not announced is an error, not a value."""
    for slots in ([1000], [-1]):
        with pytest.raises(ParameterError, match="slots 0 to 999"):
            STREAM.take(WANTED, LABEL, np.array(slots))


def test_short_keys_are_refused_and_keys_are_never_shown():
    """A key has 32 bytes or more; no representation tells it."""
    with pytest.raises(ParameterError, match="at least 32 bytes; got 5"):
        Stream(b"short")
    assert "k" * 5 not in repr(Stream(b"k" * 32))
    assert STREAM.digest(b"a", b"bc") != STREAM.digest(b"ab", b"c") != Stream.seeded(2).digest(b"ab", b"c")


def test_seeds_are_whole_numbers():
    """A seed that is no whole number is refused; NumPy's whole numbers count as what they are."""
    for seed in (1.0, "1", True):
        with pytest.raises(ParameterError, match="whole number"):
            Stream.seeded(seed)
    assert Stream.seeded(np.int64(1)).take(WANTED, LABEL)[0] == STREAM.take(WANTED, LABEL)[0]
