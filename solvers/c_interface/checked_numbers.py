"""Checks of number arguments of C functions: one rule for each kind of number, for all solvers.

Neither takes a bool, a string or an array of several numbers, and ctypes would cut a number that does not fit down to
one that looks sound.
"""

from __future__ import annotations

import math
import operator
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

from rooftop.errors import Misuse

_BOOLS = (bool, np.bool_)
_REALS = (Real, Decimal)


def is_bool(value: Any) -> bool:
    """Return whether a value is a truth value, which Python counts among the numbers."""
    return isinstance(value, _BOOLS)


def _index(value: Any) -> int | None:
    try:
        return None if is_bool(value) else operator.index(value)
    except TypeError:
        return None


def whole(name: str, value: Any, error: type[Misuse], bits: int = 64) -> int:
    """Return a whole number that fits a signed integer of so many bits; raise `error` for anything else."""
    number = value if type(value) is int else _index(value)
    if number is None:
        raise error(f"{name} is {value!r}; expected a whole number")
    if not -(1 << (bits - 1)) <= number < 1 << (bits - 1):
        raise error(f"{name} is {number}; expected a number of at most {bits - 1} bits")
    return number


def real(value: Any) -> float | None:
    """Return a real number of any type as a float, None for what is none: a bool, a string, a complex number."""
    if type(value) is float:
        return value
    one = value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else value
    if is_bool(one) or not isinstance(one, _REALS):
        return None
    try:
        return float(one)
    except TypeError:  # NumPy counts spans of time among the integers
        return None
    except (OverflowError, ValueError):  # above the largest float; a signalling NaN of decimal
        return math.inf


def seconds(name: str, value: Any, error: type[Misuse], *, zero: bool = False) -> float:
    """Return a time above 0, or from 0 on; raise `error` for anything else."""
    number = real(value)
    if number is None or not math.isfinite(number) or number < 0 or (number == 0 and not zero):
        raise error(f"{name} is {value!r}; expected seconds {'from 0 on' if zero else 'above 0'}")
    return number


def yes_or_no(name: str, value: Any, error: type[Misuse]) -> bool:
    """Return a truth value; raise `error` for anything else."""
    if not is_bool(value):
        raise error(f"{name} is {value!r}; expected True or False")
    return bool(value)
