"""The elasticity solver's C interface, ``rooftop/elasticity.h``."""

from __future__ import annotations

import ctypes
from functools import cache

from rooftop.errors import Misuse
from rooftop.solvers.c_interface import solver_library
from rooftop.solvers.c_interface.solver_library import pointer, status

ABI_VERSION = 3
NAME, TITLE = "elasticity", "elasticity"


class ElasticityArgumentError(Misuse, ValueError):
    """Invalid body or option. The message gives the value and what is expected."""


class Body(ctypes.Structure):
    """A box of hexahedra with materials, loads and supports: ``rooftop_elasticity_body``."""

    _fields_ = [
        ("nodes", ctypes.c_int64 * 3),
        ("coordinates", pointer),
        ("young_values", ctypes.c_int64),
        ("young", pointer),
        ("poisson_values", ctypes.c_int64),
        ("poisson", pointer),
        ("load", pointer),
        ("held", pointer),
    ]


class Elements(ctypes.Structure):
    """Elements of one kind: ``rooftop_elasticity_elements``."""

    _fields_ = [("kind", ctypes.c_int32), ("count", ctypes.c_int64), ("nodes", pointer)]


class Mesh(ctypes.Structure):
    """Elements with materials, loads, supports and dependences: ``rooftop_elasticity_mesh``."""

    _fields_ = [
        ("nodes", ctypes.c_int64),
        ("coordinates", pointer),
        ("blocks", ctypes.c_int64),
        ("elements", ctypes.POINTER(Elements)),
        ("young_values", ctypes.c_int64),
        ("young", pointer),
        ("poisson_values", ctypes.c_int64),
        ("poisson", pointer),
        ("load", pointer),
        ("held", pointer),
        ("dependences", ctypes.c_int64),
        ("dependent", pointer),
        ("start", pointer),
        ("independent", pointer),
        ("factor", pointer),
        ("constant", pointer),
        ("stiffness_values", ctypes.c_int64),
        ("stiffness", pointer),
    ]


class Progress(ctypes.Structure):
    """Progress of the iteration: ``rooftop_elasticity_progress``."""

    _fields_ = [("seconds", ctypes.c_double), ("iterations", ctypes.c_int64), ("residual", ctypes.c_double)]
    seconds: float
    iterations: int
    residual: float


Watch = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Progress), ctypes.c_void_p)


class Options(ctypes.Structure):
    """Options of the solver: ``rooftop_elasticity_options``."""

    _fields_ = [
        ("preconditioner", ctypes.c_int32),
        ("tolerance", ctypes.c_double),
        ("iterations", ctypes.c_int64),
        ("seconds", ctypes.c_double),
        ("threads", ctypes.c_int32),
        ("watch", Watch),
        ("watch_with", ctypes.c_void_p),
        ("single_values", ctypes.c_int32),
        ("stop", pointer),
    ]


class Result(ctypes.Structure):
    """Result of the solver: ``rooftop_elasticity_result``."""

    _fields_ = [
        ("outcome", ctypes.c_int32),
        ("iterations", ctypes.c_int64),
        ("residual", ctypes.c_double),
        ("setup_seconds", ctypes.c_double),
        ("seconds", ctypes.c_double),
        ("bytes", ctypes.c_double),
        ("rounding", ctypes.c_double),
        ("stretched", ctypes.c_int32),
        ("replaced", ctypes.c_int32),
    ]
    outcome: int
    iterations: int
    residual: float
    setup_seconds: float
    seconds: float
    bytes: float
    rounding: float
    stretched: int
    replaced: int


@cache
def load() -> ctypes.CDLL:
    """Return the library with its function types declared. Raises NotBuilt if no matching library is found."""
    more = [ctypes.POINTER(Options), pointer, pointer, ctypes.c_int64, ctypes.POINTER(Result)]
    functions: list[solver_library.Function] = [
        ("solve", status, [ctypes.POINTER(Body), *more]),
        ("solve_mesh", status, [ctypes.POINTER(Mesh), *more]),
    ]
    return solver_library.load(NAME, TITLE, ABI_VERSION, functions)


def check(code: int) -> None:
    """Raise an exception with the library's message if the status is not 0."""
    solver_library.check(code, load(), NAME, TITLE, ElasticityArgumentError)
