"""Shape functions of faces, integrated over them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity.element_kinds import CORNERS, FaceKind

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
    if CORNERS[kind] == 3:
        places = [(0, 0), (1, 0), (0, 1), (0.5, 0), (0.5, 0.5), (0, 0.5)]
        powers = [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2)]
        points = np.array([(1 / 6, 1 / 6), (2 / 3, 1 / 6), (1 / 6, 2 / 3)])
        weights = np.full(3, 1 / 6)
        nodes = 3 if kind == "triangle" else 6
    else:
        places = [(-1, -1), (1, -1), (1, 1), (-1, 1), (0, -1), (1, 0), (0, 1), (-1, 0)]
        powers = [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (2, 1), (0, 2), (1, 2)]
        nodes = 4 if kind in ("quadrilateral", "quadrilateral_reduced") else 8
        points, weights = _gauss((2 if nodes == 4 else 3) - kind.endswith("_reduced"))
    places, powers = places[:nodes], powers[:nodes]
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
