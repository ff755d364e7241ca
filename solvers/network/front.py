"""Hypervolume of a front, and the choice of a plan by weights."""

from __future__ import annotations

from collections.abc import Mapping

import moocore
import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.solvers.network.model import OBJECTIVES

MARGIN = 1.1  # default reference point, relative to the worst values of the front


def hypervolume(points: NDArray[np.float64], reference: NDArray[np.float64]) -> float:
    """Return the hypervolume of points [plans][objectives] up to a reference point, computed by moocore."""
    within = points[np.all(points < reference, axis=1)]
    return float(moocore.hypervolume(within, ref=reference)) if len(within) else 0.0


def reference_of(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a reference point for a front: a tenth beyond the worst value of each objective."""
    worst: NDArray[np.float64] = np.multiply(MARGIN, np.max(points, axis=0))
    worst[worst <= 0] = 1.0
    return worst


def all_differ(points: NDArray[np.float64]) -> bool:
    """Return whether no point dominates or equals another, as computed by moocore."""
    return bool(np.all(moocore.is_nondominated(points)))


def chosen(points: NDArray[np.float64], weights: NDArray[np.float64]) -> int:
    """Return the plan with the smallest weighted sum, each objective scaled from 0 at its best to 1 at its worst."""
    least, most = points.min(axis=0), points.max(axis=0)
    spread = np.where(most > least, most - least, 1.0)
    return int(np.argmin(((points - least) / spread) @ (weights / weights.sum())))


def _figures(option: str, text: str) -> Mapping[str, float]:
    found: dict[str, float] = {}
    for part in text.split(","):
        name, equals, figure = (word.strip() for word in part.partition("="))
        try:
            value = float(figure)
        except ValueError:
            value = float("nan")
        if name not in OBJECTIVES or name in found or not equals or not 0 <= value < float("inf"):
            example = ",".join(f"{objective}=1" for objective in OBJECTIVES)
            raise Misuse(
                f"{option} contains '{part}', expected each objective once with a number of 0 or more: {example}"
            )
        found[name] = value
    return found


def parse_weights(text: str) -> NDArray[np.float64]:
    """Parse weights such as ``cost=0.5,time=0.2,co2e=0.3``. Omitted objectives have weight 0."""
    found = _figures("--weights", text)
    weights = np.array([found.get(name, 0.0) for name in OBJECTIVES])
    if not 0 < weights.sum() < float("inf"):
        raise Misuse(f"--weights is '{text}', expected at least one weight above 0")
    shares: NDArray[np.float64] = weights / weights.sum()
    return shares


def parse_reference(text: str) -> NDArray[np.float64]:
    """Parse a reference point such as ``cost=1e6,time=2e5,co2e=9e4``."""
    found = _figures("--reference", text)
    if missing := [name for name in OBJECTIVES if not found.get(name)]:
        raise Misuse(f"--reference is '{text}', expected a number above 0 for {missing[0]}, too")
    return np.array([found[name] for name in OBJECTIVES])
