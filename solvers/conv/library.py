"""The convolution solver's C interface, ``rooftop/conv.h``."""

from __future__ import annotations

import ctypes
from functools import cache

from rooftop.errors import Misuse
from rooftop.solvers.c_interface import solver_library
from rooftop.solvers.c_interface.solver_library import pointer, status

ABI_VERSION = 3
CHANNEL_BLOCK = 16
SIZE_MAX = 1 << 24  # of images, channels, filters, rows and columns: no known network comes near
NAME, TITLE = "conv", "convolution"

ALGORITHMS = ("automatic", "direct", "F(2)", "F(4)", "F(6)")


class ConvArgumentError(Misuse, ValueError):
    """Invalid array or option. The message gives the value and what is expected."""


class Shape(ctypes.Structure):
    """Sizes of a convolution: ``rooftop_conv_shape``."""

    _fields_ = [(name, ctypes.c_int64) for name in ("n", "c", "h", "w", "k", "padding")]


class Options(ctypes.Structure):
    """Layouts, accuracy, algorithm, filter and threads: ``rooftop_conv_options``."""

    _fields_ = [
        *(
            (name, ctypes.c_int32)
            for name in ("input", "output", "accuracy", "algorithm", "filter", "measure", "threads")
        ),
        ("stop", pointer),
    ]


class Sizes(ctypes.Structure):
    """Memory and flops of a run: ``rooftop_conv_sizes``."""

    _fields_ = [
        ("image_floats", ctypes.c_uint64),
        ("output_floats", ctypes.c_uint64),
        ("filter_floats", ctypes.c_uint64),
        ("scratch_bytes", ctypes.c_uint64),
        ("multiply_add_flops", ctypes.c_double),
        ("transform_flops", ctypes.c_double),
        ("algorithm", ctypes.c_int32),
        ("reserved", ctypes.c_int32),
    ]
    image_floats: int
    output_floats: int
    filter_floats: int
    scratch_bytes: int
    multiply_add_flops: float
    transform_flops: float
    algorithm: int


@cache
def load() -> ctypes.CDLL:
    """Return the library with its function types declared. Raises NotBuilt if no matching library is found."""
    size = ctypes.c_int64
    shapes = [pointer, pointer, size, size, size, size, ctypes.c_int]
    functions: list[solver_library.Function] = [
        ("plan_create", status, [ctypes.POINTER(Shape), ctypes.POINTER(Options), ctypes.POINTER(pointer)]),
        ("plan_destroy", None, [pointer]),
        ("plan_sizes", status, [pointer, ctypes.POINTER(Sizes)]),
        ("plan_instruction_set", ctypes.c_char_p, [pointer]),
        ("transform_filter", status, [pointer, pointer, pointer]),
        ("run", status, [pointer, pointer, pointer, pointer, pointer]),
        ("run_stoppable", status, [pointer, pointer, pointer, pointer, pointer, pointer]),
        ("run_with_bias", status, [pointer] * 7),
        ("to_blocked", status, shapes),
        ("from_blocked", status, shapes),
    ]
    return solver_library.load(NAME, TITLE, ABI_VERSION, functions)


def check(code: int) -> None:
    """Raise an exception with the library's message if the status is not 0."""
    solver_library.check(code, load(), NAME, TITLE, ConvArgumentError)
