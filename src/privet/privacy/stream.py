"""Keyed noise: one value per (label, role, slot), the same in every process and on every machine.

A pure step says what it wants, whoever holds the key fills it. For each (label, role) a key of its own is derived
from the stream's key; slot s is the s-th little-endian 64-bit word of ChaCha20's keystream under that key, with
nonce zero and block counter s // 8, so that any slot can be read without those before it.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import index
from typing import Literal, NoReturn, TypeAlias

import numpy as np

from privet.arrays import AnyArray, FloatArray, IntArray
from privet.errors import ParameterError, PrivacyError
from privet.settings import is_whole

Noise: TypeAlias = Mapping[str, FloatArray]

MOST_SLOTS = 1 << 35  # 2^32 blocks of eight words: beyond them implementations disagree on how the counter carries
_WORDS_A_BLOCK = 8
_NEARBY = 64  # blocks; a shorter gap is cheaper to read over than to begin anew behind it
_SHORTEST_KEY = 32


@dataclass(frozen=True, slots=True)
class Wanted:
    """Noise that a pure step asks for: its role, the law of each value, how many slots there are."""

    role: str
    law: Literal["uniform"]
    slots: int
    scale: float = 1.0

    def __post_init__(self) -> None:
        """Refuse what no stream can give."""
        if not 0 <= self.slots <= MOST_SLOTS:
            raise ParameterError(f"A stream has 0 to {MOST_SLOTS} slots a role; got slots={self.slots!r}.")
        law: str = self.law
        if law != "uniform" or self.scale != 1.0:
            raise ParameterError(f"A stream gives the law uniform at scale 1; got law={law!r}, scale={self.scale!r}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What noise belongs to: equal labels have equal noise, different ones independent noise.

    `snapshot`, `profile`, `method` and `world` are digests. A release for everybody has the account "world".
    """

    format: int
    account: str
    epoch: int
    snapshot: bytes
    profile: bytes
    method: bytes
    world: bytes = b""

    @property
    def encoded(self) -> bytes:
        """All parts, each behind its length, so that no two labels are written alike."""
        return prefixed(
            str(index(self.format)).encode(),
            self.account.encode(),
            str(index(self.epoch)).encode(),
            self.snapshot,
            self.profile,
            self.method,
            self.world,
        )

    @property
    def digest(self) -> bytes:
        """32 bytes that stand for the label."""
        return hashlib.blake2b(self.encoded, digest_size=32, person=b"privet.label").digest()


class Stream:
    """A source of noise under one key.

    >>> stream = Stream.seeded(7)
    >>> label = Label(format=1, account="user/ada", epoch=0, snapshot=b"", profile=b"", method=b"")
    >>> noise = stream.take(Wanted("select", "uniform", 5), label)
    >>> bool((stream.take(Wanted("select", "uniform", 5), label, np.array([3])) == noise[3]).all())
    True
    """

    __slots__ = ("_key", "seeded_by_number")

    def __init__(self, key: bytes, *, seeded: bool = False):
        if len(key) < _SHORTEST_KEY:
            raise ParameterError(f"A key needs at least {_SHORTEST_KEY} bytes; got {len(key)}.", name="key")
        self._key = hashlib.blake2b(key, digest_size=32, person=b"privet.key").digest()
        self.seeded_by_number = seeded

    def __reduce__(self) -> NoReturn:
        """A key is in no pickle: whoever needs the stream elsewhere takes the key there."""
        raise PrivacyError("A stream holds a key and is neither pickled nor copied; make one where it is needed.")

    def __repr__(self) -> str:
        return "<Stream under a seed>" if self.seeded_by_number else "<Stream under a key>"

    @classmethod
    def seeded(cls, seed: int) -> "Stream":
        """A stream for experiments: whoever knows the seed knows the noise."""
        if not is_whole(seed):
            raise ParameterError(f"A seed is a whole number; got seed={seed!r}.", name="seed", got=seed)
        key = hashlib.blake2b(str(int(seed)).encode(), digest_size=32, person=b"privet.seed").digest()
        return cls(key, seeded=True)

    def digest(self, *parts: bytes) -> bytes:
        """32 bytes that stand for these parts and tell nothing of them to those without the key."""
        return self._keyed(b"privet.digest", prefixed(*parts))

    def take(self, wanted: Wanted, label: Label, slots: IntArray | None = None) -> FloatArray:
        """The values of these slots, or of all, in order: numbers strictly between 0 and 1."""
        words = self._words(wanted.role, label, _checked(wanted, slots))
        # 52 bits and a half are 53 bits, which a double holds exactly: with 53 and a half the largest would round to 1.
        return ((words >> np.uint64(12)).astype(np.float64) + 0.5) * 2.0**-52

    def fill(self, wants: Iterable[Wanted], label: Label) -> Noise:
        """All values of several wants, by role."""
        noise: dict[str, FloatArray] = {}
        for wanted in wants:
            if wanted.role in noise:
                raise ParameterError(f"The role {wanted.role!r} is wanted twice: both would get the same noise.")
            noise[wanted.role] = self.take(wanted, label)
        return noise

    def _keyed(self, person: bytes, message: bytes) -> bytes:
        return hashlib.blake2b(message, digest_size=32, key=self._key, person=person).digest()

    def _words(self, role: str, label: Label, slots: IntArray) -> AnyArray:
        subkey = self._keyed(b"privet.stream", prefixed(role.encode(), label.encoded))
        words = np.empty(len(slots), np.uint64)
        order = np.argsort(slots, kind="stable")
        blocks = slots[order] // _WORDS_A_BLOCK
        cuts = np.flatnonzero(np.diff(blocks) > _NEARBY) + 1
        for part in np.split(order, cuts):
            if not len(part):
                continue
            first = int(slots[part[0]]) // _WORDS_A_BLOCK
            count = int(slots[part[-1]]) // _WORDS_A_BLOCK - first + 1
            words[part] = _keystream(subkey, first, count)[slots[part] - first * _WORDS_A_BLOCK]
        return words


def prefixed(*parts: bytes) -> bytes:
    """Parts one after another, each behind its length in eight bytes."""
    return b"".join(len(part).to_bytes(8, "little") + part for part in parts)


def _checked(wanted: Wanted, slots: IntArray | None) -> IntArray:
    if slots is None:
        return np.arange(wanted.slots, dtype=np.int64)
    if len(slots) and not 0 <= int(slots.min()) <= int(slots.max()) < wanted.slots:
        raise ParameterError(f"The role {wanted.role!r} has the slots 0 to {wanted.slots - 1}; others were asked for.")
    return slots


def _keystream(key: bytes, first: int, blocks: int) -> AnyArray:
    # Loaded here, so that `import privet` does not wait for it.
    from cryptography.hazmat.primitives.ciphers import Cipher
    from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20

    counter = first.to_bytes(8, "little") + bytes(8)
    encryptor = Cipher(ChaCha20(key, counter), mode=None).encryptor()
    return np.frombuffer(encryptor.update(bytes(64 * blocks)), "<u8").astype(np.uint64)
