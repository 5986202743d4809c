"""The array types that cross a room's door."""

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

AnyArray = NDArray[Any]
BoolArray = NDArray[np.bool_]
ByteArray = NDArray[np.uint8]
FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
RowArray = NDArray[np.int32]

Frozen = TypeVar("Frozen", bound=AnyArray)


def frozen(array: Frozen) -> Frozen:
    """Give the array back, no longer writeable."""
    array.flags.writeable = False
    return array
