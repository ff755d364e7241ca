"""Plans of transforms of complex values, and the cache of recent plans."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from rooftop.solvers.c_interface.array_addresses import address, addressof, empty_result, overlap, view_of
from rooftop.solvers.c_interface.checked_arrays import unmasked
from rooftop.solvers.fft import library
from rooftop.solvers.fft.brief_transforms import brief_run
from rooftop.solvers.fft.library import BACKWARD, FORWARD, FourierArgumentError, check
from rooftop.solvers.fft.planned import LONG_FLOPS, Norm, PlannedTransform, check_result, given, precision

Values = NDArray[np.complex64 | np.complex128]

SINGLE, DOUBLE = np.dtype(np.complex64), np.dtype(np.complex128)
_ndarray = np.ndarray
_CONVERTED = frozenset({SINGLE, DOUBLE, np.dtype(np.float32), np.dtype(np.float64)})  # without checks
PLANS_KEPT = 16


def _values(a: Any, dtype: np.dtype[Any]) -> tuple[Values, Values | None]:
    """Return an array as the solver can read it; if it had to be copied, also as the array for the result."""
    array = given(a)
    if not np.can_cast(array.dtype, dtype, "same_kind"):
        raise FourierArgumentError(f"a has dtype {array.dtype}; expected a numeric dtype, such as {dtype}")
    values = np.require(array, dtype, ["C_CONTIGUOUS", "ALIGNED"])
    return values, None if np.may_share_memory(values, array) else values


class FourierPlan(PlannedTransform):
    """A plan for transforms of arrays of one shape.

    shape    shape of the arrays
    axes     the last one, two or three axes of `shape`, or any single one (default: all); each index of the other
             axes is transformed separately
    norm     as in ``numpy.fft``: "backward" (default) divides backward results by the number of values, "forward"
             forward results, "ortho" both by its square root
    threads  at most, and no more than pay for arrays of this size; 0: as many as OpenMP has; -1: as many as this
             process has processors, -2: one less
    dtype    of values and results: complex128 or complex64, whose errors are a few 1e-7 of the results' root mean
             square. Other arrays are converted
    measure  choose the number of threads and how the array is swept by timing runs, in place of by its size; planning
             then takes some tens to hundreds of runs, and results may differ in their last bits from plan to plan

    Several threads may use a plan at the same time; each has its own scratch memory, which is kept for its next run.
    Copies share the plan; a pickled plan is planned again when it is loaded.

    Raises FourierArgumentError, a ValueError, for invalid shapes and options. Transformed lengths are at most 2^23, or
    2^24 for products of primes up to 31.
    """

    def __init__(
        self,
        shape: Sequence[int],
        *,
        axes: Sequence[int] | None = None,
        norm: Norm | None = None,
        threads: int = 0,
        dtype: DTypeLike = np.complex128,
        measure: bool = False,
    ) -> None:
        self.dtype = precision(dtype, DOUBLE, SINGLE)
        super().__init__(shape, axes, norm, threads, single=self.dtype == SINGLE, real=False, measure=measure)
        self._run_short = self._functions.run
        self._count = math.prod(self.shape)
        self._bytes = self.dtype.itemsize * self._count
        self.brief = brief_run(self, ((self.shape, self.dtype), (self.shape, self.dtype)))

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
        """Return a short transform of an array of the plan's shape, in 1 to 3 µs besides what the solver takes.

        None for whatever has to be looked at closer, or is wrong: `forward` and `backward` do that.
        """
        done: Values | None = self.brief.run(direction, a, out)
        if done is not None:
            return done
        dtype = self.dtype
        if type(a) is not _ndarray or a.shape != self.shape or self._grids != 1 or self._flops >= LONG_FLOPS:
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
            out, target = empty_result(self.shape, self._count, dtype)
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
            out, _ = empty_result(self.shape, self._count, self.dtype)
        else:
            check_result(out, values.shape, values.dtype, values, may_be_same=True)
        own = None if factors is None else library.Factors(*(vector.ctypes.data for vector in factors))
        by = None if own is None else ctypes.byref(own)
        _memory, scratch = self._scratch_memory()
        source, target = values.ctypes.data, out.ctypes.data
        for grid in range(self._grids):
            offset = grid * self.dtype.itemsize * self._sizes.values
            places = (source + offset, target + offset, scratch, by)
            if self._flops < LONG_FLOPS:
                check(self._functions.run(self._handle, direction, *places))
            else:
                self._run_long(direction, places)
        return out


@lru_cache(maxsize=PLANS_KEPT)
def kept_plan(
    shape: tuple[int, ...], last: int, norm: Norm | None, threads: int, dtype: np.dtype[Any], axis: int | None = None
) -> FourierPlan:
    """Return a plan along so many last axes, or along a single one."""
    axes = range(-last, 0) if axis is None else (axis,)
    return FourierPlan(shape, axes=axes, norm=norm, threads=threads, dtype=dtype)
