"""Array arguments of the solver, and the blocked layout (N, C/16, H, W, 16) of images."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.c_interface.array_addresses import ALIGNMENT, address, aligned
from rooftop.solvers.c_interface.checked_arrays import unmasked
from rooftop.solvers.c_interface.checked_numbers import whole
from rooftop.solvers.conv import library
from rooftop.solvers.conv.library import CHANNEL_BLOCK, ConvArgumentError, check

FLOAT = np.dtype(np.float32)

Floats = NDArray[np.float32]
Layout = Literal["nchw", "blocked"]


def empty(shape: tuple[int, ...]) -> Floats:
    """Return an uninitialised float32 array on a 64-byte boundary."""
    lengths = tuple(whole("a length", length, ConvArgumentError) for length in shape)
    return aligned(lengths, math.prod(lengths), FLOAT)[0]


def check_array(name: str, value: Any, shape: tuple[int, ...]) -> Floats:
    """Check type, kind and shape; -1 stands for any size."""
    if not isinstance(value, np.ndarray):
        raise ConvArgumentError(f"{name} is a {type(value).__name__}; expected a NumPy array of float32")
    unmasked(name, value, ConvArgumentError)
    if value.dtype != np.float32:
        raise ConvArgumentError(f"{name} has dtype {value.dtype}; expected float32")
    if value.ndim != len(shape) or any(size not in (-1, seen) for size, seen in zip(shape, value.shape, strict=True)):
        wanted = ", ".join("any" if size == -1 else str(size) for size in shape)
        raise ConvArgumentError(f"{name} has shape {value.shape}; expected ({wanted})")
    return value


def placed(array: Floats, alignment: int) -> Floats:
    """Return the array if the solver can read it in place, else a copy."""
    if array.flags.c_contiguous and address(array) % alignment == 0:
        return array
    copy = empty(array.shape)
    copy[...] = array
    return copy


def blocks_of(channels: int) -> int:
    """Return the number of channel blocks of the blocked layout."""
    return -(-channels // CHANNEL_BLOCK)


def alignment_of(layout: str) -> int:
    """Return the alignment in bytes that the solver requires."""
    return 4 if layout == "nchw" else ALIGNMENT


def array_shape(layout: str, n: int, channels: int, h: int, w: int) -> tuple[int, ...]:
    """Return the shape of so many images in a layout."""
    return (n, channels, h, w) if layout == "nchw" else (n, blocks_of(channels), h, w, CHANNEL_BLOCK)


def check_writable(name: str, array: Floats, shape: tuple[int, ...], alignment: int, *inputs: Floats) -> None:
    """Check a caller's output array, which cannot be replaced by a copy."""
    check_array(name, array, shape)
    if not array.flags.writeable:
        raise ConvArgumentError(f"{name} is read-only; expected a writable array")
    if not array.flags.c_contiguous:
        raise ConvArgumentError(f"{name} has strides {array.strides}; expected a C-contiguous array")
    if array.ctypes.data % alignment:
        raise ConvArgumentError(
            f"{name} starts {array.ctypes.data % alignment} bytes past a {alignment}-byte boundary; "
            "expected an aligned array, such as rooftop.solvers.conv.empty returns"
        )
    if any(np.may_share_memory(array, other) for other in inputs):
        raise ConvArgumentError(f"{name} overlaps an input array; expected one of its own")


def to_blocked(x: Floats, out: Floats | None = None, *, threads: int = 0) -> Floats:
    """Convert (N, C, H, W) to (N, C/16, H, W, 16), aligned to 64 bytes, channels zero-padded to a multiple of 16."""
    n, c, h, w = check_array("x", x, (-1, -1, -1, -1)).shape
    image = placed(x, 4)
    shape = array_shape("blocked", n, c, h, w)
    if out is None:
        out = empty(shape)
    else:
        check_writable("out", out, shape, ALIGNMENT, image)
    check(
        library.load().rooftop_conv_to_blocked(
            image.ctypes.data, out.ctypes.data, n, c, h, w, whole("threads", threads, ConvArgumentError, 32)
        )
    )
    return out


def from_blocked(x: Floats, channels: int, out: Floats | None = None, *, threads: int = 0) -> Floats:
    """Convert (N, C/16, H, W, 16) to (N, C, H, W) with C = `channels`, dropping the padding channels."""
    channels = whole("channels", channels, ConvArgumentError)
    n, _, h, w, _ = check_array("x", x, (-1, blocks_of(channels), -1, -1, CHANNEL_BLOCK)).shape
    image = placed(x, ALIGNMENT)
    if out is None:
        out = empty((n, channels, h, w))
    else:
        check_writable("out", out, (n, channels, h, w), 4, image)
    check(
        library.load().rooftop_conv_from_blocked(
            image.ctypes.data, out.ctypes.data, n, channels, h, w, whole("threads", threads, ConvArgumentError, 32)
        )
    )
    return out
