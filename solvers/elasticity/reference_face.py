"""Shape functions of faces, integrated over them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity.element_kinds import FaceKind

Array = NDArray[np.float64]


@dataclass(frozen=True)
class _Rule:
    """Shape functions at points of integration (points, nodes), their derivatives (points, 2, nodes), and weights."""

    values: Array
    derivatives: Array
    weights: Array


def _gauss(count: int) -> tuple[Array, Array]:
    """Return points (points, 2) of the square [-1, 1]² with so many in each direction, and their weights."""
    points, weights = np.polynomial.legendre.leggauss(count)
    return np.array(list(product(points, repeat=2))), np.array([a * b for a, b in product(weights, repeat=2)])


@cache
def _rule(kind: FaceKind) -> _Rule:
    if kind == "triangle":
        places, powers = [(0, 0), (1, 0), (0, 1)], [(0, 0), (1, 0), (0, 1)]
        points, weights = np.full((1, 2), 1 / 3), np.array([1 / 2])
    else:
        places, powers = [(-1, -1), (1, -1), (1, 1), (-1, 1)], [(0, 0), (1, 0), (0, 1), (1, 1)]
        points, weights = _gauss(2)
    exponents = np.array(powers)
    coefficients = np.linalg.inv(np.prod(np.array(places, dtype=np.float64)[:, None] ** exponents, axis=2))
    slopes = []
    for axis in range(2):
        lower = exponents.copy()
        lower[:, axis] = np.maximum(lower[:, axis] - 1, 0)
        slopes.append(exponents[:, axis] * np.prod(points[:, None] ** lower, axis=2) @ coefficients)
    values = np.prod(points[:, None] ** exponents, axis=2) @ coefficients
    return _Rule(values, np.stack(slopes, axis=1), weights)


def shape_and_area(kind: FaceKind, places: Array) -> tuple[Array, Array]:
    """Return shape functions at points of integration, (points, nodes of one), and the area there.

    places  of the faces' nodes, (faces, nodes of one, 3)

    Areas are vectors along outer normals, with the weights of the points: (points, faces, 3).
    """
    rule = _rule(kind)
    along = np.einsum("pdn,fnc->dpfc", rule.derivatives, places)
    return rule.values, np.cross(along[0], along[1]) * rule.weights[:, None, None]
