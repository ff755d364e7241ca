"""Parse numbers of a deck: integers, and reals with Fortran exponents; blank fields may have defaults."""

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
    """Return a field as the number of a node or an element, 1 or more. Raises Misuse."""
    found = whole(row, number, what)
    if found < 1:
        raise Misuse(f"{row.where}: {found} is too small; expected {what}, 1 or more")
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
    """Return a number in Fortran's notation: 1.5D3, or 1.5+3 without the letter."""
    text = text.replace("d", "e").replace("D", "e")
    if "e" not in text and "E" not in text:
        text = re.sub(r"(?<=[0-9.])([+-])", r"e\1", text)
    return float(text)


def direction(row: Row, number: int, what: str) -> NDArray[np.float64]:
    """Return three fields as a vector scaled to length 1. Raises Misuse if it is 0."""
    along = np.array([real(row, number + c, f"the direction of {what}", 0.0) for c in range(3)])
    largest = float(np.abs(along).max())
    if largest == 0:
        raise Misuse(f"{row.where}: {what} has the direction (0, 0, 0); expected three numbers that are not all 0")
    along /= largest
    unit: NDArray[np.float64] = along / np.linalg.norm(along)
    return unit


def table(lines: list[Line], columns: int) -> NDArray[Any] | None:
    """Parse lines of `columns` plain numbers at once: (lines, columns); None if a line has another form."""
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
