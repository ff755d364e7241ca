"""Durations as users write them: 90, 90s, 5m, 1.5h."""

from __future__ import annotations

import re

from rooftop.errors import Misuse

_UNITS = {"s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def parse_budget(text: str, option: str = "--budget") -> float:
    """Return the seconds that "90", "90s", "5m" or "1.5h" mean. Raises Misuse naming the option."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*(s|m|min|h)?\s*", text)
    seconds = float(match[1]) * _UNITS[match[2] or "s"] if match else 0.0
    if not 0 < seconds <= 30 * 86400:
        raise Misuse(f"{option} is {text!r}, expected a time such as 90s, 5m or 1.5h")
    return seconds


def budget_text(seconds: float) -> str:
    """Return seconds as a user would write them."""
    for unit, length in (("h", 3600.0), ("m", 60.0)):
        if seconds >= length:
            return f"{seconds / length:.3g}{unit}"
    return f"{seconds:.3g}s"
