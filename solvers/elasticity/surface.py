"""The outer faces of a box as few enough quadrilaterals to be drawn."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity.problem import Problem

_LINES_MAX = 29  # nodes along a face's side that are drawn
_SHOWN = 0.1  # of the body's extent is as far as the largest displacement is drawn, at most


@dataclass(frozen=True)
class Surface:
    """What is drawn of a displaced body.

    corners   of the quadrilaterals, displaced: (quadrilaterals, 4, 3)
    lengths   of their corners' displacements: (quadrilaterals, 4)
    edges     of the body before it was displaced: 12 lines of places (nodes, 3)
    factor    by which displacements are multiplied
    """

    corners: NDArray[np.float64]
    lengths: NDArray[np.float64]
    edges: list[NDArray[np.float64]]
    factor: float


def _round(value: float) -> float:
    """Return the largest of 1, 2 and 5 times a power of ten that is not above a value."""
    power = 10.0 ** math.floor(math.log10(value))
    return float(max(step for step in (1, 2, 5) if step * power <= value * (1 + 1e-9)) * power)


def factor_of(extent: float, largest: float) -> float:
    """Return by how much displacements are multiplied so that they are seen, and do not hide the body."""
    return _round(_SHOWN * extent / largest) if largest > 0 else 1.0


def _some(count: int) -> NDArray[np.int64]:
    return np.unique(np.linspace(0, count - 1, min(count, _LINES_MAX)).round().astype(np.int64))


def _quads(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what the corners of a face's quadrilaterals have, around each: (quadrilaterals, 4, …)."""
    around = (values[:-1, :-1], values[:-1, 1:], values[1:, 1:], values[1:, :-1])
    return np.stack(around, axis=2).reshape(-1, 4, *values.shape[2:])


def surface_of(problem: Problem, displacement: NDArray[np.float64]) -> Surface:
    """Return the outer faces of a body with its displacements exaggerated, and the edges that it had."""
    chosen = np.ix_(*(_some(count) for count in displacement.shape[:3]))
    places, moved = problem.places[chosen], displacement[chosen]
    largest = math.sqrt(np.square(displacement).sum(axis=-1).max())
    factor = factor_of(float(np.ptp(places.reshape(-1, 3), axis=0).max()), largest)
    shown = places + factor * moved
    lengths: NDArray[np.float64] = np.linalg.norm(moved, axis=-1)
    corners, sizes, edges = [], [], []
    for axis, end in product(range(3), (0, -1)):
        corners.append(_quads(np.moveaxis(shown, axis, 0)[end]))
        sizes.append(_quads(np.moveaxis(lengths, axis, 0)[end]))
    for axis in range(3):
        ends = np.moveaxis(places, axis, 0)
        edges += [ends[:, one, other] for one, other in product((0, -1), repeat=2)]
    return Surface(np.concatenate(corners), np.concatenate(sizes), edges, factor)
