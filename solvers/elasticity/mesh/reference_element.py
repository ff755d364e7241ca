"""Shape functions and integration points of each kind of element, independent of the solver's C++.

The shape functions are the combinations of an element's monomials that are 1 at one node and 0 at all others. A kind is
therefore defined by the coordinates of its nodes, its monomials and its integration points. Source: Zienkiewicz, Taylor
and Zhu, "The Finite Element Method: Its Basis and Fundamentals", chapters 6 and 3 (integration).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity.mesh.kinds import EDGES, Kind

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Reference:
    """Reference element of a kind, in local coordinates.

    places   coordinates of the nodes, (nodes, 3)
    powers   exponents of the three coordinates in each monomial, (nodes, 3)
    points   integration points, (points, 3)
    weights  weights of the integration points, (points,)
    centre   centre, where stresses are reported, (1, 3)
    modes    exponents of the incompatible modes, (modes, 3); their derivatives use the Jacobian at the centre
    """

    places: Array
    powers: NDArray[np.int64]
    points: Array
    weights: Array
    centre: Array
    modes: NDArray[np.int64] = field(default_factory=lambda: np.empty((0, 3), dtype=np.int64))

    @cached_property
    def _coefficients(self) -> Array:
        return np.linalg.inv(_monomials(self.places, self.powers)).astype(np.float64)

    def values(self, points: Array) -> Array:
        """Return the values of the shape functions at points (points, 3): (points, nodes)."""
        return _monomials(points, self.powers) @ self._coefficients

    def derivatives(self, points: Array) -> Array:
        """Return the derivatives of the shape functions at points (points, 3): (points, 3, nodes)."""
        return _slopes(points, self.powers) @ self._coefficients

    def mode_derivatives(self) -> Array:
        """Return the derivatives of the incompatible modes at the integration points: (points, 3, modes)."""
        return _slopes(self.points, self.modes)


def _monomials(points: Array, powers: NDArray[np.int64]) -> Array:
    """Return monomials at points: (points, monomials)."""
    result: Array = np.prod(points[:, None] ** powers, axis=2)
    return result


def _slopes(points: Array, powers: NDArray[np.int64]) -> Array:
    """Return the derivatives of monomials at points: (points, 3, monomials)."""
    slopes = []
    for axis in range(3):
        lower = powers.copy()
        lower[:, axis] = np.maximum(lower[:, axis] - 1, 0)
        slopes.append(powers[:, axis] * _monomials(points, lower))
    return np.stack(slopes, axis=1)


_TETRAHEDRON = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.float64)
_CUBE = np.array(
    [[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1], [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]],
    dtype=np.float64,
)
_WEDGE = np.array([[0, 0, -1], [1, 0, -1], [0, 1, -1], [0, 0, 1], [1, 0, 1], [0, 1, 1]], dtype=np.float64)
_ONES, _TWOS = list(product((0, 1), repeat=3)), list(product((0, 1, 2), repeat=3))
_CORNERS = {"tetrahedron": _TETRAHEDRON, "wedge": _WEDGE, "hexahedron": _CUBE}
# Exponents of the monomials of the linear and of the quadratic kind.
_POWERS = {
    "tetrahedron": (
        [power for power in _ONES if sum(power) <= 1],
        [power for power in _TWOS if sum(power) <= 2],
    ),
    "wedge": (
        [power for power in _ONES if sum(power[:2]) <= 1],
        [power for power in _TWOS if sum(power[:2]) + max(0, power[2] - 1) <= 2],
    ),
    "hexahedron": (_ONES, [power for power in _TWOS if power.count(2) <= 1]),
}


def _line(count: int) -> tuple[Array, Array]:
    """Return the Gauss points and weights in [-1, 1]."""
    return np.polynomial.legendre.leggauss(count)


def _in_cube(count: int) -> tuple[Array, Array]:
    points, weights = _line(count)
    return (
        np.array([(x, y, z) for z, y, x in product(points, repeat=3)]),
        np.array([a * b * c for a, b, c in product(weights, repeat=3)]),
    )


def _in_wedge(triangle: list[tuple[float, float]], count: int) -> tuple[Array, Array]:
    """Return the points of a triangle, with equal weights, at each of `count` Gauss points along the wedge."""
    points, weights = _line(count)
    places = [(x, y, z) for z in points for x, y in triangle]
    return np.array(places), np.repeat(weights / (2 * len(triangle)), len(triangle))


def _in_tetrahedron(count: int) -> tuple[Array, Array]:
    """Return one or four points, exact for polynomials of first or second degree."""
    if count == 1:
        return np.full((1, 3), 1 / 4), np.array([1 / 6])
    near = (5 - 5**0.5) / 20
    return near + (1 - 4 * near) * _TETRAHEDRON, np.full(4, 1 / 24)


_THIRD, _SIXTHS = [(1 / 3, 1 / 3)], [(1 / 6, 1 / 6), (2 / 3, 1 / 6), (1 / 6, 2 / 3)]
_POINTS: dict[Kind, tuple[Array, Array]] = {
    "tetrahedron": _in_tetrahedron(1),
    "wedge": _in_wedge(_THIRD, 2),
    "hexahedron": _in_cube(2),
    "hexahedron_incompatible": _in_cube(2),
    "tetrahedron10": _in_tetrahedron(4),
    "wedge15": _in_wedge(_SIXTHS, 3),
    "hexahedron20": _in_cube(3),
    "hexahedron20_reduced": _in_cube(2),
}


@cache
def reference(kind: Kind) -> Reference:
    """Return the reference element of a kind. Its integration points are CalculiX's."""
    shape = next(name for name in _CORNERS if kind.startswith(name))
    corners, edges = _CORNERS[shape], EDGES.get(kind, ())
    middles = [(corners[a] + corners[b]) / 2 for a, b in edges]
    points, weights = _POINTS[kind]
    modes = np.array([[2, 0, 0], [0, 2, 0], [0, 0, 2]] if kind == "hexahedron_incompatible" else np.empty((0, 3)))
    return Reference(
        places=np.array([*corners, *middles]),
        powers=np.array(_POWERS[shape][1 if edges else 0]),
        points=points,
        weights=weights,
        centre=corners.mean(axis=0)[None],
        modes=modes.astype(np.int64),
    )
