"""Similarities, the sensitivity of Eq. (3), and the ranking of one target's other users."""

from collections.abc import Mapping

from privet.similarity.agreement import Agreement, agreement
from privet.similarity.cosine import Cosine, CosineFull, cosine, cosine_full
from privet.similarity.deviation import Deviation, deviation
from privet.similarity.everybody import Block, Lists, matrix, nearest, pairs
from privet.similarity.overlap import Overlap, overlap
from privet.similarity.pearson import Pearson, pearson
from privet.similarity.protocol import Similarity
from privet.similarity.rank import Candidates, rank
from privet.similarity.rs import rs

SIMILARITIES: Mapping[str, type[Similarity]] = {
    "cosine": Cosine,
    "cosine_full": CosineFull,
    "pearson": Pearson,
    "agreement": Agreement,
    "deviation": Deviation,
    "overlap": Overlap,
}

__all__ = [
    "SIMILARITIES",
    "Agreement",
    "Block",
    "Candidates",
    "Cosine",
    "CosineFull",
    "Deviation",
    "Lists",
    "Overlap",
    "Pearson",
    "Similarity",
    "agreement",
    "cosine",
    "cosine_full",
    "deviation",
    "matrix",
    "nearest",
    "overlap",
    "pairs",
    "pearson",
    "rank",
    "rs",
]
