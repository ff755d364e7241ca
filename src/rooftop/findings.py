"""What looks for findings: one file each in a folder, with a function ``find`` and its place in ORDER."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rooftop.modules_of import modules_of

_SHOWN = 4


def found(package: str, ground: Any, wanted: Callable[[Any], bool] = lambda module: True) -> list[Any]:
    """Return what the files of a folder find in what they are given to look at; `wanted` chooses among the files."""
    return [one for module in modules_of(package) if wanted(module) for one in module.find(ground)]


def some(told: Sequence[str], between: str = ", ") -> str:
    """Return the first four, and how many more there are."""
    shown = between.join(told[:_SHOWN])
    last = " " if between == ", " else between
    return shown if len(told) <= _SHOWN else f"{shown}{last}and {len(told) - _SHOWN} more"
