"""Plans of transforms, and the cache of recent plans."""

from __future__ import annotations

import ctypes
import math
import os
import threading
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from rooftop.solvers.c_interface.array_addresses import address, addressof, aligned, overlap, view_of
from rooftop.solvers.c_interface.checked_arrays import unmasked
from rooftop.solvers.c_interface.checked_numbers import whole
from rooftop.solvers.c_interface.long_call import LongCall
from rooftop.solvers.c_interface.solver_library import Handle, SharedByCopies
from rooftop.solvers.fft import library
from rooftop.solvers.fft.library import BACKWARD, FORWARD, FourierArgumentError, check

Values = NDArray[np.complex64 | np.complex128]
Norm = Literal["backward", "ortho", "forward"]

SINGLE, DOUBLE = np.dtype(np.complex64), np.dtype(np.complex128)
_ndarray, _empty = np.ndarray, np.empty
_BYTE = np.dtype(np.uint8)
_CONVERTED = frozenset({SINGLE, DOUBLE, np.dtype(np.float32), np.dtype(np.float64)})  # without checks
PLANS_KEPT = 16
ANY_LENGTH = 1 << 23  # longer lengths must be products of 2, 3, 5 and 7
_LONG_FLOPS = 2e8  # above, a run may take tenths of a second and can be interrupted
# Scratch memory up to this size is kept between runs. Long lines of prime length need twice the array.
SCRATCH_BYTES_KEPT = 64 << 20


def _precision(dtype: Any) -> np.dtype[Any]:
    """Check the dtype of a plan."""
    try:
        precision: np.dtype[Any] | None = np.dtype(dtype)
    except TypeError:
        precision = None
    if precision is None or precision not in (SINGLE, DOUBLE):
        raise FourierArgumentError(f"dtype is {dtype!r}; expected complex128 or complex64")
    return precision


def _values(a: Any, dtype: np.dtype[Any]) -> tuple[Values, Values | None]:
    """Return an array as the solver can read it; if it had to be copied, also as the array for the result."""
    array = given(a)
    if not np.can_cast(array.dtype, dtype, "same_kind"):
        raise FourierArgumentError(f"a has dtype {array.dtype}; expected a numeric dtype, such as {dtype}")
    values = np.require(array, dtype, ["C_CONTIGUOUS", "ALIGNED"])
    return values, None if np.may_share_memory(values, array) else values


def _axes(axes: Any, dimensions: int) -> int:
    """Check that `axes` are the last ones, in any order, and return their number."""
    if axes is None:
        if not 1 <= dimensions <= 3:
            raise FourierArgumentError(
                f"the array has {dimensions} dimensions; expected 1 to 3, or axes, such as axes=(-3, -2, -1)"
            )
        return dimensions
    try:
        numbers = [whole("axes", axis, FourierArgumentError) for axis in axes]
    except TypeError:
        raise FourierArgumentError(f"axes is {axes!r}; expected a sequence of whole numbers") from None
    places = {axis + dimensions if axis < 0 else axis for axis in numbers}
    count = len(numbers)
    if not 1 <= count <= min(3, dimensions) or places != set(range(dimensions - count, dimensions)):
        raise FourierArgumentError(
            f"axes is {axes!r} for an array of {dimensions} dimensions; expected the last one, two or three of them"
        )
    return count


def scales(norm: Any, count: int) -> tuple[float, float]:
    """Return the factors of forward and backward results."""
    if norm is None or norm == "backward":
        return 1.0, 1.0 / count
    if norm == "ortho":
        return 1.0 / math.sqrt(count), 1.0 / math.sqrt(count)
    if norm == "forward":
        return 1.0 / count, 1.0
    raise FourierArgumentError(f"norm is {norm!r}; expected one of {', '.join(get_args(Norm))}")


class FourierPlan(SharedByCopies):
    """A plan for transforms of arrays of one shape.

    shape    shape of the arrays
    axes     the last one, two or three axes of `shape` (default: all); each index of the other axes is transformed
             separately
    norm     as in ``numpy.fft``: "backward" (default) divides backward results by the number of values, "forward"
             forward results, "ortho" both by its square root
    threads  0: OpenMP's default; -1: all processors of this process, -2: one less
    dtype    of values and results: complex128 or complex64, whose errors are a few 1e-7 of the results' root mean
             square. Other arrays are converted

    Several threads may use a plan at the same time; each has its own scratch memory, which is kept for its next run.
    Copies share the plan; a pickled plan is planned again when it is loaded.

    Raises FourierArgumentError, a ValueError, for invalid shapes and options. Transformed lengths are at most 2^23, or
    2^24 for products of 2, 3, 5 and 7.
    """

    def __init__(
        self,
        shape: Sequence[int],
        *,
        axes: Sequence[int] | None = None,
        norm: Norm | None = None,
        threads: int = 0,
        dtype: DTypeLike = np.complex128,
    ) -> None:
        self.dtype = _precision(dtype)
        try:
            self.shape = tuple(whole("shape", length, FourierArgumentError) for length in shape)
        except TypeError:
            raise FourierArgumentError(f"shape is {shape!r}; expected a sequence of whole numbers") from None
        count = _axes(axes, len(self.shape))
        lengths, before = self.shape[-count:], self.shape[:-count]
        if min(lengths) < 1 or min(before, default=0) < 0:
            raise FourierArgumentError(
                f"the shape is {self.shape}; expected at least one value along each transformed axis"
            )
        self.axes = tuple(range(len(before), len(self.shape)))
        self.norm: Norm = norm or "backward"
        forward_scale, backward_scale = scales(norm, math.prod(lengths))

        # The solver loops over the other axes if one or two are transformed; with three it is called once per grid.
        apart = math.prod(before)
        self._grids = apart if count == 3 else min(apart, 1)
        self._all = not before
        beside = max(apart, 1)
        nx, ny, nz = {1: (lengths[-1], beside, 1), 2: (*lengths[::-1], beside), 3: lengths[::-1]}[count]
        # Each length is within its range, but their product may not be.
        sizes = [whole("the number of values", size, FourierArgumentError) for size in (nx, ny, nz)]
        self.threads = team_of(threads)
        options = library.Options(
            threads=self.threads,
            axes=3 if self._all else count,
            forward_scale=forward_scale,
            backward_scale=backward_scale,
        )
        self._functions = library.plan_functions(single=self.dtype == SINGLE)
        self._run_short = self._functions.run
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
        self._bytes = self.dtype.itemsize * math.prod(self.shape)
        self._scratch = threading.local()

    def __reduce__(self) -> tuple[Any, ...]:
        options: dict[str, Any] = {"axes": self.axes, "norm": self.norm, "threads": self.threads, "dtype": self.dtype}
        return partial(type(self), **options), (self.shape,)

    @property
    def instruction_set(self) -> str:
        """The SIMD target that runs here, such as AVX3."""
        return str(self._functions.plan_instruction_set(self._handle).decode())

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

    def forward(self, a: ArrayLike, out: Values | None = None) -> Values:
        """Transform `a` of the plan's shape into `out` and return it; None allocates a new array.

        `out` is a C-contiguous array of the plan's dtype: `a` itself, or one that does not overlap with it.
        What a signal handler raises while a long transform lasts, such as KeyboardInterrupt, ends it and is raised
        here; `out` is then neither what it was nor what it was to become.
        Raises FourierArgumentError, which is a ValueError, for arrays that do not fit.
        """
        done = self.run_at_once(FORWARD, a, out)
        if done is not None:
            return done
        values, copy = _values(a, self.dtype)
        return self._run(FORWARD, values, copy if out is None else out, None)

    def backward(self, a: ArrayLike, out: Values | None = None, factors: Sequence[ArrayLike] | None = None) -> Values:
        """Transform back; arguments as of `forward`.

        `factors`, one real vector for each axis, multiply `a` on its way in: the result is that of
        ``a * factors[0][:, None, None] * factors[1][:, None] * factors[2]``, and `a` stays as it is. Only for a plan
        of all axes.
        """
        if factors is None:
            done = self.run_at_once(BACKWARD, a, out)
            if done is not None:
                return done
        values, copy = _values(a, self.dtype)
        return self._run(
            BACKWARD, values, copy if out is None else out, None if factors is None else self._factors(factors)
        )

    def run_at_once(self, direction: int, a: Any, out: Any = None) -> Values | None:
        """Return a short transform of an array of the plan's shape, in about 2 µs besides what the solver takes.

        None for whatever has to be looked at closer, or is wrong: `forward` and `backward` do that.
        """
        dtype = self.dtype
        if type(a) is not _ndarray or a.shape != self.shape or self._grids != 1 or self._flops >= _LONG_FLOPS:
            return None
        if a.dtype is not dtype or not a.flags.carray:
            flags = a.flags
            if a.dtype not in _CONVERTED:
                return None
            if a.dtype is dtype and flags.c_contiguous and flags.aligned:  # read-only
                source = address(a)
            else:
                a = np.array(a, dtype, order="C")
                source = addressof(view_of(a))
                if out is None:
                    out = a
        else:
            source = addressof(view_of(a))
        if out is None:
            out = _empty(self.shape, dtype)
            target = addressof(view_of(out))
        elif type(out) is not _ndarray or out.dtype is not dtype or out.shape != self.shape or not out.flags.carray:
            return None
        else:
            target = addressof(view_of(out))
            if target != source and overlap(source, self._bytes, target, self._bytes):
                return None
        scratch = getattr(self._scratch, "memory", None) or self._scratch_memory()
        code = self._run_short(self._handle.address, direction, source, target, scratch[1], None)
        if code:
            check(code)
        return out  # type: ignore[no-any-return]

    def _factors(self, factors: Sequence[ArrayLike]) -> list[NDArray[np.float64]]:
        """Return the factors along x, y and z."""
        if not self._all:
            raise FourierArgumentError(f"factors are given for axes {self.axes} only; expected a plan of all axes")
        if len(factors) != len(self.shape):
            raise FourierArgumentError(f"there are {len(factors)} factors; expected one for each of {self.shape}")
        vectors = []
        for axis, (factor, length) in enumerate(zip(factors, self.shape, strict=True)):
            unmasked(f"factors[{axis}]", factor, FourierArgumentError)
            vector = np.asarray(factor)
            if vector.shape != (length,) or not np.can_cast(vector.dtype, np.float64, "same_kind"):
                raise FourierArgumentError(
                    f"factors[{axis}] has shape {vector.shape} and dtype {vector.dtype}; expected {length} real numbers"
                )
            vectors.append(np.require(vector, np.float64, ["C_CONTIGUOUS", "ALIGNED"]))
        return vectors[::-1] + [np.ones(1)] * (3 - len(vectors))

    def _run(
        self, direction: int, values: Values, out: Values | None, factors: list[NDArray[np.float64]] | None
    ) -> Values:
        if values.shape != self.shape:
            raise FourierArgumentError(f"a has shape {values.shape}; expected {self.shape}")
        if out is None:
            out = np.empty(self.shape, self.dtype)
        else:
            check_out(out, values)
        own = None if factors is None else library.Factors(*(vector.ctypes.data for vector in factors))
        by = None if own is None else ctypes.byref(own)
        _memory, scratch = self._scratch_memory()
        source, target = values.ctypes.data, out.ctypes.data
        for grid in range(self._grids):
            offset = grid * self.dtype.itemsize * self._sizes.values
            places = (source + offset, target + offset, scratch, by)
            if self._flops < _LONG_FLOPS:
                check(self._functions.run(self._handle, direction, *places))
            else:
                self._run_long(direction, places)
        return out

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
        return f"FourierPlan({self.shape}, {options}: {self.instruction_set})"


def check_out(out: Any, values: Values) -> None:
    """Check a caller's output array, which must be written in place."""
    if not isinstance(out, np.ndarray) or out.dtype != values.dtype:
        seen = f"has dtype {out.dtype}" if isinstance(out, np.ndarray) else f"is a {type(out).__name__}"
        raise FourierArgumentError(f"out {seen}; expected a NumPy array of {values.dtype}, the result's dtype")
    if out.shape != values.shape:
        raise FourierArgumentError(f"out has shape {out.shape}; expected {values.shape}")
    if not out.flags.writeable:
        raise FourierArgumentError("out is read-only; expected a writable array")
    if not (out.flags.c_contiguous and out.flags.aligned):
        raise FourierArgumentError(f"out has strides {out.strides}; expected an aligned C-contiguous array")
    if out.ctypes.data != values.ctypes.data and np.may_share_memory(out, values):
        raise FourierArgumentError("out partly overlaps a; expected a itself or a separate array")


@lru_cache(maxsize=PLANS_KEPT)
def kept_plan(shape: tuple[int, ...], axes: int, norm: Norm | None, threads: int, dtype: np.dtype[Any]) -> FourierPlan:
    return FourierPlan(shape, axes=range(-axes, 0), norm=norm, threads=threads, dtype=dtype)


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
