"""What plans of complex and of real values have in common."""

from __future__ import annotations

import ctypes
import math
import os
import threading
from collections.abc import Sequence
from functools import partial
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.c_interface.array_addresses import aligned
from rooftop.solvers.c_interface.checked_arrays import unmasked
from rooftop.solvers.c_interface.checked_numbers import whole
from rooftop.solvers.c_interface.long_call import LongCall
from rooftop.solvers.c_interface.solver_library import Handle, SharedByCopies
from rooftop.solvers.fft import library
from rooftop.solvers.fft.library import FourierArgumentError, check

Norm = Literal["backward", "ortho", "forward"]

ANY_LENGTH = 1 << 23  # longer lengths must be products of primes up to 31
LONG_FLOPS = 2e8  # above, a run may take tenths of a second and can be interrupted
# Scratch memory up to this size is kept between runs. Long lines of prime length need twice the array.
SCRATCH_BYTES_KEPT = 64 << 20
_BYTE = np.dtype(np.uint8)


def precision(dtype: Any, double: np.dtype[Any], single: np.dtype[Any]) -> np.dtype[Any]:
    """Check the dtype of a plan's values, one of two."""
    try:
        found: np.dtype[Any] | None = np.dtype(dtype)
    except TypeError:
        found = None
    if found is None or found not in (double, single):
        raise FourierArgumentError(f"dtype is {dtype!r}; expected {double} or {single}")
    return found


def _axes(axes: Any, dimensions: int, *, real: bool) -> range:
    """Check that `axes` are the last ones, in any order, or a single one of complex values, and return them."""
    if axes is None:
        if not 1 <= dimensions <= 3:
            raise FourierArgumentError(
                f"the array has {dimensions} dimensions; expected 1 to 3, or axes, such as axes=(-3, -2, -1)"
            )
        return range(dimensions)
    try:
        numbers = [whole("axes", axis, FourierArgumentError) for axis in axes]
    except TypeError:
        raise FourierArgumentError(f"axes is {axes!r}; expected a sequence of whole numbers") from None
    places = {axis + dimensions if axis < 0 else axis for axis in numbers}
    count = len(numbers)
    if count == 1 and not real and 0 <= min(places) < dimensions:
        return range(min(places), min(places) + 1)
    last = range(dimensions - count, dimensions)
    if not 1 <= count <= min(3, dimensions) or places != set(last):
        raise FourierArgumentError(
            f"axes is {axes!r} for an array of {dimensions} dimensions; expected the last one, two or three of them"
            + ("" if real else ", or a single one")
        )
    return last


def scales(norm: Any, count: int) -> tuple[float, float]:
    """Return the factors of forward and backward results."""
    if norm is None or norm == "backward":
        return 1.0, 1.0 / count
    if norm == "ortho":
        return 1.0 / math.sqrt(count), 1.0 / math.sqrt(count)
    if norm == "forward":
        return 1.0 / count, 1.0
    raise FourierArgumentError(f"norm is {norm!r}; expected one of {', '.join(get_args(Norm))}")


class PlannedTransform(SharedByCopies):
    """A plan of the solver for arrays of one shape, and each thread's scratch memory.

    shape    of the values
    axes     the last one, two or three axes of `shape`, or of complex values any single one; None for all
    single   whether in single precision
    real     whether of real values

    Raises FourierArgumentError for invalid shapes and options.
    """

    dtype: np.dtype[Any]  # of the values

    def __init__(
        self,
        shape: Sequence[int],
        axes: Sequence[int] | None,
        norm: Norm | None,
        threads: int,
        *,
        single: bool,
        real: bool,
        measure: bool,
    ) -> None:
        try:
            self.shape = tuple(whole("shape", length, FourierArgumentError) for length in shape)
        except TypeError:
            raise FourierArgumentError(f"shape is {shape!r}; expected a sequence of whole numbers") from None
        along = _axes(axes, len(self.shape), real=real)
        lengths = self.shape[along.start : along.stop]
        before, after = self.shape[: along.start], self.shape[along.stop :]
        if min(lengths) < 1 or min((*before, *after), default=0) < 0:
            raise FourierArgumentError(
                f"the shape is {self.shape}; expected at least one value along each transformed axis"
            )
        self.axes = tuple(along)
        self.norm: Norm = norm or "backward"
        forward_scale, backward_scale = scales(norm, math.prod(lengths))

        # The solver loops over the other axes if one or two are transformed; with three it is called once per grid.
        count, apart, inner = len(lengths), math.prod(before), math.prod(after)
        self._grids = apart if count == 3 else min(apart, inner, 1)
        self._all = not before and not after
        beside = max(apart, 1)
        grids = {1: (lengths[-1], beside, 1), 2: (*lengths[::-1], beside), 3: lengths[::-1]}
        nx, ny, nz = (max(inner, 1), lengths[0], beside) if after else grids[count]
        # Each length is within its range, but their product may not be.
        sizes = [whole("the number of values", size, FourierArgumentError) for size in (nx, ny, nz)]
        self.threads = team_of(threads)
        options = library.Options(
            threads=self.threads,
            axes=3 if self._all else count,
            first_axis=1 if after else 0,
            forward_scale=forward_scale,
            backward_scale=backward_scale,
            measure=bool(measure),
        )
        self.measure = bool(measure)
        self._single, self._real = single, real
        self._functions = library.plan_functions(single=single, real=real)
        handle = ctypes.c_void_p()
        made = (ctypes.byref(library.Shape(*sizes)), ctypes.byref(options), ctypes.byref(handle))
        try:
            check(self._functions.plan_create(*made))
        except FourierArgumentError as error:
            if max(lengths) > ANY_LENGTH:
                raise FourierArgumentError(f"{error}; scipy.fft transforms longer lines") from None
            raise
        self._handle = Handle(handle, self._functions.plan_destroy)
        self._sizes = library.Sizes()
        check(self._functions.plan_sizes(self._handle, ctypes.byref(self._sizes)))
        self._flops = self._sizes.multiply_add_flops + self._sizes.lone_flops  # of a call of the solver
        self._scratch = threading.local()

    def __reduce__(self) -> tuple[Any, ...]:
        options: dict[str, Any] = {"axes": self.axes, "norm": self.norm, "threads": self.threads, "dtype": self.dtype}
        options["measure"] = self.measure
        return partial(type(self), **options), (self.shape,)

    @property
    def instruction_set(self) -> str:
        """The SIMD target that runs here, such as AVX3."""
        return str(self._functions.plan_instruction_set(self._handle).decode())

    @property
    def values(self) -> int:
        """The number of values of an array."""
        return math.prod(self.shape)

    @property
    def grids(self) -> int:
        """How often the solver is called for an array."""
        return self._grids

    @property
    def handle(self) -> Handle:
        """What keeps the solver's plan."""
        return self._handle

    @property
    def address(self) -> int:
        """Where the solver has the plan, as long as this object lives."""
        return int(self._handle.address)

    @property
    def function(self) -> int | None:
        """The address of the C function that runs it."""
        return library.run_address(single=self._single, real=self._real)

    @property
    def scratch_bytes(self) -> int:
        """The only memory that a run needs beyond its arrays."""
        return self._sizes.scratch_bytes

    @property
    def multiply_add_flops(self) -> float:
        """Flops that a run does in multiply-adds, 2 for each."""
        return self._grids * self._sizes.multiply_add_flops

    @property
    def lone_flops(self) -> float:
        """Lone additions and multiplications that a run does, those of the norm left out."""
        return self._grids * self._sizes.lone_flops

    def _run_long(self, direction: int, places: tuple[Any, ...]) -> None:
        """Run a long transform that signals can interrupt."""
        call = LongCall()
        run = self._functions.run_stoppable
        call.run(lambda: check(run(self._handle, direction, *places, call.flag.address)))

    def _scratch_memory(self) -> tuple[NDArray[np.uint8], int]:
        """Return the calling thread's scratch memory, kept for as long as the thread and the plan live; its address."""
        kept: tuple[NDArray[np.uint8], int] | None = getattr(self._scratch, "memory", None)
        if kept is None:
            count = self.scratch_bytes
            kept = aligned((count,), count, _BYTE)
            if count <= SCRATCH_BYTES_KEPT:
                self._scratch.memory = kept
        return kept

    def __repr__(self) -> str:
        options = f"axes={self.axes}, norm={self.norm!r}, dtype={self.dtype}"
        return f"{type(self).__name__}({self.shape}, {options}: {self.instruction_set})"


def check_result(
    out: Any, shape: tuple[int, ...], dtype: np.dtype[Any], values: NDArray[Any], *, may_be_same: bool = False
) -> None:
    """Check a caller's array for the result of `values`, which must be written in place."""
    if not isinstance(out, np.ndarray) or out.dtype != dtype:
        seen = f"has dtype {out.dtype}" if isinstance(out, np.ndarray) else f"is a {type(out).__name__}"
        raise FourierArgumentError(f"out {seen}; expected a NumPy array of {dtype}, the result's dtype")
    if out.shape != shape:
        raise FourierArgumentError(f"out has shape {out.shape}; expected {shape}")
    if not out.flags.writeable:
        raise FourierArgumentError("out is read-only; expected a writable array")
    if not (out.flags.c_contiguous and out.flags.aligned):
        raise FourierArgumentError(f"out has strides {out.strides}; expected an aligned C-contiguous array")
    if may_be_same and out.ctypes.data == values.ctypes.data:
        return
    if np.may_share_memory(out, values):
        expected = "a itself or a separate array" if may_be_same else "a separate array"
        raise FourierArgumentError(f"out {'partly ' if may_be_same else ''}overlaps a; expected {expected}")


def given(a: Any) -> NDArray[Any]:
    unmasked("a", a, FourierArgumentError)  # NumPy would drop the mask
    return np.asarray(a)


def team_of(threads: Any, workers: Any = None) -> int:
    """Return the number of threads, 0 for OpenMP's default. Negative numbers count from the processors, as in SciPy."""
    name, given = ("threads", threads) if workers is None else ("workers", workers)
    number = whole(name, given, FourierArgumentError, bits=32)
    if workers is not None and whole("threads", threads, FourierArgumentError, bits=32) != 0:
        raise FourierArgumentError(f"workers is {workers} and threads is {threads}; expected one of them")
    if workers is not None and number == 0:
        raise FourierArgumentError("workers is 0; expected a number above 0, or -1 for all processors")
    if number >= 0:
        return number
    processors = len(os.sched_getaffinity(0))
    if number < -processors:
        raise FourierArgumentError(f"{name} is {number} with {processors} processors; expected {-processors} or more")
    return processors + 1 + number
