"""The solver's C interface, ``rooftop/template.h``."""

from __future__ import annotations

import ctypes
from functools import cache

from rooftop.errors import Misuse
from rooftop.solvers.c_interface import solver_library
from rooftop.solvers.c_interface.solver_library import pointer, status

ABI_VERSION = 1
NAME, TITLE = "template", "dot product"


class ArgumentError(Misuse, ValueError):
    """A vector that the solver cannot take: its message gives the value and what is expected."""


@cache
def load() -> ctypes.CDLL:
    """Return the library with its function types declared. Raises NotBuilt if no matching library is found."""
    arguments = [ctypes.c_int64, pointer, pointer, ctypes.POINTER(ctypes.c_double)]
    return solver_library.load(NAME, TITLE, ABI_VERSION, [("dot", status, arguments)])


def check(code: int) -> None:
    """Raise the exception of a status other than 0, with the library's message."""
    solver_library.check(code, load(), NAME, TITLE, ArgumentError)
