"""Bit-by-bit comparison of values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_WORD = 8  # bytes


def same_bits(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Return whether two contiguous arrays have the same bytes."""
    if one.nbytes != other.nbytes:
        return False
    left, right = (values.reshape(-1).view(np.uint8) for values in (one, other))
    words = left.size // _WORD * _WORD
    if words and not np.array_equal(left[:words].view(np.uint64), right[:words].view(np.uint64)):
        return False
    return bool(np.array_equal(left[words:], right[words:]))


def same_values(one: Any, other: Any) -> bool:
    """Return whether two arrays, possibly of compounds, sequences or strings, are equal."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        if one.dtype != other.dtype or one.shape != other.shape:
            return False
        if one.dtype.names is not None:
            return all(same_values(one[name], other[name]) for name in one.dtype.names)
        if one.dtype.kind != "O":
            return same_bits(np.ascontiguousarray(one), np.ascontiguousarray(other))
        return all(same_values(left, right) for left, right in zip(one.ravel(), other.ravel(), strict=True))
    return type(one) is type(other) and bool(one == other)
