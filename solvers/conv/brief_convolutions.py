"""Brief convolutions run by a function of Python's own, where it is built: ``python/brief_convolutions.c``."""

from __future__ import annotations

import ctypes
import math
from functools import cache
from typing import Any

import numpy as np

from rooftop.solvers.c_interface import python_functions
from rooftop.solvers.c_interface.array_addresses import aligned
from rooftop.solvers.c_interface.solver_library import Handle
from rooftop.solvers.conv import library
from rooftop.solvers.conv.arrays import FLOAT, Floats

# Such a convolution takes some tens of microseconds at most, in which the interpreter's lock is held.
_MOST_FLOPS = 5e5  # of the direct method
_MOST_SCRATCH_BYTES = 1 << 20
FEW_FLOATS = 4096  # of an NCHW result, which need not be aligned: to align so few takes longer than it gains
_BOUNDARY = 16  # bytes, on which NumPy's arrays lie

_scratch: list[tuple[Floats, int]] = []  # of the largest that was needed: plans are run one at a time


@cache
def _functions() -> tuple[Any, Any] | None:
    """Return the function that makes such a function of a plan, and the address of the solver's."""
    found = python_functions.beside(library.load(), library.NAME)
    if found is None:
        return None
    make = found.rooftop_conv_python_plan
    pointer = ctypes.c_void_p
    make.argtypes, make.restype = [ctypes.py_object, pointer, pointer, pointer], ctypes.py_object
    return make, python_functions.function_addresses(library.load(), ("rooftop_conv_run_with_bias",))


def _scratch_of(size: int) -> tuple[Floats, int]:
    count = -(-size // 4)
    if not _scratch or len(_scratch[0][0]) < count:
        _scratch[:] = [aligned((count,), count, FLOAT)]
    return _scratch[0]


def brief_run(
    handle: Handle, flops: float, scratch_bytes: int, arrays: tuple[tuple[tuple[int, ...], int], ...]
) -> python_functions.AskedFirst:
    """Return the function that runs a plan, if it is brief; otherwise one that leaves all to others.

    flops   of the direct method
    arrays  shape and boundary of the image, the filters, the bias and the output

    It takes an image, filters, a bias or None, and an array for the output or None, and returns the output.
    """
    brief = flops <= _MOST_FLOPS and scratch_bytes <= _MOST_SCRATCH_BYTES and math.prod(arrays[-1][0]) <= FEW_FLOATS
    functions = _functions() if brief and arrays[-1][1] <= _BOUNDARY else None
    if functions is None:
        return python_functions.AskedFirst()
    make, run = functions
    memory, scratch = _scratch_of(scratch_bytes)
    known = (np.ndarray, np.empty, FLOAT, *(part for array in arrays for part in array), (handle, memory))
    return python_functions.AskedFirst(make(known, run, handle.address, scratch) or python_functions.left_to_others)
