"""Plans of transforms of real values, and the cache of recent plans."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from rooftop.solvers.c_interface.array_addresses import addressof, empty_result, overlap, view_of
from rooftop.solvers.fft.brief_transforms import brief_run
from rooftop.solvers.fft.library import BACKWARD, FORWARD, FourierArgumentError, check
from rooftop.solvers.fft.plan import DOUBLE, PLANS_KEPT, SINGLE
from rooftop.solvers.fft.planned import LONG_FLOPS, Norm, PlannedTransform, check_result, given, precision

REAL_SINGLE, REAL_DOUBLE = np.dtype(np.float32), np.dtype(np.float64)
_ndarray = np.ndarray


class RealFourierPlan(PlannedTransform):
    """A plan for transforms of real arrays of one shape to their modes, and back.

    shape    shape of the real arrays
    dtype    of the values: float64 or float32; modes are complex128 or complex64

    There are ``shape[-1] // 2 + 1`` modes along the last axis: the others are conjugates of these. Other options, and
    what threads and copies share, are those of FourierPlan. Raises FourierArgumentError in the same cases.
    """

    def __init__(
        self,
        shape: Sequence[int],
        *,
        axes: Sequence[int] | None = None,
        norm: Norm | None = None,
        threads: int = 0,
        dtype: DTypeLike = np.float64,
        measure: bool = False,
    ) -> None:
        self.dtype = precision(dtype, REAL_DOUBLE, REAL_SINGLE)
        super().__init__(shape, axes, norm, threads, single=self.dtype == REAL_SINGLE, real=True, measure=measure)
        self.modes_dtype = SINGLE if self.dtype == REAL_SINGLE else DOUBLE
        self.modes_shape = (*self.shape[:-1], self.shape[-1] // 2 + 1)
        # By direction: what goes in and comes out.
        ends = ((self.shape, self.dtype), (self.modes_shape, self.modes_dtype))
        self._ends = (ends, ends[::-1])
        self.brief = brief_run(self, ends)
        self._counts = tuple(math.prod(shape) for shape, _ in ends)
        self._bytes = tuple(count * dtype.itemsize for count, (_, dtype) in zip(self._counts, ends, strict=True))

    def forward(self, a: ArrayLike, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Transform real values of the plan's shape to modes in `out` and return it; None allocates a new array.

        `out` is a C-contiguous array of `modes_shape` and `modes_dtype` that does not overlap with `a`. Signals are
        handled as in FourierPlan.forward. Raises FourierArgumentError for arrays that do not fit.
        """
        return self._transformed(FORWARD, a, out)

    def backward(self, modes: ArrayLike, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Transform modes to real values in `out` and return it; None allocates a new array. `modes` is left as it is.

        The imaginary parts of mode 0 along the last axis, and of mode n/2 if its length is even, are ignored.
        """
        return self._transformed(BACKWARD, modes, out)

    def _transformed(self, direction: int, a: Any, out: Any) -> NDArray[Any]:
        done = self.run_at_once(direction, a, out)
        if done is not None:
            return done
        (shape, dtype), (out_shape, out_dtype) = self._ends[direction]
        array, name = given(a), "modes" if direction == BACKWARD else "a"
        if not np.can_cast(array.dtype, dtype, "same_kind"):
            raise FourierArgumentError(f"{name} has dtype {array.dtype}; expected a numeric dtype, such as {dtype}")
        if array.shape != shape:
            raise FourierArgumentError(f"{name} has shape {array.shape}; expected {shape}")
        values = np.require(array, dtype, ["C_CONTIGUOUS", "ALIGNED"])
        if out is None:
            out, _ = empty_result(out_shape, self._counts[1 - direction], out_dtype)
        else:
            check_result(out, out_shape, out_dtype, values)
        memory, scratch = self._scratch_memory()
        grids = max(self._grids, 1)
        strides = [array.nbytes // grids for array in (values, out)]
        for grid in range(self._grids):
            at = (values.ctypes.data + strides[0] * grid, out.ctypes.data + strides[1] * grid, scratch)
            if self._flops < LONG_FLOPS:
                check(self._functions.run_stoppable(self._handle, direction, *at, None))
            else:
                self._run_long(direction, at)
        del memory  # kept until here
        return out  # type: ignore[no-any-return]

    def run_at_once(self, direction: int, a: Any, out: Any = None) -> NDArray[Any] | None:
        """Return a short transform of an array that fits, as FourierPlan.run_at_once does; None for any other."""
        done: NDArray[Any] | None = self.brief.run(direction, a, out)
        if done is not None:
            return done
        (shape, dtype), (out_shape, out_dtype) = self._ends[direction]
        if type(a) is not _ndarray or a.shape != shape or self._grids != 1 or self._flops >= LONG_FLOPS:
            return None
        if a.dtype is not dtype or not a.flags.carray:
            return None
        source = addressof(view_of(a))
        if out is None:
            out, target = empty_result(out_shape, self._counts[1 - direction], out_dtype)
        elif type(out) is not _ndarray or out.dtype is not out_dtype or out.shape != out_shape or not out.flags.carray:
            return None
        else:
            target = addressof(view_of(out))
            if overlap(source, self._bytes[direction], target, self._bytes[1 - direction]):
                return None
        scratch = getattr(self._scratch, "memory", None) or self._scratch_memory()
        code = self._functions.run_stoppable(self._handle.address, direction, source, target, scratch[1], None)
        if code:
            check(code)
        return out  # type: ignore[no-any-return]


@lru_cache(maxsize=PLANS_KEPT)
def kept_real_plan(
    shape: tuple[int, ...], axes: int, norm: Norm | None, threads: int, dtype: np.dtype[Any]
) -> RealFourierPlan:
    return RealFourierPlan(shape, axes=range(-axes, 0), norm=norm, threads=threads, dtype=dtype)
