"""Durations as users write them: 90, 500ms, 90s, 5m, 1.5h, 1h30m."""

from __future__ import annotations

import itertools
import re

from rooftop.errors import Misuse

_UNITS = {"us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_NUMBER = r"(?:\d+(?:\.\d*)?|\.\d+)"
_PART = re.compile(rf"({_NUMBER})\s*({'|'.join(sorted(_UNITS, key=len, reverse=True))})\s*")
_MOST_S = 30 * _UNITS["d"]


def _seconds(text: str) -> float:
    """Return the seconds that a text means; 0 where it means none."""
    text = text.strip()
    if re.fullmatch(_NUMBER, text):
        return float(text)
    parts = _PART.findall(text)
    lengths = [_UNITS[unit] for _, unit in parts]
    if _PART.sub("", text) or any(larger <= smaller for larger, smaller in itertools.pairwise(lengths)):
        return 0.0
    return sum(float(number) * length for (number, _), length in zip(parts, lengths, strict=True))


def parse_budget(text: str, option: str = "--budget") -> float:
    """Return the seconds that "90", "500ms", "5m", "1.5h" or "1h30m" mean. Raises Misuse naming the option."""
    seconds = _seconds(text)
    if not 0 < seconds <= _MOST_S:
        raise Misuse(f"{option} is {text!r}, expected a time such as 500ms, 90s, 5m, 1.5h or 1h30m, at most 30d")
    return seconds


def budget_text(seconds: float) -> str:
    """Return seconds as a user would write them."""
    for unit, length in (("h", 3600.0), ("m", 60.0)):
        if seconds >= length:
            return f"{seconds / length:.3g}{unit}"
    return f"{seconds:.3g}s"
