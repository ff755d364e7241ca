"""The network solver's C interface, ``rooftop/network.h``."""

from __future__ import annotations

import ctypes
from functools import cache

from rooftop.errors import Misuse
from rooftop.solvers.c_interface import solver_library
from rooftop.solvers.c_interface.solver_library import pointer, status

ABI_VERSION = 2
NAME, TITLE = "network", "network"


class NetworkArgumentError(Misuse, ValueError):
    """Invalid network or option. The message gives the value and what is expected."""


class Problem(ctypes.Structure):
    """A network as arrays: ``rooftop_network_problem``."""

    _fields_ = [
        ("nodes", ctypes.c_int32),
        ("arcs", ctypes.c_int32),
        ("months", ctypes.c_int32),
        ("objectives", ctypes.c_int32),
        ("shipments", ctypes.c_int32),
        ("tail", pointer),
        ("head", pointer),
        ("capacity_kg", pointer),
        ("payload_kg", ctypes.c_int64),
        ("per_vehicle", pointer),
        ("per_kg", pointer),
        ("month", pointer),
        ("origin", pointer),
        ("destination", pointer),
        ("kg", pointer),
    ]


class Progress(ctypes.Structure):
    """Progress of the front: ``rooftop_network_progress``."""

    _fields_ = [
        ("seconds", ctypes.c_double),
        ("iterations", ctypes.c_int64),
        ("overload_kg", ctypes.c_int64),
        ("plans", ctypes.c_int32),
        ("points", ctypes.POINTER(ctypes.c_double)),
    ]
    seconds: float
    iterations: int
    overload_kg: int
    plans: int


Watch = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Progress), ctypes.c_void_p)


class Options(ctypes.Structure):
    """Options of a search: ``rooftop_network_options``."""

    _fields_ = [
        ("seconds", ctypes.c_double),
        ("iterations", ctypes.c_int64),
        ("seed", ctypes.c_uint64),
        ("threads", ctypes.c_int32),
        ("plans", ctypes.c_int32),
        ("trails", ctypes.c_int32),
        ("weights", pointer),
        ("watch", Watch),
        ("watch_with", ctypes.c_void_p),
        ("stop", pointer),
    ]


class Result(ctypes.Structure):
    """A solution's figures and points: ``rooftop_network_result``."""

    _fields_ = [
        ("seconds", ctypes.c_double),
        ("iterations", ctypes.c_int64),
        ("overload_kg", ctypes.c_int64),
        ("plans", ctypes.c_int32),
        ("points", ctypes.POINTER(ctypes.c_double)),
    ]
    seconds: float
    iterations: int
    overload_kg: int
    plans: int


@cache
def load() -> ctypes.CDLL:
    """Return the library with its function types declared. Raises NotBuilt if no matching library is found."""
    to_pointer = ctypes.POINTER(pointer)
    first, arcs = (ctypes.POINTER(ctypes.POINTER(kind)) for kind in (ctypes.c_int64, ctypes.c_int32))
    functions: list[solver_library.Function] = [
        ("solve", status, [ctypes.POINTER(Problem), ctypes.POINTER(Options), to_pointer]),
        ("solution_result", status, [pointer, ctypes.POINTER(Result)]),
        ("solution_paths", status, [pointer, ctypes.c_int32, first, arcs]),
        ("solution_destroy", None, [pointer]),
    ]
    return solver_library.load(NAME, TITLE, ABI_VERSION, functions)


def check(code: int) -> None:
    """Raise an exception with the library's message if the status is not 0."""
    solver_library.check(code, load(), NAME, TITLE, NetworkArgumentError)
