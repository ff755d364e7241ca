"""Fourier transforms of NumPy arrays in double or single precision: the Python interface of ``solvers/fft``.

``fftn``, ``ifftn``, ``rfftn`` and ``irfftn`` give what ``scipy.fft`` gives. ``FourierPlan``, and for real values
``RealFourierPlan``, plan once and run many times::

    modes = fft.fftn(a)
    fft.ifftn(modes, out=modes)  # in place

    plan = fft.FourierPlan((128, 128, 128))
    plan.forward(a, out=modes)
    plan.backward(modes, out=a, factors=(fz, fy, fx))  # filter without an extra pass over memory

complex64 and float32 arrays are transformed in single precision, to complex64, and all others in double precision, to
complex128; the precision of a plan is its `dtype`. C-contiguous complex arrays of that type are used without a copy,
others are converted first. Any length is possible; products of 2, 3, 5 and 7 are fastest, and other primes up to 31
cost little more. The GIL is released while the solver runs, except in short transforms that were made before. Sign and
norm are those of ``numpy.fft``: forward sums exp(-2 pi i jk/n) a[j].
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rooftop.solvers.c_interface.checked_numbers import yes_or_no
from rooftop.solvers.fft.any_axes import (
    AT_ONCE,
    are_last,
    chosen,
    count_of_last,
    fitted,
    last_and_others,
    last_together,
)
from rooftop.solvers.fft.brief_transforms import BriefCalls
from rooftop.solvers.fft.library import BACKWARD, FORWARD, FourierArgumentError
from rooftop.solvers.fft.plan import DOUBLE, SINGLE, FourierPlan, Values, kept_plan
from rooftop.solvers.fft.planned import Norm, check_result, given, scales, team_of
from rooftop.solvers.fft.real_plan import REAL_DOUBLE, REAL_SINGLE, RealFourierPlan, kept_real_plan

__all__ = [
    "FourierArgumentError",
    "FourierPlan",
    "Norm",
    "RealFourierPlan",
    "Values",
    "fftn",
    "ifftn",
    "irfftn",
    "rfftn",
]


def _precision_of(array: NDArray[Any]) -> np.dtype[Any]:
    return SINGLE if array.dtype.type in (np.float32, np.complex64) else DOUBLE


def _require_values(shape: Sequence[int], axes: Sequence[int]) -> None:
    if min((shape[axis] for axis in axes), default=1) < 1:
        raise FourierArgumentError(f"the shape is {shape}; expected at least one value along each transformed axis")


def _transformed(
    direction: int, array: NDArray[Any], axes: Sequence[int], norm: Any, team: int, out: Values | None = None
) -> Values:
    """Transform along any axes, into `out` if given."""
    dtype = _precision_of(array)

    def run(plan: FourierPlan, values: NDArray[Any], out: Values | None) -> Values:
        return plan.forward(values, out) if direction == FORWARD else plan.backward(values, out)

    _require_values(array.shape, axes)
    together, others = last_and_others(axes, array.ndim)
    if not others:
        return run(kept_plan(array.shape, together, norm, team, dtype), array, out)
    if out is not None:
        check_result(out, array.shape, dtype, np.empty(0, dtype))
    # The first transform makes the result, and the others work in it; `out` may share memory with `array`.
    result = None if out is None or np.may_share_memory(out, array) else out
    if together:
        array = result = run(kept_plan(array.shape, together, norm, team, dtype), array, result)
    for axis in others:
        array = result = run(kept_plan(array.shape, 1, norm, team, dtype, axis), array, result)
    assert result is not None
    if out is None or out is result:
        return result
    out[...] = result
    return out


_OF = {one: SINGLE if one.type in (np.float32, np.complex64) else DOUBLE for one in map(np.dtype, "fdFD")}
_VALUES_OF: dict[np.dtype[Any], np.dtype[Any]] = {
    SINGLE: REAL_SINGLE,
    DOUBLE: REAL_DOUBLE,
}  # by the dtype of their modes


_BRIEF = {name: BriefCalls() for name in ("fftn", "ifftn", "rfftn", "irfftn")}
_BRIEF_COMPLEX = (_BRIEF["fftn"], _BRIEF["ifftn"])  # by direction
_BRIEF_REAL = (_BRIEF["rfftn"], _BRIEF["irfftn"])


def forget_brief_calls() -> None:
    """Forget the short transforms that are remembered, and release their plans."""
    for calls in _BRIEF.values():
        calls.forget()


def _plain_axes(a: Any, axes: Any, norm: Any, overwrite_x: Any, workers: Any, threads: Any) -> int:
    """Return how many last axes an ordinary call transforms, or 0 where arguments need further checks.

    An ordinary call has an array and ordinary options. What this excludes may be right all the same.
    """
    if type(a) is not np.ndarray or workers is not None or type(threads) is not int or threads < 0:
        return 0
    if type(overwrite_x) is not bool or not (norm is None or type(norm) is str):
        return 0
    count = a.ndim
    return count if axes is None and count <= AT_ONCE else count_of_last(axes, count)


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
    count = _plain_axes(a, axes, norm, overwrite_x, workers, threads) if s is None else 0
    if count and (dtype := _OF.get(a.dtype)) is not None:
        try:
            plan = kept_plan(a.shape, count, norm, threads, dtype)
        except FourierArgumentError:  # whose message the checks below improve
            pass
        else:
            over = a if overwrite_x and out is None and a.dtype is dtype and a.flags.carray else out
            done = plan.run_at_once(direction, a, over)
            if done is not None:
                if over is None:
                    words, of_reals = (a, None, axes, norm, threads), a.dtype.kind == "f"
                    _BRIEF_COMPLEX[direction].add(plan, direction, words, done, of_reals=of_reals)
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


def _plain_real(
    direction: int,
    words: tuple[NDArray[Any], Any, Any, Any, int],
    shape: tuple[int, ...],
    count: int,
    dtype: np.dtype[Any],
) -> NDArray[Any] | None:
    """Return what an ordinary call gives of values of this shape; None where it needs further checks.

    words  the call's a, s, axes, norm and threads
    """
    a, _, _, norm, threads = words
    try:
        plan = kept_real_plan(shape, count, norm, threads, dtype)
    except FourierArgumentError:  # whose message later checks improve
        return None
    done = plan.run_at_once(direction, a)
    if done is not None:
        _BRIEF_REAL[direction].add(plan, direction, words, done)
    return done


def _values_shape(modes: tuple[int, ...], s: Any, axes: Any, count: int) -> tuple[int, ...]:
    """Return the shape of the values that all modes of an array make with lengths `s`; () for any others."""
    if type(s) is not tuple or len(s) != count or (axes is None and count != len(modes)):
        return ()
    shape = modes[:-count] + s
    return shape if shape[:-1] == modes[:-1] and type(s[-1]) is int and s[-1] // 2 + 1 == modes[-1] else ()


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
    threads      at most, and no more than pay for an array of this size; 0: as many as OpenMP has; -1: as many as this
                 process has processors, -2: one less
    out          array for the result, which may be `a` (default: a new array)

    The result is complex64 if `a` is complex64 or float32, else complex128. The last one, two or three axes are
    transformed in place; others are moved there in copies, three at a time. Plans are cached by shape, precision and
    options.

    Raises FourierArgumentError, a ValueError, for invalid arrays and options. Lengths are at most 2^23, or 2^24 for
    products of primes up to 31.
    """
    if overwrite_x is False and workers is None and out is None:
        done: Values | None = _BRIEF_COMPLEX[FORWARD].run(a, s, axes, norm, threads)
        if done is not None:
            return done
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
    if overwrite_x is False and workers is None and out is None:
        done: Values | None = _BRIEF_COMPLEX[BACKWARD].run(a, s, axes, norm, threads)
        if done is not None:
            return done
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

    About half the work and memory of `fftn`, where the last axis has an even length. Options are those of `fftn`;
    `overwrite_x` has no effect.

    Raises FourierArgumentError for complex values, and in the same cases as `fftn`.
    """
    plain: Any = a
    if overwrite_x is False and workers is None:
        known: Values | None = _BRIEF_REAL[FORWARD].run(a, s, axes, norm, threads)
        if known is not None:
            return known
    count = _plain_axes(a, axes, norm, overwrite_x, workers, threads) if s is None else 0
    if count and plain.dtype in (REAL_SINGLE, REAL_DOUBLE):
        done = _plain_real(FORWARD, (plain, None, axes, norm, threads), plain.shape, count, plain.dtype)
        if done is not None:
            return done
    array = given(a)
    if array.dtype.kind not in "biuf":
        raise FourierArgumentError(f"a has dtype {array.dtype}; expected real numbers, or fftn for complex ones")
    places, lengths = chosen(array.shape, s, axes)
    scales(norm, 1)
    yes_or_no("overwrite_x", overwrite_x, FourierArgumentError)
    team = team_of(threads, workers)
    values = fitted(array, places, lengths)
    _require_values(values.shape, places)
    together, others = last_together(places, values.ndim)
    # An axis before the last one is moved there, and back.
    moved = np.moveaxis(values, places[-1], -1)
    dtype = REAL_SINGLE if array.dtype == REAL_SINGLE else REAL_DOUBLE
    modes = kept_real_plan(moved.shape, together, norm, team, dtype).forward(moved)
    modes = np.moveaxis(modes, -1, places[-1])
    return _transformed(FORWARD, modes, others, norm, team) if others else np.ascontiguousarray(modes)


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
    plain: Any = a
    if overwrite_x is False and workers is None:
        known: NDArray[Any] | None = _BRIEF_REAL[BACKWARD].run(a, s, axes, norm, threads)
        if known is not None:
            return known
    count = _plain_axes(a, axes, norm, overwrite_x, workers, threads)
    if count and (values := _VALUES_OF.get(plain.dtype)) is not None:
        lengths_of_modes: tuple[int, ...] = plain.shape
        if s is None:
            shape: tuple[int, ...] = (*lengths_of_modes[:-1], 2 * (lengths_of_modes[-1] - 1))
        else:
            shape = _values_shape(lengths_of_modes, s, axes, count)
        words = (plain, s, axes, norm, threads)
        done = _plain_real(BACKWARD, words, shape, count, values) if shape else None
        if done is not None:
            return done
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
    _require_values(modes.shape, places)
    together, others = last_together(places, modes.ndim)
    if others:
        modes = _transformed(BACKWARD, modes, others, norm, team)
    moved = np.moveaxis(modes, places[-1], -1)
    dtype = REAL_SINGLE if modes.dtype == SINGLE else REAL_DOUBLE
    plan = kept_real_plan((*moved.shape[:-1], length), together, norm, team, dtype)
    return np.ascontiguousarray(np.moveaxis(plan.backward(moved), -1, places[-1]))
