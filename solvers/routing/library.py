"""The routing solver's C interface, ``rooftop/routing.h``."""

from __future__ import annotations

import ctypes
from functools import cache

from rooftop.errors import Misuse
from rooftop.solvers.c_interface import solver_library
from rooftop.solvers.c_interface.solver_library import pointer, status

ABI_VERSION = 4
NAME, TITLE = "routing", "routing"


class RoutingArgumentError(Misuse, ValueError):
    """Invalid problem or option. The message gives the value and what is expected."""


class Progress(ctypes.Structure):
    """Progress of a search: ``rooftop_routing_progress``."""

    _fields_ = [("seconds", ctypes.c_double), ("iterations", ctypes.c_int64), ("length", ctypes.c_int64)]
    seconds: float
    iterations: int
    length: int


Watch = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Progress), ctypes.c_void_p)
Show = ctypes.CFUNCTYPE(None, ctypes.POINTER(Progress), ctypes.POINTER(ctypes.c_int32), ctypes.c_void_p)


class Options(ctypes.Structure):
    """Options of a search: ``rooftop_routing_options``."""

    _fields_ = [
        ("seconds", ctypes.c_double),
        ("iterations", ctypes.c_int64),
        ("seed", ctypes.c_uint64),
        ("threads", ctypes.c_int32),
        ("watch", Watch),
        ("watch_with", ctypes.c_void_p),
        ("show", Show),
        ("show_every", ctypes.c_double),
        ("show_with", ctypes.c_void_p),
        ("stop", pointer),
        ("initial", pointer),
    ]


class Result(ctypes.Structure):
    """Result of a search: ``rooftop_routing_result``."""

    _fields_ = [
        ("length", ctypes.c_int64),
        ("iterations", ctypes.c_int64),
        ("seconds", ctypes.c_double),
        ("cities", ctypes.c_int32),
        ("order", ctypes.POINTER(ctypes.c_int32)),
        ("history_count", ctypes.c_int64),
        ("history", ctypes.POINTER(Progress)),
    ]
    length: int
    iterations: int
    seconds: float
    cities: int
    history_count: int


@cache
def load() -> ctypes.CDLL:
    """Return the library with its function types declared. Raises NotBuilt if no matching library is found."""
    to_pointer, doubles = ctypes.POINTER(pointer), ctypes.POINTER(ctypes.c_double)
    functions: list[solver_library.Function] = [
        ("problem_read", status, [ctypes.c_char_p, to_pointer]),
        ("problem_of_text", status, [ctypes.c_char_p, ctypes.c_int64, ctypes.c_char_p, to_pointer]),
        ("problem_tour_of_text", status, [pointer, ctypes.c_char_p, ctypes.c_int64, ctypes.c_char_p, pointer]),
        ("problem_in_plane", status, [ctypes.c_int32, pointer, pointer, to_pointer]),
        ("problem_of_matrix", status, [ctypes.c_int32, pointer, to_pointer]),
        ("problem_destroy", None, [pointer]),
        ("problem_cities", status, [pointer, ctypes.POINTER(ctypes.c_int32)]),
        ("problem_remarks", ctypes.c_char_p, [pointer]),
        ("problem_name", ctypes.c_char_p, [pointer]),
        ("problem_x", doubles, [pointer]),
        ("problem_y", doubles, [pointer]),
        ("problem_metric", ctypes.c_char_p, [pointer]),
        ("problem_matrix", ctypes.POINTER(ctypes.c_int32), [pointer]),
        ("problem_length", status, [pointer, pointer, ctypes.POINTER(ctypes.c_int64)]),
        ("solve", status, [pointer, ctypes.POINTER(Options), to_pointer]),
        ("solution_result", status, [pointer, ctypes.POINTER(Result)]),
        ("solution_write", status, [pointer, ctypes.c_char_p, ctypes.c_char_p]),
        ("solution_destroy", None, [pointer]),
    ]
    return solver_library.load(NAME, TITLE, ABI_VERSION, functions)


def check(code: int) -> None:
    """Raise an exception with the library's message if the status is not 0."""
    solver_library.check(code, load(), NAME, TITLE, RoutingArgumentError)
