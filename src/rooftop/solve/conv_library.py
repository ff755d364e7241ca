"""The convolution solver's C interface (``rooftop/conv.h``), loaded with ctypes, which frees the GIL in each call."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
from functools import cache
from pathlib import Path

from rooftop.errors import Misuse, NotBuilt, RooftopError
from rooftop.settings import Settings

ABI_VERSION = 2
ALIGNMENT = 64  # bytes
CHANNEL_BLOCK = 16
LIBRARY = "librooftop_conv.so"

ALGORITHMS = ("automatic", "direct", "F(2)", "F(4)", "F(6)")


class ConvArgumentError(Misuse, ValueError):
    """An array or option that a convolution cannot take: what was wrong, the value seen, what is expected."""


class Shape(ctypes.Structure):
    """Sizes of a convolution: ``rooftop_conv_shape``."""

    _fields_ = [(name, ctypes.c_int64) for name in ("n", "c", "h", "w", "k", "padding")]


class Options(ctypes.Structure):
    """Layouts, accuracy, algorithm, filter and threads: ``rooftop_conv_options``."""

    _fields_ = [
        (name, ctypes.c_int32) for name in ("input", "output", "accuracy", "algorithm", "filter", "measure", "threads")
    ]


class Sizes(ctypes.Structure):
    """What a plan needs and does: ``rooftop_conv_sizes``."""

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


def _candidates() -> list[str]:
    """Where the library may be, the most particular place first."""
    if named := os.environ.get("ROOFTOP_CONV_LIBRARY"):
        return [named]
    beside = Path(__file__).parent / LIBRARY
    built = Settings().build_folder / "solvers" / "conv" / LIBRARY
    installed = ctypes.util.find_library("rooftop_conv")
    return [str(path) for path in (beside, built) if path.is_file()] + ([installed] if installed else [])


@cache
def load() -> ctypes.CDLL:
    """Give the library with its functions' types declared. Raises NotBuilt when there is none that fits."""
    found = _candidates()
    if not found:
        raise NotBuilt(
            "the convolution solver is not built: no librooftop_conv.so in "
            f"{Settings().build_folder / 'solvers' / 'conv'}; run 'make climb', or name it in ROOFTOP_CONV_LIBRARY"
        )
    try:
        library = ctypes.CDLL(found[0])
        version = int(library.rooftop_conv_abi_version())
    except (OSError, AttributeError) as error:
        raise NotBuilt(f"{found[0]}: cannot be loaded: {error}; expected the convolution solver's library") from None
    if version != ABI_VERSION:
        raise NotBuilt(f"{found[0]}: its C interface is version {version}; expected {ABI_VERSION}: build it again")

    pointer, size, status = ctypes.c_void_p, ctypes.c_int64, ctypes.c_int
    shapes = [pointer, pointer, size, size, size, size, ctypes.c_int]
    for name, result, arguments in (
        ("last_error", ctypes.c_char_p, []),
        ("plan_create", status, [ctypes.POINTER(Shape), ctypes.POINTER(Options), ctypes.POINTER(pointer)]),
        ("plan_destroy", None, [pointer]),
        ("plan_sizes", status, [pointer, ctypes.POINTER(Sizes)]),
        ("plan_instruction_set", ctypes.c_char_p, [pointer]),
        ("transform_filter", status, [pointer, pointer, pointer]),
        ("run", status, [pointer, pointer, pointer, pointer, pointer]),
        ("to_blocked", status, shapes),
        ("from_blocked", status, shapes),
    ):
        function = getattr(library, f"rooftop_conv_{name}")
        function.restype = result
        function.argtypes = arguments
    return library


def check(status: int) -> None:
    """Raise what a status other than 0 stands for, with the library's own message."""
    if status == 0:
        return
    message = load().rooftop_conv_last_error().decode("utf-8", "replace")
    if status == 1:
        raise ConvArgumentError(message)
    if status == 2:
        raise MemoryError(message)
    raise RooftopError(f"the convolution solver failed: {message}")
