"""Short transforms run by functions of Python's own, where they are built: ``python/brief_transforms.c``.

A call through ctypes and the checks before it take 3 µs, in which a short transform is run several times. A call that
was found right is remembered, and the same call again takes the short way. Without these functions, which need Python's
headers when the solver is built, all calls go the long way.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.c_interface import python_functions
from rooftop.solvers.c_interface.array_addresses import aligned
from rooftop.solvers.fft import library

# Such a transform takes some tens of microseconds at most, and no second thread.
_MOST_VALUES, _MOST_BYTES = 8191, 64 << 10

# Of (a, s, axes, norm, threads): the result, or None if the call is not known.
Transform = Callable[[Any, Any, Any, Any, Any], Any]

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
    ):
        function = getattr(found, f"rooftop_fft_python_{name}")
        function.argtypes, function.restype = arguments, anything
    return found


def _left_to_others(*_: Any) -> None:
    """Run nothing."""


def _scratch_of(count: int) -> tuple[NDArray[Any], int]:
    if not _scratch or _scratch[0][0].nbytes < count:
        _scratch[:] = [aligned((count,), count, np.dtype(np.uint8))]
    return _scratch[0]


class BriefCalls:
    """The calls of one function that are remembered, and `run`, which runs them."""

    def __init__(self) -> None:
        self.run: Transform = _left_to_others
        self._calls: Any = None

    def add(self, plan: Any, direction: int, words: tuple[Any, ...], result: NDArray[Any]) -> None:
        """Remember a call that `plan` ran, if it is brief: ``words`` are (a, s, axes, norm, threads)."""
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
            self.run = functions.rooftop_fft_python_transform(self._calls)
        memory, scratch = _scratch_of(plan.scratch_bytes)
        where = (plan.address, plan.function, direction, scratch)
        functions.rooftop_fft_python_add(self._calls, (*words, result), (plan, memory), *where)

    def forget(self) -> None:
        """Forget all calls, and give their plans back."""
        functions = _functions()
        if functions is not None and self._calls is not None:
            functions.rooftop_fft_python_forget(self._calls)
