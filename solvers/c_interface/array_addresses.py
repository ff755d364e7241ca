"""Addresses of arrays for C functions, and arrays on boundaries of cache lines.

`array.ctypes.data` makes several Python objects. Small calls of C functions have no time for that.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

ALIGNMENT = 64  # bytes

# addressof(view_of(array)) is the address of a writable, C-contiguous array. A view has no bytes: an empty array has an
# address, too.
addressof = ctypes.addressof
view_of: Callable[[NDArray[Any]], Any] = (ctypes.c_char * 0).from_buffer  # type: ignore[assignment]


def address(array: NDArray[Any]) -> int:
    """Return the address of the first value of any C-contiguous array."""
    try:
        return addressof(view_of(array))
    except (TypeError, ValueError, BufferError):  # read-only, or of a dtype that buffers do not have
        return int(array.ctypes.data)


ALIGNED_FROM_BYTES = 16 << 10


def aligned(shape: tuple[int, ...], count: int, dtype: np.dtype[Any]) -> tuple[NDArray[Any], int]:
    """Return an uninitialised array of `count` values on a 64-byte boundary, and its address.

    The size of a value divides 64.
    """
    size = dtype.itemsize
    memory = np.empty(count + ALIGNMENT // size, dtype)
    at = addressof(view_of(memory))
    start = -at % ALIGNMENT
    first = start // size
    return memory[first : first + count].reshape(shape), at + start


def empty_result(shape: tuple[int, ...], count: int, dtype: np.dtype[Any]) -> tuple[NDArray[Any], int]:
    """Return an uninitialised array of `count` values, and its address, on a 64-byte boundary if it is not small.

    NumPy's arrays lie on boundaries of 16 bytes, where vectors of 64 bytes all cross cache lines.
    """
    if count * dtype.itemsize >= ALIGNED_FROM_BYTES:
        return aligned(shape, count, dtype)
    array = np.empty(shape, dtype)
    return array, addressof(view_of(array))


def overlap(first: int, first_bytes: int, second: int, second_bytes: int) -> bool:
    """Return whether two arrays share memory, given their addresses and sizes in bytes."""
    return first < second + second_bytes and second < first + first_bytes
