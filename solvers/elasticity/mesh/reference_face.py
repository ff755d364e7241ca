"""Shape functions of faces, and integration over faces."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity.mesh.kinds import CORNERS, FaceKind

Array = NDArray[np.float64]


@dataclass(frozen=True)
class _Rule:
    """Shape functions at integration points, (points, nodes), their derivatives, (points, 2, nodes), and weights."""

    values: Array
    derivatives: Array
    weights: Array


def _gauss(count: int) -> tuple[Array, Array]:
    """Return Gauss points, (points, 2), in the square [-1, 1]² with `count` in each direction, and their weights."""
    points, weights = np.polynomial.legendre.leggauss(count)
    return np.array(list(product(points, repeat=2))), np.array([a * b for a, b in product(weights, repeat=2)])


@dataclass(frozen=True)
class _Shapes:
    """Shape functions as polynomials in two coordinates: exponents (powers, 2), and factors (powers, nodes)."""

    exponents: NDArray[np.int64]
    factors: Array

    def values(self, points: Array) -> Array:
        """Return the shape functions at points (points, 2): (points, nodes)."""
        result: Array = np.prod(points[:, None] ** self.exponents, axis=2) @ self.factors
        return result

    def derivatives(self, points: Array) -> Array:
        """Return the derivatives at points (points, 2): (points, 2, nodes)."""
        slopes = []
        for axis in range(2):
            lower = self.exponents.copy()
            lower[:, axis] = np.maximum(lower[:, axis] - 1, 0)
            slopes.append(self.exponents[:, axis] * np.prod(points[:, None] ** lower, axis=2) @ self.factors)
        return np.stack(slopes, axis=1)


@cache
def shapes_of(kind: FaceKind) -> _Shapes:
    """Return the shape functions of a face. Local coordinates are 0 to 1 in triangles, -1 to 1 in quadrilaterals."""
    if CORNERS[kind] == 3:
        places = [(0, 0), (1, 0), (0, 1), (0.5, 0), (0.5, 0.5), (0, 0.5)]
        powers = [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2)]
        nodes = 3 if kind == "triangle" else 6
    else:
        places = [(-1, -1), (1, -1), (1, 1), (-1, 1), (0, -1), (1, 0), (0, 1), (-1, 0)]
        powers = [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (2, 1), (0, 2), (1, 2)]
        nodes = 4 if kind in ("quadrilateral", "quadrilateral_reduced") else 8
    exponents = np.array(powers[:nodes])
    at = np.array(places[:nodes], dtype=np.float64)
    return _Shapes(exponents, np.linalg.inv(np.prod(at[:, None] ** exponents, axis=2)))


@cache
def _rule(kind: FaceKind) -> _Rule:
    shapes = shapes_of(kind)
    if CORNERS[kind] == 3:
        points = np.array([(1 / 6, 1 / 6), (2 / 3, 1 / 6), (1 / 6, 2 / 3)])
        weights = np.full(3, 1 / 6)
    else:
        points, weights = _gauss((2 if len(shapes.exponents) == 4 else 3) - kind.endswith("_reduced"))
    return _Rule(shapes.values(points), shapes.derivatives(points), weights)


def shape_and_area(kind: FaceKind, places: Array) -> tuple[Array, Array]:
    """Return the shape functions at integration points, (points, nodes per face), and the areas of the points.

    places  coordinates of the faces' nodes, (faces, nodes per face, 3)

    Areas are vectors along outer normals, including the weights of the points: (points, faces, 3).
    """
    rule = _rule(kind)
    along = np.einsum("pdn,fnc->dpfc", rule.derivatives, places)
    return rule.values, np.cross(along[0], along[1]) * rule.weights[:, None, None]
