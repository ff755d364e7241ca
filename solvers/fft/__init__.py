"""Fourier transforms of NumPy arrays in double or single precision: the Python interface of ``solvers/fft``.

``fftn``, ``ifftn``, ``rfftn`` and ``irfftn`` give what ``scipy.fft`` gives; ``FourierPlan`` plans once and runs many
times::

    modes = fft.fftn(a)
    fft.ifftn(modes, out=modes)  # in place

    plan = fft.FourierPlan((128, 128, 128))
    plan.forward(a, out=modes)
    plan.backward(modes, out=a, factors=(fz, fy, fx))  # filter without an extra pass over memory

complex64 and float32 arrays are transformed in single precision, to complex64, and all others in double precision, to
complex128; the precision of a plan is its `dtype`. C-contiguous complex arrays of that type are used without a copy,
others are converted first. Any length is possible; products of 2, 3, 5 and 7 are fastest. The GIL is released while the
solver runs. Sign and norm are those of ``numpy.fft``: forward sums exp(-2 pi i jk/n) a[j].
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rooftop.solvers.c_interface.checked_numbers import yes_or_no
from rooftop.solvers.fft.any_axes import AT_ONCE, along, are_last, chosen, count_of_last, fitted, half, whole_of
from rooftop.solvers.fft.library import BACKWARD, FORWARD, FourierArgumentError
from rooftop.solvers.fft.plan import (
    DOUBLE,
    SINGLE,
    FourierPlan,
    Norm,
    Values,
    check_out,
    given,
    kept_plan,
    scales,
    team_of,
)

__all__ = ["FourierArgumentError", "FourierPlan", "Norm", "Values", "fftn", "ifftn", "irfftn", "rfftn"]


def _precision_of(array: NDArray[Any]) -> np.dtype[Any]:
    return SINGLE if array.dtype.type in (np.float32, np.complex64) else DOUBLE


def _transformed(
    direction: int, array: NDArray[Any], axes: Sequence[int], norm: Any, team: int, out: Values | None = None
) -> Values:
    """Transform along any axes, into `out` if given."""
    dtype = _precision_of(array)

    def last(values: NDArray[Any], some: Sequence[int], out: Values | None = None) -> Values:
        plan = kept_plan(values.shape, len(some), norm, team, dtype)
        return plan.forward(values, out) if direction == FORWARD else plan.backward(values, out)

    if min((array.shape[axis] for axis in axes), default=1) < 1:
        raise FourierArgumentError(
            f"the shape is {array.shape}; expected at least one value along each transformed axis"
        )
    if are_last(axes, array.ndim):
        return last(array, axes, out)
    if out is not None:
        check_out(out, np.empty(array.shape, dtype))
    result = along(array, axes, last)
    if out is None:
        return np.ascontiguousarray(result)
    out[...] = result
    return out


_OF = {one: SINGLE if one.type in (np.float32, np.complex64) else DOUBLE for one in map(np.dtype, "fdFD")}


def _of_complex(
    direction: int,
    a: Any,
    s: Any,
    axes: Any,
    norm: Any,
    overwrite_x: Any,
    workers: Any,
    threads: Any,
    out: Values | None,
) -> Values:
    # An ordinary array with ordinary options needs no further checks. What these exclude may be right all the same.
    if type(a) is np.ndarray and s is workers is None and type(threads) is int and type(overwrite_x) is bool:
        dtype, count = _OF.get(a.dtype), a.ndim
        if axes is not None or count > AT_ONCE:
            count = count_of_last(axes, count)
        if dtype is not None and count and threads >= 0 and (norm is None or type(norm) is str):
            try:
                plan = kept_plan(a.shape, count, norm, threads, dtype)
            except FourierArgumentError:  # whose message the checks below improve
                pass
            else:
                over = a if overwrite_x and out is None and a.dtype is dtype and a.flags.carray else out
                done = plan.run_at_once(direction, a, over)
                if done is not None:
                    return done
    team, array = team_of(threads, workers), given(a)
    places, lengths = chosen(array.shape, s, axes)
    scales(norm, 1)
    fit = fitted(array, places, lengths)
    may_overwrite = yes_or_no("overwrite_x", overwrite_x, FourierArgumentError)
    flags = fit.flags
    if may_overwrite and out is None and fit.dtype in (SINGLE, DOUBLE) and flags.carray and are_last(places, fit.ndim):
        out = fit
    return _transformed(direction, fit, places, norm, team, out)


def fftn(
    a: ArrayLike,
    s: Sequence[int] | None = None,
    axes: int | Sequence[int] | None = None,
    norm: Norm | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    threads: int = 0,
    out: Values | None = None,
) -> Values:
    """Return the discrete Fourier transform of an array along `axes`, like scipy.fft.fftn.

    a            array of any shape and numeric dtype
    s            length of the result along each of the axes (default: the last axes); `a` is cropped or zero-padded
    axes         axes to transform (default: all)
    norm         "backward" (default; not scaled), "ortho" or "forward" (divided by the number of values)
    overwrite_x  allow the contents of `a` to be destroyed, which saves an array
    workers      SciPy's name for `threads`
    threads      0: OpenMP's default; -1: all processors of this process, -2: one less
    out          array for the result, which may be `a` (default: a new array)

    The result is complex64 if `a` is complex64 or float32, else complex128. The last one, two or three axes are
    transformed in place; others are moved there in copies, three at a time. Plans are cached by shape, precision and
    options.

    Raises FourierArgumentError, a ValueError, for invalid arrays and options. Lengths are at most 2^23, or 2^24 for
    products of 2, 3, 5 and 7.
    """
    return _of_complex(FORWARD, a, s, axes, norm, overwrite_x, workers, threads, out)


def ifftn(
    a: ArrayLike,
    s: Sequence[int] | None = None,
    axes: int | Sequence[int] | None = None,
    norm: Norm | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    threads: int = 0,
    out: Values | None = None,
) -> Values:
    """Return the inverse transform of `fftn` with the same options, like scipy.fft.ifftn."""
    return _of_complex(BACKWARD, a, s, axes, norm, overwrite_x, workers, threads, out)


def rfftn(
    a: ArrayLike,
    s: Sequence[int] | None = None,
    axes: int | Sequence[int] | None = None,
    norm: Norm | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    threads: int = 0,
) -> Values:
    """Return the transform of real values, like scipy.fft.rfftn: n // 2 + 1 modes along the last axis, n along others.

    The last axis is transformed as complex values, at their cost in time and memory; the others only for the half that
    is kept. Options are those of `fftn`; `overwrite_x` has no effect.

    Raises FourierArgumentError for complex values, and in the same cases as `fftn`.
    """
    array = given(a)
    if array.dtype.kind not in "biuf":
        raise FourierArgumentError(f"a has dtype {array.dtype}; expected real numbers, or fftn for complex ones")
    places, lengths = chosen(array.shape, s, axes)
    scales(norm, 1)
    yes_or_no("overwrite_x", overwrite_x, FourierArgumentError)
    team = team_of(threads, workers)
    modes = half(_transformed(FORWARD, fitted(array, places, lengths), places[-1:], norm, team), places[-1])
    if len(places) > 1:
        return _transformed(FORWARD, modes, places[:-1], norm, team)
    return np.ascontiguousarray(modes)


def irfftn(
    a: ArrayLike,
    s: Sequence[int] | None = None,
    axes: int | Sequence[int] | None = None,
    norm: Norm | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    threads: int = 0,
) -> NDArray[np.float32 | np.float64]:
    """Return the inverse transform of `rfftn` with the same `s`, like scipy.fft.irfftn: real values.

    Along the last of `axes`, ``s[-1] // 2 + 1`` modes are read. Without `s`, m modes give ``2 (m - 1)`` values. The
    result is float32 if `a` is complex64 or float32, else float64. Options are those of `rfftn`.
    """
    array = given(a)
    places, lengths = chosen(array.shape, s, axes)
    length = 2 * (array.shape[places[-1]] - 1) if s is None else lengths[-1]
    if length < 1:
        raise FourierArgumentError(f"the result has {length} values along its last axis; expected s with one or more")
    scales(norm, 1)
    yes_or_no("overwrite_x", overwrite_x, FourierArgumentError)
    team = team_of(threads, workers)
    if not np.can_cast(array.dtype, DOUBLE, "same_kind"):
        raise FourierArgumentError(f"a has dtype {array.dtype}; expected a numeric dtype, such as {DOUBLE}")
    modes = fitted(array, places, (*lengths[:-1], length // 2 + 1)).astype(_precision_of(array), copy=False)
    if len(places) > 1:
        modes = _transformed(BACKWARD, modes, places[:-1], norm, team)
    modes = whole_of(modes, places[-1], length)
    return np.ascontiguousarray(_transformed(BACKWARD, modes, places[-1:], norm, team).real)
