"""The dot product of two vectors: the Python interface of this folder."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from rooftop.solvers._template.library import ArgumentError, check, load
from rooftop.solvers.c_interface.checked_arrays import real_numbers

__all__ = ["ArgumentError", "dot"]


def dot(x: Any, y: Any) -> float:
    """Return the sum of x[i] y[i]; both are (n,) real numbers. Raises ArgumentError."""
    vectors = [np.ascontiguousarray(real_numbers(*one, ArgumentError)) for one in (("x", x), ("y", y))]
    if vectors[0].ndim != 1 or vectors[0].shape != vectors[1].shape:
        raise ArgumentError(f"x has shape {vectors[0].shape} and y {vectors[1].shape}; expected (n,) twice")
    result = ctypes.c_double()
    addresses = (vector.ctypes.data for vector in vectors)
    check(load().rooftop_template_dot(len(vectors[0]), *addresses, ctypes.byref(result)))
    return result.value
