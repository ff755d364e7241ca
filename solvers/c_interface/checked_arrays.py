"""Checks of array arguments of C functions: values are never silently rounded, wrapped or unmasked."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.solvers.c_interface.checked_numbers import is_bool, real


def unmasked(name: str, values: Any, error: type[Misuse]) -> None:
    """Raise `error` for an array of which some values are masked: what lies below the mask would count."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        count = values.size - values.count()
        raise error(f"{name}: {count} values are masked; expected an array without, such as its filled() returns")


def _array(name: str, values: Any, error: type[Misuse]) -> NDArray[Any]:
    unmasked(name, values, error)
    try:
        return np.asarray(values)
    except (TypeError, ValueError):  # rows of several lengths
        raise error(f"{name} are not numbers in rows of one length; expected an array") from None


def real_numbers(name: str, values: Any, error: type[Misuse]) -> NDArray[np.float64]:
    """Return real numbers as doubles; raise `error` for bools, strings, complex and masked numbers."""
    array = _array(name, values, error)
    if array.dtype.kind in "iuf":
        return array.astype(np.float64, copy=False)
    if array.dtype.kind == "O":
        numbers = [real(one) for one in array.flat]
        if None not in numbers:
            return np.array(numbers, dtype=np.float64).reshape(array.shape)
    raise error(f"{name} are not numbers, but of dtype {array.dtype}; expected real numbers")


def whole_numbers(name: str, values: Any, error: type[Misuse], least: int, most: int) -> NDArray[Any]:
    """Return an array, of whatever type, whose values are whole and within bounds; raise `error` for any other."""
    array = _array(name, values, error)
    kind = array.dtype.kind
    if kind == "O":
        sound = all(isinstance(one, Integral) and not is_bool(one) for one in array.flat)
    else:
        sound = kind in "iu" or (kind == "f" and bool(np.all(np.rint(array) == array)))
    if not sound:
        raise error(f"{name} are not whole numbers; round or scale them")
    if array.size:
        # No absolute value: that of the smallest integer is negative.
        for extreme in (array.min(), array.max()):
            one = extreme.item() if isinstance(extreme, np.generic) else extreme
            if not least <= one <= most:
                raise error(f"{name} go beyond {least} to {most}: one is {one}; scale them down")
    return array
