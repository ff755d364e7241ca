"""Short tours through cities: what ``rooftop.solvers.routing`` offers."""

from __future__ import annotations

from rooftop.solvers.routing import (
    Callback,
    Problem,
    Progress,
    RoundedDistances,
    RoutingArgumentError,
    Show,
    Tour,
    solve_tsp,
)

__all__ = ["Callback", "Problem", "Progress", "RoundedDistances", "RoutingArgumentError", "Show", "Tour", "solve_tsp"]
