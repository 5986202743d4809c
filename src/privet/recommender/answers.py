"""Answers: what a recommender says, in ids. Each gives columns that pandas and polars take."""

from collections.abc import Iterator
from dataclasses import dataclass

from privet.arrays import AnyArray, FloatArray, IntArray
from privet.ratings import Id


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """One rating, as far as it can be told."""

    value: float
    half_width: float | None  # None where nothing is known of it
    basis: str  # a word of `privet.prediction.BASES`: on what the value rests
    raters: int  # how many neighbours rated the item


@dataclass(frozen=True, eq=False, kw_only=True)
class PredictionTable:
    """Many predictions, in the order in which they were asked for."""

    user_ids: AnyArray
    item_ids: AnyArray
    values: FloatArray
    half_widths: FloatArray
    basis: AnyArray
    raters: IntArray

    def __len__(self) -> int:
        """How many."""
        return len(self.values)

    def columns(self) -> dict[str, AnyArray]:
        """One array per column."""
        return {
            "user_id": self.user_ids,
            "item_id": self.item_ids,
            "value": self.values,
            "half_width": self.half_widths,
            "basis": self.basis,
            "raters": self.raters,
        }


@dataclass(frozen=True, eq=False, kw_only=True)
class Recommendations:
    """Items that somebody has not rated, the best first."""

    item_ids: AnyArray
    scores: FloatArray
    basis: AnyArray
    titles: list[str | None] | None  # None without a catalogue

    def __len__(self) -> int:
        """How many."""
        return len(self.scores)

    def __iter__(self) -> Iterator[tuple[Id, float]]:
        """Item ids and scores."""
        return iter(zip(self.item_ids.tolist(), self.scores.tolist(), strict=True))

    def columns(self) -> dict[str, AnyArray | list[str | None]]:
        """One array per column, and the titles where there is a catalogue."""
        columns: dict[str, AnyArray | list[str | None]] = {"item_id": self.item_ids, "score": self.scores}
        return columns if self.titles is None else columns | {"title": self.titles}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Neighbourhood:
    """Somebody's neighbours, nearest first: for tests and research, and for nobody else's eyes."""

    user_ids: AnyArray
    similarities: FloatArray
    weights: FloatArray  # from -1 to 1
    partitions: IntArray  # from 1: which stretch of k candidates each came from

    def __repr__(self) -> str:
        return f"<Neighbourhood of {len(self)}>"  # whose, and who, belongs in no log

    def __len__(self) -> int:
        """How many."""
        return len(self.user_ids)

    def columns(self) -> dict[str, AnyArray]:
        """One array per column."""
        return {
            "user_id": self.user_ids,
            "similarity": self.similarities,
            "weight": self.weights,
            "partition": self.partitions,
        }
