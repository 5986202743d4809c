"""Scale: the lowest and the highest rating that can be."""

from typing import TypeAlias

import numpy as np

from privet.arrays import FloatArray
from privet.errors import ParameterError

Scale: TypeAlias = tuple[float, float]
UNARY: Scale = (0.0, 1.0)


def checked(scale: Scale) -> Scale:
    """A scale as two finite numbers, the lower first."""
    try:
        if isinstance(scale, (str, bytes)):
            raise TypeError
        low, high = (float(bound) + 0.0 for bound in scale)  # a negative zero is a zero
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(
            f"scale must be two numbers, such as (1, 5); got {repr(scale)[:80]}.", name="scale", got=scale
        ) from None
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise ParameterError(
            f"scale must be two finite numbers, the lower first; got {scale!r}.", name="scale", got=scale
        )
    return low, high


def inferred(values: FloatArray) -> Scale:
    """The scale that the values span; a single value v is taken for the upper end of v - 1 to v."""
    if not len(values):
        return UNARY
    low, high = float(values.min()), float(values.max())
    return (low, high) if low < high else (float(min(high - 1, np.nextafter(high, -np.inf))), high)


def outside(values: FloatArray, scale: Scale | None) -> tuple[int, str] | None:
    """The place and the fault of the first value that is no number, or lies outside a declared scale."""
    wrong = ~np.isfinite(values)
    if scale is not None:
        wrong |= (values < scale[0]) | (values > scale[1])
    if not wrong.any():
        return None
    place = int(np.argmax(wrong))
    value = float(values[place])
    if not np.isfinite(value):
        return place, f"a rating must be a finite number; got {value:g}"
    assert scale is not None
    return place, f"the rating {value:g} is outside the declared scale, {scale[0]:g} to {scale[1]:g}"
