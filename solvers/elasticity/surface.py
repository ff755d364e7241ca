"""The outer faces of a displaced body, with its displacements exaggerated so that they are seen."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity.problem import Problem

_SHOWN = 0.1  # of the body's extent is as far as the largest displacement is drawn, at most


@dataclass(frozen=True)
class Surface:
    """What is drawn of a displaced body.

    corners   of the quadrilaterals, displaced: (quadrilaterals, 4, 3)
    lengths   of their corners' displacements: (quadrilaterals, 4)
    edges     of the body before it was displaced: lines of places (nodes, 3)
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


def surface_of(problem: Problem, displacement: NDArray[np.float64]) -> Surface:
    """Return the outer faces of a body with its displacements exaggerated, and the edges that it had."""
    faces = problem.outer_faces(displacement)
    largest = math.sqrt(np.square(displacement).sum(axis=-1).max())
    factor = factor_of(float(np.ptp(faces.places.reshape(-1, 3), axis=0).max()), largest)
    lengths: NDArray[np.float64] = np.linalg.norm(faces.values, axis=-1)
    return Surface(faces.places + factor * faces.values, lengths, faces.edges, factor)
