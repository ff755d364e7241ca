"""Plans of transport networks with several objectives: what ``rooftop.solvers.network`` offers."""

from __future__ import annotations

from rooftop.solvers.network import (
    TRAILS,
    Callback,
    Front,
    Model,
    NetworkArgumentError,
    NothingFound,
    Standing,
    Trails,
    solve,
)

__all__ = [
    "TRAILS",
    "Callback",
    "Front",
    "Model",
    "NetworkArgumentError",
    "NothingFound",
    "Standing",
    "Trails",
    "solve",
]
