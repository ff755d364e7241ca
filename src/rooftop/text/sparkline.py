"""Figures as a row of bars, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

_BARS = "▁▂▃▄▅▆▇█"
_LONGEST = 60  # of a row: the newest


def sparkline(values: Sequence[float]) -> str:
    """Return values as a row of bars, from the least to the greatest of them."""
    shown = values[-_LONGEST:]
    low, high = min(shown), max(shown)
    if high <= low:
        return _BARS[0] * len(shown)
    return "".join(_BARS[round((value - low) / (high - low) * (len(_BARS) - 1))] for value in shown)
