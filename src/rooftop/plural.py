"""Counted things in words."""

from __future__ import annotations


def plural(count: int, noun: str) -> str:
    """Return a count with its noun: ``1 case``, ``4 cases``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
