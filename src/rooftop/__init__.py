"""Rooftop: a performance-engineering bench for parallel programs."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# The solvers' Python faces, loaded on first use: the bench itself must start quickly and needs none of them.
_SOLVERS = {
    "conv2d": "rooftop.conv",
    "ConvPlan": "rooftop.conv",
    "fftn": "rooftop.fft",
    "ifftn": "rooftop.fft",
    "irfftn": "rooftop.fft",
    "rfftn": "rooftop.fft",
    "FourierPlan": "rooftop.fft",
    "solve_tsp": "rooftop.routing",
    "Stop": "rooftop.solvers.running.stop",
}


def __getattr__(name: str) -> Any:
    module = _SOLVERS.get(name)
    if module is None:
        raise AttributeError(f"module 'rooftop' has no attribute {name!r}")
    return getattr(import_module(module), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_SOLVERS])
