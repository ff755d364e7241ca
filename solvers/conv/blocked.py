"""The blocked layout: images as (N, C/16, H, W, 16), made from (N, C, H, W) and turned back."""

from __future__ import annotations

from rooftop.solvers.c_interface.aligned import ALIGNMENT
from rooftop.solvers.c_interface.checked_numbers import whole
from rooftop.solvers.conv import library
from rooftop.solvers.conv.arrays import Floats, array_shape, blocks_of, check_array, check_writable, empty, placed
from rooftop.solvers.conv.library import CHANNEL_BLOCK, ConvArgumentError, check


def to_blocked(x: Floats, out: Floats | None = None, *, threads: int = 0) -> Floats:
    """(N, C, H, W) to (N, C/16, H, W, 16) on a 64-byte boundary, the channels padded with zeros to a multiple of 16."""
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
    """(N, C/16, H, W, 16) to (N, C, H, W) with C = `channels`, leaving the padding channels behind."""
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
