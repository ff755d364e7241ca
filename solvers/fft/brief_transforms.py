"""Short transforms run by functions of Python's own, where they are built: ``python/brief_transforms.c``.

A call through ctypes and the checks before it take 3 µs, in which a short transform is run several times. A call that
was found right is remembered, and the same call again takes the short way. Without these functions, which need Python's
headers when the solver is built, all calls go the long way.
"""

from __future__ import annotations

import ctypes
import math
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.c_interface import python_functions
from rooftop.solvers.c_interface.array_addresses import ALIGNED_FROM_BYTES, aligned
from rooftop.solvers.fft import library

# Such a transform takes some tens of microseconds at most, and no second thread.
_MOST_VALUES, _MOST_BYTES = 8191, 64 << 10

_FORMATS = {"f": "f", "d": "d", "F": "Zf", "D": "Zd"}  # of buffers, by the dtype's letter

_scratch: list[tuple[NDArray[Any], int]] = []  # of the largest that was needed: they are run one at a time


@cache
def _functions() -> ctypes.PyDLL | None:
    found = python_functions.beside(library.load(), library.NAME)
    if found is None:
        return None
    anything, pointer = ctypes.py_object, ctypes.c_void_p
    for name, arguments in (
        ("calls", [anything, anything]),
        ("transform", [anything]),
        ("add", [anything, anything, anything, pointer, pointer, ctypes.c_int, pointer]),
        ("forget", [anything]),
        ("plan", [anything, pointer, pointer, pointer]),
    ):
        function = getattr(found, f"rooftop_fft_python_{name}")
        function.argtypes, function.restype = arguments, anything
    return found


def _scratch_of(count: int) -> tuple[NDArray[Any], int]:
    if not _scratch or _scratch[0][0].nbytes < count:
        _scratch[:] = [aligned((count,), count, np.dtype(np.uint8))]
    return _scratch[0]


def brief_run(plan: Any, ends: Sequence[tuple[tuple[int, ...], np.dtype[Any]]]) -> python_functions.AskedFirst:
    """Return the function that runs a plan, if it is brief; otherwise one that leaves all to others.

    ends  shape and dtype of the values and of the modes

    It takes a direction, an array, and an array for the result or None, and returns the result.
    """
    most = max(math.prod(shape) * dtype.itemsize for shape, dtype in ends)
    brief = plan.grids == 1 and plan.values < _MOST_VALUES and most < ALIGNED_FROM_BYTES
    functions = _functions() if brief else None
    if functions is None:
        return python_functions.AskedFirst()
    memory, scratch = _scratch_of(plan.scratch_bytes)
    parts = (part for shape, dtype in ends for part in (shape, dtype, _FORMATS[dtype.char]))
    known = (np.ndarray, np.empty, *parts, (plan.handle, memory))
    made = functions.rooftop_fft_python_plan(known, plan.function, plan.address, scratch)
    return python_functions.AskedFirst(made or python_functions.left_to_others)


class BriefCalls(python_functions.AskedFirst):
    """The calls of one function that are remembered, and `run`, of (a, s, axes, norm, threads), which runs them."""

    def __init__(self) -> None:
        super().__init__()
        self._calls: Any = None

    def add(
        self, plan: Any, direction: int, words: tuple[Any, ...], result: NDArray[Any], *, of_reals: bool = False
    ) -> None:
        """Remember a call that `plan` ran, if it is brief: ``words`` are (a, s, axes, norm, threads).

        of_reals  whether `a` is real, and its transform that of complex numbers
        """
        if python_functions.all_left_out():
            return
        a, norm = words[0], words[3]
        if plan.values >= _MOST_VALUES or max(a.nbytes, result.nbytes) > _MOST_BYTES:
            return
        if not (norm is None or norm is sys.intern(norm)):  # which is looked for by identity
            return
        functions = _functions()
        if functions is None:
            return
        if self._calls is None:
            self._calls = functions.rooftop_fft_python_calls(np.ndarray, np.empty)
            self.use(functions.rooftop_fft_python_transform(self._calls))
        memory, scratch = _scratch_of(plan.scratch_bytes)
        where = (plan.address, plan.function, direction, scratch)
        functions.rooftop_fft_python_add(self._calls, (*words, result, of_reals), (plan, memory), *where)

    def forget(self) -> None:
        """Forget all calls, and give their plans back."""
        functions = _functions()
        if functions is not None and self._calls is not None:
            functions.rooftop_fft_python_forget(self._calls)
