"""Numbers of a deck: whole and real ones, with exponents of D, and blank fields."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.cards import Row, shown
from rooftop.solvers.elasticity.deck.lines import Line

MOST = 2**31 - 1  # the largest number of a node or an element
_WHOLE = re.compile(r"[+-]?[0-9]+")
_REAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([EeDd]?[+-]?[0-9]+)?")
_PLAIN = re.compile(r"[0-9eEdD+\-.,\s]*")


def is_whole(text: str) -> bool:
    """Whether a field is a whole number."""
    return _WHOLE.fullmatch(text) is not None


def whole(row: Row, number: int, what: str, default: int | None = None) -> int:
    """Return a field as a whole number; `default` if it is blank. Raises Misuse."""
    text = row.field(number)
    if not text and default is not None:
        return default
    if not _WHOLE.fullmatch(text) or len(text) > 11 or abs(int(text)) > MOST:
        raise Misuse(f"{row.where}: {shown(text)} is not an integer up to {MOST}; expected {what}")
    return int(text)


def label(row: Row, number: int, what: str) -> int:
    """Return a field as the number of a node or an element, from 1 on. Raises Misuse."""
    found = whole(row, number, what)
    if found < 1:
        raise Misuse(f"{row.where}: {found} is too small; expected {what}, from 1 on")
    return found


def real(row: Row, number: int, what: str, default: float | None = None) -> float:
    """Return a field as a finite number; `default` if it is blank. Raises Misuse."""
    text = row.field(number)
    if not text and default is not None:
        return default
    if _REAL.fullmatch(text):
        value = _value(text)
        if math.isfinite(value):
            return value
    raise Misuse(f"{row.where}: {shown(text)} is not a finite number; expected {what}")


def _value(text: str) -> float:
    """Return a number as FORTRAN writes it: 1.5D3, and 1.5+3 where the letter is left out."""
    text = text.replace("d", "e").replace("D", "e")
    if "e" not in text and "E" not in text:
        text = re.sub(r"(?<=[0-9.])([+-])", r"e\1", text)
    return float(text)


def direction(row: Row, number: int, what: str) -> NDArray[np.float64]:
    """Return three fields as a vector of length 1. Raises Misuse where it has none."""
    along = np.array([real(row, number + c, f"the direction of {what}", 0.0) for c in range(3)])
    largest = float(np.abs(along).max())
    if largest == 0:
        raise Misuse(f"{row.where}: {what} has no direction; expected three numbers after its size")
    along /= largest
    unit: NDArray[np.float64] = along / np.linalg.norm(along)
    return unit


def table(lines: list[Line], columns: int) -> NDArray[Any] | None:
    """Return lines of so many numbers each, (lines, columns), at once; None where they need a closer look."""
    if not lines:
        return None
    texts = [line.text for line in lines]
    if any(text.count(",") != columns - 1 for text in texts):
        return None
    joined = ",".join(texts)
    if not _PLAIN.fullmatch(joined):
        return None
    try:
        found = np.array(joined.replace("D", "E").replace("d", "e").split(","), dtype=np.str_).astype(np.float64)
    except ValueError:
        return None
    return found.reshape(-1, columns) if np.isfinite(found).all() else None
