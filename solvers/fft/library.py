"""The Fourier transform solver's C interface, ``rooftop/fft.h``."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any, NamedTuple

from rooftop.errors import Misuse
from rooftop.solvers.c_interface import solver_library
from rooftop.solvers.c_interface.solver_library import pointer, status

ABI_VERSION = 2
FORWARD, BACKWARD = 0, 1
NAME, TITLE = "fft", "Fourier transform"


class FourierArgumentError(Misuse, ValueError):
    """An array or option that a transform cannot take: its message gives the value and what is expected."""


class Shape(ctypes.Structure):
    """Lengths of a grid, x varying fastest in memory: ``rooftop_fft_shape``."""

    _fields_ = [(name, ctypes.c_int64) for name in ("nx", "ny", "nz")]


class Options(ctypes.Structure):
    """Threads, axes, scales, and whether to measure: ``rooftop_fft_options``."""

    _fields_ = [
        ("threads", ctypes.c_int32),
        ("axes", ctypes.c_int32),
        ("forward_scale", ctypes.c_double),
        ("backward_scale", ctypes.c_double),
        ("measure", ctypes.c_int32),
        ("first_axis", ctypes.c_int32),
    ]


class Factors(ctypes.Structure):
    """Addresses of the factors along x, y and z: ``rooftop_fft_factors``."""

    _fields_ = [(name, ctypes.c_void_p) for name in ("x", "y", "z")]


class Sizes(ctypes.Structure):
    """What a plan needs and does: ``rooftop_fft_sizes``."""

    _fields_ = [
        ("values", ctypes.c_uint64),
        ("scratch_bytes", ctypes.c_uint64),
        ("multiply_add_flops", ctypes.c_double),
        ("lone_flops", ctypes.c_double),
    ]
    values: int
    scratch_bytes: int
    multiply_add_flops: float
    lone_flops: float


@cache
def load() -> ctypes.CDLL:
    """Return the library with its function types declared. Raises NotBuilt if no matching library is found."""
    functions: list[solver_library.Function] = [
        ("plan_create", status, [ctypes.POINTER(Shape), ctypes.POINTER(Options), ctypes.POINTER(pointer)]),
        ("plan_destroy", None, [pointer]),
        ("plan_sizes", status, [pointer, ctypes.POINTER(Sizes)]),
        ("plan_instruction_set", ctypes.c_char_p, [pointer]),
        ("run", status, [pointer, ctypes.c_int32, pointer, pointer, pointer, ctypes.POINTER(Factors)]),
        (
            "run_stoppable",
            status,
            [pointer, ctypes.c_int32, pointer, pointer, pointer, ctypes.POINTER(Factors), pointer],
        ),
    ]
    functions += [
        ("real_plan_create", status, [ctypes.POINTER(Shape), ctypes.POINTER(Options), ctypes.POINTER(pointer)]),
        ("real_plan_destroy", None, [pointer]),
        ("real_plan_sizes", status, [pointer, ctypes.POINTER(Sizes)]),
        ("real_plan_instruction_set", ctypes.c_char_p, [pointer]),
        ("real_run_stoppable", status, [pointer, ctypes.c_int32, pointer, pointer, pointer, pointer]),
    ]
    both = [(name + suffix, result, arguments) for suffix in ("", "_float") for name, result, arguments in functions]
    return solver_library.load(NAME, TITLE, ABI_VERSION, both)


class PlanFunctions(NamedTuple):
    """The functions of plans of complex or real values in one precision. `run` is None for real ones."""

    plan_create: Any
    plan_destroy: Any
    plan_sizes: Any
    plan_instruction_set: Any
    run_stoppable: Any
    run: Any = None


def plan_functions(*, single: bool, real: bool = False) -> PlanFunctions:
    """Return the library's functions for floats or doubles. Raises NotBuilt as `load` does."""
    library, suffix = load(), "_float" if single else ""
    names = PlanFunctions._fields[:-1] if real else PlanFunctions._fields
    start = f"rooftop_{NAME}_real_" if real else f"rooftop_{NAME}_"
    return PlanFunctions(*(getattr(library, f"{start}{name}{suffix}") for name in names))


def run_address(*, single: bool, real: bool) -> int | None:
    """Return the address of the C function of (plan, direction, in, out, scratch, null) that runs such a plan."""
    name = f"rooftop_{NAME}_{'real_run_stoppable' if real else 'run'}{'_float' if single else ''}"
    return ctypes.cast(load()[name], ctypes.c_void_p).value


def check(code: int) -> None:
    """Raise an exception with the library's message if the status is not 0."""
    solver_library.check(code, load(), NAME, TITLE, FourierArgumentError)
