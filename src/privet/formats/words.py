"""Words: many texts without an object for each, as UTF-8 one after another and where each begins."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import overload

import numpy as np

from privet.arrays import AnyArray, ByteArray, IntArray

_PRINTED = np.zeros(256, np.bool_)
_PRINTED[0x21:0x7F] = True  # bytes that are no blank, whatever stands around them


class Words(Sequence[str]):
    """Texts in order."""

    def __init__(self, text: ByteArray, ends: IntArray):
        self.text, self.ends = text, ends  # of ends there is one more than of texts

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Words":
        """Words from texts."""
        pieces = [text.encode("utf-8", "surrogatepass") for text in texts]
        ends = np.zeros(len(pieces) + 1, np.int64)
        np.cumsum([len(piece) for piece in pieces], out=ends[1:])
        return cls(np.frombuffer(b"".join(pieces), np.uint8), ends)

    def __len__(self) -> int:
        """How many."""
        return len(self.ends) - 1

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, slice):
            return self.all()[place]
        return self.text[self.ends[place] : self.ends[place + 1]].tobytes().decode()

    def all(self) -> list[str]:
        """Every text as an object."""
        whole = self.text.tobytes()
        if whole.isascii():  # one decoding instead of one for each
            letters = whole.decode()
            return [letters[start:end] for start, end in pairwise(self.ends.tolist())]
        return [whole[start:end].decode() for start, end in pairwise(self.ends.tolist())]

    @property
    def width(self) -> int:
        """The bytes of the longest."""
        return int(np.diff(self.ends).max(initial=0))

    def padded(self) -> AnyArray:
        """All in one array of bytes of the same width, which NumPy can search; of texts without NUL."""
        width = max(1, self.width)
        table = np.zeros((len(self), width), np.uint8)
        table[np.arange(width) < np.diff(self.ends)[:, None]] = self.text
        return table.reshape(-1).view(f"S{width}")

    def joined(self, others: "Words") -> "Words":
        """These texts and then others."""
        return Words(
            np.concatenate([self.text, others.text]), np.concatenate([self.ends, self.ends[-1] + others.ends[1:]])
        )

    def suspicious(self, longest: int) -> IntArray:
        """The texts that may be blank, hold a NUL, or are longer than so many bytes; few, to be looked at."""
        lengths = np.diff(self.ends)
        odd = (lengths == 0) | (lengths > longest)
        full = np.flatnonzero(lengths)
        if len(full):
            odd[full] |= ~np.logical_or.reduceat(_PRINTED[self.text], self.ends[full])
        nul = np.flatnonzero(self.text == 0)
        odd[np.searchsorted(self.ends, nul, side="right") - 1] = True
        return np.flatnonzero(odd)
