"""How kernels are compiled: for stated types, so that no first call waits; without Python's lock; kept on disk."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

f64, f32, i64, i32, u32, u16, u8, boolean = (
    numba.float64,
    numba.float32,
    numba.int64,
    numba.int32,
    numba.uint32,
    numba.uint16,
    numba.uint8,
    numba.boolean,
)


def read(kind: Any, dimensions: int = 1) -> Any:
    """An array that a kernel only reads, and that may therefore be frozen."""
    return numba.types.Array(kind, dimensions, "C", readonly=True)


def write(kind: Any, dimensions: int = 1) -> Any:
    """An array that a kernel writes."""
    return numba.types.Array(kind, dimensions, "C")


def kernel(*arguments: Any) -> Callable[[Kernel], Kernel]:
    """Compile a function of arguments of these types, that returns nothing: it fills what it was handed."""
    signature = numba.void(*arguments)

    def compiled(function: Kernel) -> Kernel:
        try:
            return cast(Kernel, numba.njit(signature, nogil=True, error_model="numpy", cache=True)(function))
        except RuntimeError:  # neither beside the package nor in a home can anything be kept
            return cast(Kernel, numba.njit(signature, nogil=True, error_model="numpy")(function))

    return compiled


def inlined(function: Kernel) -> Kernel:
    """Compile a piece of kernels, as part of each of them."""
    return cast(Kernel, numba.njit(nogil=True, error_model="numpy")(function))
