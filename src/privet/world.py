"""World: what is released about the items for everybody, and what follows from it in public."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from privet.arrays import AnyArray, FloatArray, FrozenArrays, frozen
from privet.errors import ParameterError, RatingsError
from privet.privacy import unit
from privet.ratings import Profile
from privet.ratings.scale import Scale, checked

PENALTIES = (3.0, 5.0, 20.0)  # of the own part: chosen on inner splits of two public data sets, the same for both
LEAST_COUNT = 5.0  # a count below it says no more than that nearly nobody rated the item


@dataclass(frozen=True, eq=False)
class World(FrozenArrays):
    """Item effects, as released: the same for every account, made once an epoch.

    Effects and their errors are in units, quarters of the scale; the centre is a rating.

    >>> world = World(centre=3.5, effects=np.array([1.0, -1.0]))
    >>> world.own(Profile(np.array([0]), np.array([4.5]))).tolist()
    [4.5, 2.5]
    """

    centre: float
    effects: FloatArray
    errors: FloatArray | None = None  # the posterior variance of each effect
    counts: FloatArray | None = None  # how many rated each item, as released
    scale: Scale = (1.0, 5.0)

    def __post_init__(self) -> None:
        """Keep copies of what was handed in, if it can be a world."""
        object.__setattr__(self, "centre", float(_numbers("centre", self.centre, 0)))
        object.__setattr__(self, "effects", _numbers("effects", self.effects, 1))
        for name in ("errors", "counts"):
            value = getattr(self, name)
            if value is not None:
                found = _numbers(name, value, 1)
                if len(found) != len(self.effects):
                    raise ParameterError(
                        f"A world has one of each for every item; got {len(self.effects):,} effects and"
                        f" {len(found):,} {name}.",
                        owner="World",
                        name=name,
                    )
                object.__setattr__(self, name, found)
        if self.errors is not None and (self.errors < 0).any():
            raise ParameterError("A world needs errors that are variances, 0 or more.", owner="World", name="errors")
        object.__setattr__(self, "scale", checked(self.scale))
        super().__post_init__()

    @property
    def parts(self) -> list[bytes]:
        """What it says, for a digest."""
        arrays = (np.array([self.centre, *self.scale]), self.effects, self.errors, self.counts)
        return [b"" if array is None else array.astype("<f8").tobytes() for array in arrays]

    @property
    def items(self) -> int:
        """How many items it speaks of."""
        return len(self.effects)

    @property
    def unit(self) -> float:
        """The rating that one unit stands for."""
        return unit(self.scale)

    @cached_property
    def fame(self) -> FloatArray:
        """The logarithm of how many rated an item, beside the mean over all raters; 0 where no counts were released."""
        if self.counts is None:
            return np.zeros(self.items)
        logarithms = np.log(np.maximum(self.counts, LEAST_COUNT))
        weights = np.maximum(self.counts, 0.0)
        total = weights.sum()
        middle = (weights * logarithms).sum() / total if total > 0 else np.log(LEAST_COUNT)
        return frozen(logarithms - middle)

    def own_part(self, profile: Profile) -> FloatArray:
        """How one account rates every item beside the world, in units: ridge regression on its own residuals."""
        self._check(profile)
        effects, fame = self.effects[profile.items], self.fame[profile.items]
        residuals = (profile.values - self.centre) / self.unit - effects
        constant, by_effect, by_fame = _ridge([np.ones(len(profile)), effects, fame], residuals, PENALTIES)
        return constant + by_effect * self.effects + by_fame * self.fame

    def own(self, profile: Profile) -> FloatArray:
        """What the world and the account's own part say of every item, as ratings; not clipped to the scale."""
        return self.centre + self.unit * (self.effects + self.own_part(profile))

    def deviations(self, profile: Profile) -> FloatArray:
        """How far the account's ratings lie from what is said of its items, in units."""
        return (profile.values - self.own(profile)[profile.items]) / self.unit

    def released_deviations(self, items: AnyArray, values: FloatArray) -> FloatArray:
        """How far anybody's ratings lie from the released effects alone, in units."""
        return (values - self.centre) / self.unit - self.effects[items]

    def _check(self, profile: Profile) -> None:
        if len(profile) and int(profile.items[-1]) >= self.items:
            raise RatingsError(
                f"the profile names item row {int(profile.items[-1])}; the world speaks of {self.items:,} items"
            )


def _ridge(features: list[FloatArray], wanted: FloatArray, penalties: tuple[float, ...]) -> list[float]:
    """The weights of few features, by elimination in one order: libraries have another on each processor."""
    rows = [[float((one * other).sum()) for other in (*features, wanted)] for one in features]
    for place, penalty in enumerate(penalties):
        rows[place][place] += penalty
    for place, row in enumerate(rows):
        for below in rows[place + 1 :]:
            share = below[place] / row[place]
            for column in range(place, len(row)):
                below[column] -= share * row[column]
    weights = [0.0] * len(rows)
    for place in reversed(range(len(rows))):
        known = sum(rows[place][other] * weights[other] for other in range(place + 1, len(rows)))
        weights[place] = (rows[place][-1] - known) / rows[place][place]
    return weights


def _numbers(name: str, value: object, dimensions: int) -> FloatArray:
    try:
        given = np.asarray(value)
    except ValueError:  # rows of different lengths
        given = np.empty(0, np.object_)
    if given.dtype.kind not in "iuf" or given.ndim != dimensions or not np.isfinite(given).all():
        kind = ("one finite number", "a column of finite numbers")[dimensions]
        raise ParameterError(
            f"A world needs {name} to be {kind}; got {value!r}"[:200] + ".", owner="World", name=name, got=value
        )
    return given.astype(np.float64) + 0.0  # a negative zero is a zero
