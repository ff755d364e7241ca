"""Shape functions and points of integration of each kind of element, apart from the solver's C++.

An element's shape functions are the combinations of its monomials that are 1 at one node and 0 at all others, so that
a kind is told by the places of its nodes, its monomials, and its points. Source: Zienkiewicz, Taylor and Zhu, "The
Finite Element Method: Its Basis and Fundamentals", chapters 6 and 3 (integration).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity.element_kinds import Kind

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Reference:
    """An element in its own coordinates.

    places   of its nodes, (nodes, 3)
    powers   of the three coordinates in each monomial, (nodes, 3)
    points   of integration, (points, 3)
    weights  (points,)
    centre   (1, 3), where stresses are told
    """

    places: Array
    powers: NDArray[np.int64]
    points: Array
    weights: Array
    centre: Array

    @cached_property
    def _coefficients(self) -> Array:
        return np.linalg.inv(np.prod(self.places[:, None] ** self.powers, axis=2))

    def values(self, points: Array) -> Array:
        """Return the shape functions at points (points, 3): (points, nodes)."""
        result: Array = np.prod(points[:, None] ** self.powers, axis=2) @ self._coefficients
        return result

    def derivatives(self, points: Array) -> Array:
        """Return the shape functions' derivatives at points (points, 3): (points, 3, nodes)."""
        slopes = []
        for axis in range(3):
            lower = self.powers.copy()
            lower[:, axis] = np.maximum(lower[:, axis] - 1, 0)
            slopes.append(self.powers[:, axis] * np.prod(points[:, None] ** lower, axis=2) @ self._coefficients)
        return np.stack(slopes, axis=1)


_TETRAHEDRON = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.float64)
_CUBE = np.array(
    [[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1], [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]],
    dtype=np.float64,
)
_LINEAR = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
_TRILINEAR = list(product((0, 1), repeat=3))


def _gauss(count: int) -> tuple[Array, Array]:
    """Return points and weights of the cube [-1, 1]³ with so many in each direction."""
    points, weights = np.polynomial.legendre.leggauss(count)
    return (
        np.array([(x, y, z) for z, y, x in product(points, repeat=3)]),
        np.array([a * b * c for a, b, c in product(weights, repeat=3)]),
    )


@cache
def reference(kind: Kind) -> Reference:
    """Return the element of a kind."""
    if kind == "tetrahedron":
        centre = np.full((1, 3), 1 / 4)
        return Reference(
            places=_TETRAHEDRON, powers=np.array(_LINEAR), points=centre, weights=np.array([1 / 6]), centre=centre
        )
    points, weights = _gauss(2)
    return Reference(places=_CUBE, powers=np.array(_TRILINEAR), points=points, weights=weights, centre=np.zeros((1, 3)))
