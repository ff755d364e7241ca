"""Whole numbers on their way into a C interface."""

from __future__ import annotations

import operator
from typing import Any

from rooftop.errors import Misuse


def whole(name: str, value: Any, error: type[Misuse], bits: int = 64) -> int:
    """Give a number that fits a signed integer of so many bits; raise `error` for anything else."""
    try:
        number = operator.index(value)
    except TypeError:
        raise error(f"{name} is {value!r}; expected a whole number") from None
    # ctypes would cut a larger number down to something that looks sound.
    if not -(1 << (bits - 1)) <= number < 1 << (bits - 1):
        raise error(f"{name} is {number}; expected a number of at most {bits - 1} bits")
    return number
