"""Similarities, the sensitivity of Eq. (3), and the ranking of one target's other users."""

from collections.abc import Mapping

from privet.similarity.cosine import Cosine, cosine
from privet.similarity.protocol import Bound, Similarity
from privet.similarity.rank import Candidates, rank
from privet.similarity.rs import rs

SIMILARITIES: Mapping[str, type[Similarity]] = {"cosine": Cosine}

__all__ = ["SIMILARITIES", "Bound", "Candidates", "Cosine", "Similarity", "cosine", "rank", "rs"]
