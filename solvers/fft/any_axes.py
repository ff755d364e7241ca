"""Which axes are transformed: the last ones together, any others one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.c_interface.checked_numbers import whole
from rooftop.solvers.fft.library import FourierArgumentError

AT_ONCE = 3  # maximum number of axes that the solver transforms together


def _numbers(name: str, given: Any) -> list[int]:
    try:
        return (
            [whole(name, given, FourierArgumentError)]
            if np.ndim(given) == 0
            else [whole(name, number, FourierArgumentError) for number in given]
        )
    except (TypeError, ValueError) as error:
        if isinstance(error, FourierArgumentError):
            raise
        raise FourierArgumentError(f"{name} is {given!r}; expected a sequence of whole numbers") from None


def chosen(shape: Sequence[int], s: Any, axes: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the axes to transform, numbered from 0, and their lengths. Interprets `s` and `axes` like scipy.fft.

    Without `axes` they are the last ``len(s)``, or all. A length of -1 stands for that of the array. Raises
    FourierArgumentError for invalid or repeated axes, and for lengths below 1.
    """
    dimensions = len(shape)
    lengths = None if s is None else _numbers("s", s)
    if axes is not None:
        numbers = _numbers("axes", axes)
    elif lengths is not None:
        numbers = list(range(-len(lengths), 0))
    else:
        numbers = list(range(dimensions))
    if not all(-dimensions <= axis < dimensions for axis in numbers) or not numbers:
        raise FourierArgumentError(
            f"axes is {numbers} for an array of {dimensions} dimensions; expected one or more of them"
        )
    places = tuple(axis % dimensions for axis in numbers)
    if len(set(places)) < len(places):
        raise FourierArgumentError(f"axes is {axes!r}, with a repeated axis; expected each once")
    if lengths is None:
        lengths = [-1] * len(places)
    if len(lengths) != len(places):
        raise FourierArgumentError(f"s has {len(lengths)} lengths for {len(places)} axes; expected one for each")
    if any(length < 1 and length != -1 for length in lengths):
        raise FourierArgumentError(f"s is {s!r}; expected lengths above 0, or -1 for that of the array")
    return places, tuple(shape[place] if n == -1 else n for place, n in zip(places, lengths, strict=True))


def fitted(array: NDArray[Any], axes: Sequence[int], lengths: Sequence[int]) -> NDArray[Any]:
    """Return the array cropped or zero-padded to the given lengths along axes, or the array itself if they fit."""
    shape = list(array.shape)
    for axis, length in zip(axes, lengths, strict=True):
        shape[axis] = length
    if tuple(shape) == array.shape:
        return array
    part = tuple(slice(min(seen, length)) for seen, length in zip(array.shape, shape, strict=True))
    if all(length <= seen for seen, length in zip(array.shape, shape, strict=True)):
        return array[part]
    filled = np.zeros(shape, array.dtype)
    filled[part] = array[part]
    return filled


def are_last(axes: Sequence[int], dimensions: int) -> bool:
    """Return whether these are the last axes, which the solver transforms without moving them."""
    return len(axes) <= AT_ONCE and set(axes) == set(range(dimensions - len(axes), dimensions))


_NAMED_LAST = ((), (-1,), (-2, -1), (-3, -2, -1))
_INT = {int}


def count_of_last(axes: Any, dimensions: int) -> int:
    """Return the number of axes if they are easily seen to be the last ones of an array; 0 for any others.

    Easily: None, a number, or a tuple such as (-2, -1).
    """
    if axes is None:
        return dimensions if dimensions <= AT_ONCE else 0
    if type(axes) is int:
        return 1 if dimensions and (axes == -1 or axes == dimensions - 1) else 0
    if type(axes) is not tuple:
        return 0
    count = len(axes)
    if count <= min(dimensions, AT_ONCE) and axes == _NAMED_LAST[count] and {*map(type, axes)} == _INT:
        return count
    return 0


def last_and_others(axes: Sequence[int], dimensions: int) -> tuple[int, list[int]]:
    """Return how many of the axes the solver transforms together, since they are the last ones, and the others."""
    count = 0
    while count < AT_ONCE and dimensions - 1 - count in axes:
        count += 1
    return count, sorted(axis for axis in axes if axis < dimensions - count)


def last_together(axes: Sequence[int], dimensions: int) -> tuple[int, tuple[int, ...]]:
    """Return how many axes a transform of real values takes at once, and which are left.

    The last of `axes` is that of the real values. If it is the array's last one, axes right before it go with it.
    """
    last, count = axes[-1], 1
    if last == dimensions - 1:
        while count < AT_ONCE and last - count in axes:
            count += 1
    together = range(last - count + 1, last + 1)
    return count, tuple(axis for axis in axes if axis not in together)
