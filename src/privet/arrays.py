"""The array types that cross a room's door."""

from dataclasses import fields
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

AnyArray = NDArray[Any]
ByteArray = NDArray[np.uint8]
FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
RowArray = NDArray[np.int32]

Frozen = TypeVar("Frozen", bound=AnyArray)


def frozen(array: Frozen) -> Frozen:
    """Give the array back, no longer writeable."""
    array.flags.writeable = False
    return array


class FrozenArrays:
    """A dataclass whose arrays nobody can change, after copying and pickling neither."""

    def __post_init__(self) -> None:
        """Freeze every array."""
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                frozen(value)

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        """Pickle and copy by making it again: NumPy would bring its arrays back writeable."""
        return type(self), tuple(getattr(self, field.name) for field in fields(self))  # type: ignore[arg-type]
