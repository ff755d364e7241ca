"""Plans of convolutions of one shape, and the cache of recent plans."""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.c_interface.array_addresses import ALIGNMENT, address, addressof, aligned, overlap, view_of
from rooftop.solvers.c_interface.checked_numbers import whole, yes_or_no
from rooftop.solvers.c_interface.long_call import LongCall
from rooftop.solvers.c_interface.solver_library import Handle, SharedByCopies, threads_of_caller
from rooftop.solvers.conv import library
from rooftop.solvers.conv.arrays import (
    FLOAT,
    Floats,
    Layout,
    alignment_of,
    array_shape,
    check_array,
    check_writable,
    empty,
    placed,
)
from rooftop.solvers.conv.brief_convolutions import FEW_FLOATS, brief_run
from rooftop.solvers.conv.library import ConvArgumentError, check

Accuracy = Literal["strict", "balanced", "relaxed"]
FilterForm = Literal["transformed", "plain"]
Algorithm = Literal["automatic", "direct", "F(2)", "F(4)", "F(6)"]

_ndarray, _empty = np.ndarray, np.empty

PLANS_KEPT = 16
_LONG_FLOPS = 2e10  # of the direct method, above which a run may take some tenths of a second


def choice(name: str, value: Any, choices: tuple[str, ...]) -> int:
    """Return the number of one of these choices. Raises ConvArgumentError for anything else."""
    if value not in choices:
        raise ConvArgumentError(f"{name} is {value!r}; expected one of {', '.join(choices)}")
    return choices.index(value)


def _whole(name: str, value: Any, bits: int = 64) -> int:
    return whole(name, value, ConvArgumentError, bits)


class ConvPlan(SharedByCopies):
    """A plan for convolutions of one shape.

    n, c, h, w, k  images, input channels, image height and width, filters
    padding        0 or 1 (`conv2d` accepts more)
    accuracy       limits the choice of the algorithm: "strict" (direct or F(2), correct for non-finite values),
                   "balanced" (up to F(4)) or "relaxed" (up to F(6)); see `conv2d`
    layout         of image and output, or a pair of layouts
    algorithm      overrides `accuracy`
    filter_form    filter that `run` takes: "transformed", the result of `transform_filter`, for a filter used in many
                   runs, or "plain", the filter itself, for a filter used once
    measure        time the candidate algorithms instead of estimating their times
    threads        0: OpenMP's default

    Several threads may use a plan at the same time; each has its own scratch memory, which is kept for its next run.
    Copies share the plan. A pickled plan is planned again when it is loaded, with the same algorithm; filters must be
    transformed again.
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
            input=choice("layout", layouts[0], get_args(Layout)),
            output=choice("layout", layouts[1], get_args(Layout)),
            accuracy=choice("accuracy", accuracy, get_args(Accuracy)),
            algorithm=choice("algorithm", algorithm, get_args(Algorithm)),
            filter=choice("filter_form", filter_form, get_args(FilterForm)),
            measure=int(yes_or_no("measure", measure, ConvArgumentError)),
            threads=_whole("threads", threads, bits=32),
        )
        self._library = library.load()
        self._run_short = self._library.rooftop_conv_run
        self._run_with_bias = self._library.rooftop_conv_run_with_bias
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
        self._direct_flops = 18.0 * self.n * self.k * self.c * out_h * out_w
        self.input_layout, self.output_layout = layouts
        self.filter_form, self.accuracy = filter_form, accuracy
        self.image_shape = array_shape(layouts[0], self.n, self.c, self.h, self.w)
        self.output_shape = array_shape(layouts[1], self.n, self.k, out_h, out_w)
        plain = filter_form == "plain"
        self._filters_shape = (self.k, self.c, 3, 3) if plain else (self._sizes.filter_floats,)
        self._alignments = alignment_of(layouts[0]), 4 if plain else ALIGNMENT, alignment_of(layouts[1])
        self._counts = tuple(math.prod(one) for one in (self.image_shape, self._filters_shape, self.output_shape))
        of_image, of_filters, of_output = self._alignments
        arrays = (self.image_shape, of_image), (self._filters_shape, of_filters), ((self.k,), 4)
        self.brief = brief_run(
            self._handle, self._direct_flops, self.scratch_bytes, (*arrays, (self.output_shape, of_output))
        )

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
        """The Highway SIMD target in use, such as AVX3."""
        return str(self._library.rooftop_conv_plan_instruction_set(self._handle).decode())

    @property
    def filter_bytes(self) -> int:
        """Size in bytes of the filter that `run` takes."""
        return 4 * self._sizes.filter_floats

    @property
    def scratch_bytes(self) -> int:
        """Size in bytes of the scratch memory of a run."""
        return self._sizes.scratch_bytes

    @property
    def multiply_add_flops(self) -> float:
        """Flops in multiply-adds per run, 2 for each."""
        return self._sizes.multiply_add_flops

    @property
    def transform_flops(self) -> float:
        """Separate additions and multiplications per run."""
        return self._sizes.transform_flops

    @property
    def direct_flops(self) -> float:
        """Flops of the direct method, by which rates are computed."""
        return self._direct_flops

    def transform_filter(self, w: Floats, out: Floats | None = None) -> Floats:
        """Transform a (K, C, 3, 3) filter for `run`. Return a flat array aligned to 64 bytes.

        Raises ConvArgumentError if the plan takes a plain filter.
        """
        filters = placed(check_array("w", w, (self.k, self.c, 3, 3)), 4)
        if out is None:
            out = empty((self._sizes.filter_floats,))
        else:
            check_writable("out", out, (self._sizes.filter_floats,), ALIGNMENT, filters)
        check(self._library.rooftop_conv_transform_filter(self._handle, filters.ctypes.data, out.ctypes.data))
        return out

    def run(self, x: Floats, filters: Floats, out: Floats | None = None) -> Floats:
        """Convolve an image of `image_shape` into `out` of `output_shape`, and return `out`.

        `filters` is the result of `transform_filter`, or the (K, C, 3, 3) filter itself if the plan takes a plain one.
        An exception raised by a signal handler during a long run, such as KeyboardInterrupt, ends the run and is raised
        here; the contents of `out` are then undefined.
        """
        return self.convolved(x, filters, None, out)

    def convolved(self, x: Floats, filters: Floats, bias: Floats | None, out: Floats | None) -> Floats:
        """Do what `run` does, and add a C-contiguous bias, (k,), to the outputs of each filter."""
        done = self.run_at_once(x, filters, out, bias)
        if done is not None:
            return done
        image = placed(check_array("x", x, self.image_shape), alignment_of(self.input_layout))
        filters = placed(check_array("filters", filters, self._filters_shape), self._alignments[1])
        if out is None:
            out = empty(self.output_shape)
        else:
            check_writable("out", out, self.output_shape, alignment_of(self.output_layout), image, filters)
        bias_at = None if bias is None else address(bias)
        at = address(image), address(filters), bias_at, address(out), self._scratch_memory()[1]
        if self._direct_flops < _LONG_FLOPS:
            check(self._library.rooftop_conv_run_with_bias(self._handle, *at, None))
        else:
            self._run_long(*at)
        return out

    def run_at_once(self, x: Any, filters: Any, out: Any = None, bias: Any = None) -> Floats | None:
        """Return a short convolution of arrays that need no copy, in 1 to 3 µs besides what the solver takes.

        None for whatever has to be looked at closer, or is wrong: `run` does that.
        """
        done: Floats | None = self.brief.run(x, filters, bias, out)
        if done is not None:
            return done
        if (
            type(x) is type(filters) is _ndarray
            and x.shape == self.image_shape
            and filters.shape == self._filters_shape
        ):
            return self.run_of_shape(x, filters, out, bias)
        return None

    def run_of_shape(self, x: NDArray[Any], filters: NDArray[Any], out: Any, bias: Any) -> Floats | None:
        """Return what `run_at_once` does for arrays of the plan's shapes, without `brief`."""
        if not (x.dtype is filters.dtype is FLOAT and self._direct_flops < _LONG_FLOPS):
            return None
        try:
            image_at, filters_at = addressof(view_of(x)), addressof(view_of(filters))
            bias_at = None if bias is None else addressof(view_of(bias))
        except TypeError:  # read-only, or not contiguous
            if not all(one is None or one.flags.c_contiguous for one in (x, filters, bias)):
                return None
            image_at, filters_at = address(x), address(filters)
            bias_at = None if bias is None else address(bias)
        of_image, of_filters, of_output = self._alignments
        if image_at % of_image or filters_at % of_filters or (bias_at or 0) % 4:
            return None
        images, weights, outputs = self._counts
        if out is None:
            if of_output == ALIGNMENT or outputs > FEW_FLOATS:
                out, out_at = aligned(self.output_shape, outputs, FLOAT)
            else:
                out = _empty(self.output_shape, FLOAT)
                out_at = addressof(view_of(out))
        elif (
            type(out) is not _ndarray
            or out.dtype is not FLOAT
            or out.shape != self.output_shape
            or not out.flags.carray
        ):
            return None
        else:
            out_at = addressof(view_of(out))
            if (
                out_at % of_output
                or overlap(out_at, 4 * outputs, image_at, 4 * images)
                or overlap(out_at, 4 * outputs, filters_at, 4 * weights)
                or (bias_at is not None and overlap(out_at, 4 * outputs, bias_at, 4 * self.k))
            ):
                return None
        scratch = getattr(self._scratch, "memory", None) or self._scratch_memory()
        if bias_at is None:
            code = self._run_short(self._handle.address, image_at, filters_at, out_at, scratch[1])
        else:
            code = self._run_with_bias(self._handle.address, image_at, filters_at, bias_at, out_at, scratch[1], None)
        if code:
            check(code)
        return out  # type: ignore[no-any-return]

    def __call__(self, x: Floats, w: Floats, out: Floats | None = None) -> Floats:
        """Convolve an image with a (K, C, 3, 3) filter."""
        return self.run(x, w if self.filter_form == "plain" else self.transform_filter(w), out)

    def scratch(self) -> Floats:
        """Return the calling thread's scratch memory, kept for as long as the thread and the plan live."""
        return self._scratch_memory()[0]

    def _scratch_memory(self) -> tuple[Floats, int]:
        """Return `scratch` and its address."""
        kept: tuple[Floats, int] | None = getattr(self._scratch, "memory", None)
        if kept is None:
            count = -(-self.scratch_bytes // 4)
            kept = self._scratch.memory = aligned((count,), count, FLOAT)
        return kept

    def bare(self) -> tuple[Callable[[int, int], int], Callable[[int, int, int, int], int]]:
        """Return the library's transform_filter and run, which take addresses, check no array and return a status."""
        library = self._library
        transform = partial(library.rooftop_conv_transform_filter, self._handle)
        if self._direct_flops < _LONG_FLOPS:
            return transform, partial(library.rooftop_conv_run, self._handle)

        def run_long(image: int, filters: int, output: int, scratch: int) -> int:
            self._run_long(image, filters, None, output, scratch)
            return 0

        return transform, run_long

    def _run_long(self, *addresses: int | None) -> None:
        """Run a long convolution, which signals can interrupt, of an image, filters, a bias, an output and scratch."""
        call = LongCall()
        run = self._library.rooftop_conv_run_with_bias
        # The library keeps its message for the thread that called it.
        call.run(lambda: check(run(self._handle, *addresses, call.flag.address)))

    def __repr__(self) -> str:
        return (
            f"ConvPlan(n={self.n}, c={self.c}, h={self.h}, w={self.w}, k={self.k}, padding={self.padding}: "
            f"{self.algorithm} on {self.instruction_set}, {self.input_layout} to {self.output_layout})"
        )


@lru_cache(maxsize=PLANS_KEPT)
def kept_plan(
    sizes: tuple[int, ...], padding: int, accuracy: Accuracy, algorithm: Algorithm, layout: Layout, threads: int
) -> ConvPlan:
    """Return a cached or new plan that takes an untransformed filter; `sizes` are n, c, h, w and k."""
    options: dict[str, Any] = {"accuracy": accuracy, "algorithm": algorithm, "layout": layout, "threads": threads}
    return ConvPlan(*sizes, padding=padding, filter_form="plain", **options)
