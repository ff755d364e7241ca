"""fp32 3x3 convolution with stride 1 on NumPy arrays: the Python face of ``solvers/conv``.

``conv2d`` convolves with a filter as it is; ``ConvPlan`` plans once and runs many times, with the filter transformed
beforehand::

    y = rooftop.conv2d(x, w, padding=1)  # x: (N, C, H, W), w: (K, C, 3, 3), y: (N, K, H, W)

    plan = rooftop.ConvPlan(n=1, c=64, h=56, w=56, k=64, padding=1)
    transformed = plan.transform_filter(w)
    plan.run(x, transformed, out=y)

As in every deep-learning library the filter is not flipped: y[n,k,i,j] = sum of x[n,c,i+r-p,j+s-p] w[k,c,r,s].
Arrays are float32. A C-contiguous NCHW array is used where it lies, as is a blocked array on a 64-byte boundary (what
``empty`` and ``to_blocked`` give); anything else is copied first. The GIL is free while the solver works.
"""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.c_interface.aligned import ALIGNMENT, aligned_bytes
from rooftop.solvers.c_interface.checked_arrays import unmasked
from rooftop.solvers.c_interface.checked_numbers import whole, yes_or_no
from rooftop.solvers.c_interface.handle import Handle, SharedByCopies
from rooftop.solvers.c_interface.long_call import LongCall
from rooftop.solvers.c_interface.solver_library import threads_of_caller
from rooftop.solvers.conv import library
from rooftop.solvers.conv.library import CHANNEL_BLOCK, ConvArgumentError, check

__all__ = ["ConvArgumentError", "ConvPlan", "conv2d", "empty", "from_blocked", "to_blocked"]

Floats = NDArray[np.float32]
Layout = Literal["nchw", "blocked"]
Accuracy = Literal["strict", "balanced", "relaxed"]
FilterForm = Literal["transformed", "plain"]
Algorithm = Literal["automatic", "direct", "F(2)", "F(4)", "F(6)"]

PLANS_KEPT = 16
_LONG_FLOPS = 2e10  # of the direct method, above which a run may take some tenths of a second


def empty(shape: tuple[int, ...]) -> Floats:
    """Return an uninitialised float32 array on a 64-byte boundary."""
    lengths = tuple(_whole("a length", length) for length in shape)
    return aligned_bytes(4 * math.prod(lengths)).view(np.float32).reshape(lengths)


def _array(name: str, value: Any, shape: tuple[int, ...]) -> Floats:
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


def _placed(array: Floats, alignment: int) -> Floats:
    """Return the array itself where the solver can read it there, else a copy that it can."""
    if array.flags.c_contiguous and array.ctypes.data % alignment == 0:
        return array
    copy = empty(array.shape)
    copy[...] = array
    return copy


def _choice(name: str, value: Any, choices: tuple[str, ...]) -> int:
    if value not in choices:
        raise ConvArgumentError(f"{name} is {value!r}; expected one of {', '.join(choices)}")
    return choices.index(value)


def _whole(name: str, value: Any, bits: int = 64) -> int:
    return whole(name, value, ConvArgumentError, bits)


def _blocks(channels: int) -> int:
    return -(-channels // CHANNEL_BLOCK)


class ConvPlan(SharedByCopies):
    """A convolution of one shape, planned once.

    `layout` is that of image and output, or a pair of both; `accuracy` limits the algorithms that may be chosen
    (strict: direct or F(2), and exact where values are not finite; balanced: up to F(4); relaxed: up to F(6)), as
    `conv2d` tells, unless `algorithm` names one; `filter_form` says
    what `run` takes: "transformed" what `transform_filter` gave, for a filter that many runs share, "plain" the filter
    itself, transformed within the run, for one that is new each time; `measure` times the candidates instead of
    estimating; `threads` 0 takes as many as OpenMP would.

    May be used by several threads at once: each gets scratch memory of its own, kept for its next run. Copies share
    what was planned. One that is pickled is planned again where it is read, with the algorithm that was chosen here:
    filters are transformed anew with it.
    """

    def __init__(
        self,
        n: int,
        c: int,
        h: int,
        w: int,
        k: int,
        *,
        padding: int = 0,
        accuracy: Accuracy = "balanced",
        layout: Layout | tuple[Layout, Layout] = "nchw",
        algorithm: Algorithm = "automatic",
        filter_form: FilterForm = "transformed",
        measure: bool = False,
        threads: int = 0,
    ) -> None:
        layouts = layout if isinstance(layout, tuple) and len(layout) == 2 else (layout, layout)
        sizes = {"n": n, "c": c, "h": h, "w": w, "k": k, "padding": padding}
        shape = library.Shape(**{name: _whole(name, value) for name, value in sizes.items()})
        options = library.Options(
            input=_choice("layout", layouts[0], get_args(Layout)),
            output=_choice("layout", layouts[1], get_args(Layout)),
            accuracy=_choice("accuracy", accuracy, get_args(Accuracy)),
            algorithm=_choice("algorithm", algorithm, get_args(Algorithm)),
            filter=_choice("filter_form", filter_form, get_args(FilterForm)),
            measure=int(yes_or_no("measure", measure, ConvArgumentError)),
            threads=_whole("threads", threads, bits=32),
        )
        self._library = library.load()
        self.threads = int(options.threads)
        handle = ctypes.c_void_p()

        def create() -> None:
            made = ctypes.byref(handle)
            check(self._library.rooftop_conv_plan_create(ctypes.byref(shape), ctypes.byref(options), made))

        if measure:  # which runs every candidate several times
            call = LongCall()
            options.stop = call.flag.address
            options.threads = self.threads or threads_of_caller(self._library)
            call.run(create)
        else:
            create()
        self._handle = Handle(handle, self._library.rooftop_conv_plan_destroy)
        self._sizes = library.Sizes()
        check(self._library.rooftop_conv_plan_sizes(self._handle, ctypes.byref(self._sizes)))
        self._scratch = threading.local()

        self.n, self.c, self.h, self.w, self.k, self.padding = (int(getattr(shape, name)) for name in sizes)
        out_h, out_w = self.h + 2 * self.padding - 2, self.w + 2 * self.padding - 2
        self.input_layout, self.output_layout = layouts
        self.filter_form, self.accuracy = filter_form, accuracy
        self.image_shape = _array_shape(layouts[0], self.n, self.c, self.h, self.w)
        self.output_shape = _array_shape(layouts[1], self.n, self.k, out_h, out_w)

    def __reduce__(self) -> tuple[Any, ...]:
        options: dict[str, Any] = {
            "padding": self.padding,
            "accuracy": self.accuracy,
            "layout": (self.input_layout, self.output_layout),
            "algorithm": self.algorithm,
            "filter_form": self.filter_form,
            "threads": self.threads,
        }
        return partial(type(self), **options), (self.n, self.c, self.h, self.w, self.k)

    @property
    def algorithm(self) -> str:
        """The algorithm chosen: direct, F(2), F(4) or F(6)."""
        return library.ALGORITHMS[self._sizes.algorithm]

    @property
    def instruction_set(self) -> str:
        """The SIMD target that runs here, such as AVX3."""
        return str(self._library.rooftop_conv_plan_instruction_set(self._handle).decode())

    @property
    def filter_bytes(self) -> int:
        """Size of the filter that `run` takes."""
        return 4 * self._sizes.filter_floats

    @property
    def scratch_bytes(self) -> int:
        """The only memory that a run needs beyond its arrays."""
        return self._sizes.scratch_bytes

    @property
    def multiply_add_flops(self) -> float:
        """Flops that a run does in multiply-adds, 2 for each."""
        return self._sizes.multiply_add_flops

    @property
    def transform_flops(self) -> float:
        """Lone additions and multiplications that a run does."""
        return self._sizes.transform_flops

    @property
    def direct_flops(self) -> float:
        """Flops of the direct method, which rates are counted in."""
        out_h, out_w = self.h + 2 * self.padding - 2, self.w + 2 * self.padding - 2
        return 18.0 * self.n * self.k * self.c * out_h * out_w

    def transform_filter(self, w: Floats, out: Floats | None = None) -> Floats:
        """Turn a (K, C, 3, 3) filter into the form that `run` takes: a flat array on a 64-byte boundary.

        Raises ConvArgumentError for a plan whose filter is plain.
        """
        filters = _placed(_array("w", w, (self.k, self.c, 3, 3)), 4)
        if out is None:
            out = empty((self._sizes.filter_floats,))
        else:
            _writable("out", out, (self._sizes.filter_floats,), ALIGNMENT, filters)
        check(self._library.rooftop_conv_transform_filter(self._handle, filters.ctypes.data, out.ctypes.data))
        return out

    def run(self, x: Floats, filters: Floats, out: Floats | None = None) -> Floats:
        """Convolve an image of `image_shape` into `out` of `output_shape`, and return `out`.

        `filters` is what `transform_filter` gave, or the (K, C, 3, 3) filter itself if the plan takes a plain one.
        What a signal handler raises while a long run lasts, such as KeyboardInterrupt, ends the run and is raised here;
        `out` is then neither what it was nor what it was to become.
        """
        image = _placed(_array("x", x, self.image_shape), _alignment(self.input_layout))
        if self.filter_form == "plain":
            filters = _placed(_array("filters", filters, (self.k, self.c, 3, 3)), 4)
        else:
            filters = _placed(_array("filters", filters, (self._sizes.filter_floats,)), ALIGNMENT)
        if out is None:
            out = empty(self.output_shape)
        else:
            _writable("out", out, self.output_shape, _alignment(self.output_layout), image, filters)
        _, run = self.bare()
        check(run(image.ctypes.data, filters.ctypes.data, out.ctypes.data, self.scratch().ctypes.data))
        return out

    def __call__(self, x: Floats, w: Floats, out: Floats | None = None) -> Floats:
        """Convolve an image with a (K, C, 3, 3) filter."""
        return self.run(x, w if self.filter_form == "plain" else self.transform_filter(w), out)

    def scratch(self) -> Floats:
        """Return the calling thread's scratch memory, kept for as long as the thread and the plan live."""
        kept: Floats | None = getattr(self._scratch, "memory", None)
        if kept is None:
            kept = self._scratch.memory = empty((-(-self.scratch_bytes // 4),))
        return kept

    def bare(self) -> tuple[Callable[[int, int], int], Callable[[int, int, int, int], int]]:
        """Return the library's transform_filter and run, which take addresses, check no array and return a status."""
        library = self._library
        transform = partial(library.rooftop_conv_transform_filter, self._handle)
        if self.direct_flops < _LONG_FLOPS:
            return transform, partial(library.rooftop_conv_run, self._handle)

        def run_long(*addresses: int) -> int:
            call = LongCall()

            def run() -> int:
                code = int(library.rooftop_conv_run_stoppable(self._handle, *addresses, call.flag.address))
                check(code)  # here: the library keeps its message for the thread that called it
                return code

            return call.run(run)

        return transform, run_long

    def __repr__(self) -> str:
        return (
            f"ConvPlan(n={self.n}, c={self.c}, h={self.h}, w={self.w}, k={self.k}, padding={self.padding}: "
            f"{self.algorithm} on {self.instruction_set}, {self.input_layout} to {self.output_layout})"
        )


def _alignment(layout: str) -> int:
    return 4 if layout == "nchw" else ALIGNMENT


def _array_shape(layout: str, n: int, channels: int, h: int, w: int) -> tuple[int, ...]:
    return (n, channels, h, w) if layout == "nchw" else (n, _blocks(channels), h, w, CHANNEL_BLOCK)


def _writable(name: str, array: Floats, shape: tuple[int, ...], alignment: int, *inputs: Floats) -> None:
    """Check an array that the caller gave for a result, which cannot be copied out of his way."""
    _array(name, array, shape)
    if not array.flags.writeable:
        raise ConvArgumentError(f"{name} is read-only; expected a writable array")
    if not array.flags.c_contiguous:
        raise ConvArgumentError(f"{name} has strides {array.strides}; expected a C-contiguous array")
    if array.ctypes.data % alignment:
        raise ConvArgumentError(
            f"{name} starts {array.ctypes.data % alignment} bytes past a {alignment}-byte boundary; "
            "expected an aligned array, such as rooftop.conv.empty gives"
        )
    if any(np.may_share_memory(array, other) for other in inputs):
        raise ConvArgumentError(f"{name} overlaps an input array; expected one of its own")


@lru_cache(maxsize=PLANS_KEPT)
def _plan(
    sizes: tuple[int, ...], padding: int, accuracy: Accuracy, algorithm: Algorithm, layout: Layout, threads: int
) -> ConvPlan:
    options: dict[str, Any] = {"accuracy": accuracy, "algorithm": algorithm, "layout": layout, "threads": threads}
    return ConvPlan(*sizes, padding=padding, filter_form="plain", **options)


def conv2d(
    x: Floats,
    w: Floats,
    *,
    padding: int = 0,
    accuracy: Accuracy = "balanced",
    algorithm: Algorithm = "automatic",
    layout: Layout = "nchw",
    threads: int = 0,
    out: Floats | None = None,
) -> Floats:
    """Convolve `x` with 3x3 filters `w` of shape (K, C, 3, 3), stride 1, zero padding 0 or 1 on every side.

    `x` is (N, C, H, W) and the result (N, K, H+2p-2, W+2p-2); with layout "blocked" they are (N, C/16, H, W, 16) and
    (N, K/16, …, 16), channels padded with zeros to a multiple of 16. float32 throughout. The plan is kept and used
    again for the same sizes and options.

    Winograd's F(m), which is what "balanced" mostly takes, computes m x m outputs together from (m + 2) x (m + 2)
    pixels: errors are in proportion to the largest pixel that any of them reads, of any channel, and a pixel that is
    not finite may turn all of them into NaN. Beside a pixel of 1e6, F(4) leaves errors of about 1 in outputs that do
    not depend on it. `accuracy` "strict" takes F(2) at most, and sums outputs that are not finite anew: infinity and
    NaN are where the definition has them, and nowhere else. `algorithm` "direct" (or "F(2)", "F(4)", "F(6)") overrides
    `accuracy`: directly, each output depends on its own pixels alone.

    Raises ConvArgumentError, which is a ValueError, for arrays and options that do not fit.
    """
    _choice("layout", layout, get_args(Layout))
    _array("w", w, (-1, -1, 3, 3))
    k, c = w.shape[:2]
    _array("x", x, _array_shape(layout, -1, c, -1, -1))
    n, h, wide = x.shape[0], x.shape[2], x.shape[3]
    _choice("accuracy", accuracy, get_args(Accuracy))
    _choice("algorithm", algorithm, get_args(Algorithm))
    team = _whole("threads", threads, bits=32)
    plan = _plan((n, c, h, wide, k), _whole("padding", padding), accuracy, algorithm, layout, team)
    return plan(x, w, out)


def to_blocked(x: Floats, out: Floats | None = None, *, threads: int = 0) -> Floats:
    """(N, C, H, W) to (N, C/16, H, W, 16) on a 64-byte boundary, the channels padded with zeros to a multiple of 16."""
    n, c, h, w = _array("x", x, (-1, -1, -1, -1)).shape
    image = _placed(x, 4)
    shape = _array_shape("blocked", n, c, h, w)
    if out is None:
        out = empty(shape)
    else:
        _writable("out", out, shape, ALIGNMENT, image)
    check(
        library.load().rooftop_conv_to_blocked(
            image.ctypes.data, out.ctypes.data, n, c, h, w, _whole("threads", threads, bits=32)
        )
    )
    return out


def from_blocked(x: Floats, channels: int, out: Floats | None = None, *, threads: int = 0) -> Floats:
    """(N, C/16, H, W, 16) to (N, C, H, W) with C = `channels`, leaving the padding channels behind."""
    channels = _whole("channels", channels)
    n, _, h, w, _ = _array("x", x, (-1, _blocks(channels), -1, -1, CHANNEL_BLOCK)).shape
    image = _placed(x, ALIGNMENT)
    if out is None:
        out = empty((n, channels, h, w))
    else:
        _writable("out", out, (n, channels, h, w), 4, image)
    check(
        library.load().rooftop_conv_from_blocked(
            image.ctypes.data, out.ctypes.data, n, channels, h, w, _whole("threads", threads, bits=32)
        )
    )
    return out
