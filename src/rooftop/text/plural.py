"""Counted and listed things in words."""

from __future__ import annotations

from collections.abc import Sequence

_SHOWN = 4


def plural(count: int, noun: str) -> str:
    """Return a count with its noun: ``1 case``, ``4 cases``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def listed(words: Sequence[str]) -> str:
    """Return words as a sentence lists them: ``a``, ``a and b``, ``a, b and c``."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def some(told: Sequence[str], between: str = ", ") -> str:
    """Return the first four texts, and how many more there are."""
    shown = between.join(told[:_SHOWN])
    last = " " if between == ", " else between
    return shown if len(told) <= _SHOWN else f"{shown}{last}and {len(told) - _SHOWN} more"
