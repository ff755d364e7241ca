"""The trilinear hexahedron in NumPy: forces, stresses and volumes of many elements at once.

Independent of the solver's C++ code, to verify its results. The number of a corner is x + 2 y + 4 z, where x, y and
z are 0 or 1. Elements are the last index of every array, so that each operation is vectorized over them.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

CORNERS = np.array([[b & 1, b >> 1 & 1, b >> 2 & 1] for b in range(8)])
_SIGNS = 2.0 * CORNERS - 1
CENTRE = np.zeros((1, 3))
GAUSS = _SIGNS / 3**0.5  # eight points with weights of 1


def _shape_derivatives(points: Array) -> Array:
    """Return the derivatives of the shape functions, (points, 3, 8 corners), in the reference cube [-1, 1]³."""
    factors = 1 + points[:, None, :] * _SIGNS
    products = [_SIGNS[:, a] * factors[..., (a + 1) % 3] * factors[..., (a + 2) % 3] for a in range(3)]
    return np.stack(products, axis=1) / 8


def _at_points(points: Array, values: Array) -> Array:
    """Return the derivatives, (points, 3, components, elements), of values at corners, (8, components, elements)."""
    rows = _shape_derivatives(points).reshape(-1, 8)
    result: Array = (rows @ values.reshape(8, -1)).reshape(len(points), 3, *values.shape[1:])
    return result


def cofactors(jacobian: Array) -> tuple[Array, Array]:
    """Return the cofactors of matrices (points, 3, 3, elements) and their determinants (points, elements)."""
    result = np.empty_like(jacobian)
    for a in range(3):
        one, other = jacobian[:, (a + 1) % 3], jacobian[:, (a + 2) % 3]
        for c in range(3):
            d, e = (c + 1) % 3, (c + 2) % 3
            np.multiply(one[:, d], other[:, e], out=result[:, a, c])
            result[:, a, c] -= one[:, e] * other[:, d]
    return result, np.einsum("gce,gce->ge", jacobian[:, 0], result[:, 0])


def volumes(corners: Array, points: Array = GAUSS) -> Array:
    """Return the Jacobian determinants, (points, elements), of elements with these corners, (8, 3, elements)."""
    return cofactors(_at_points(points, corners))[1]


def lame(young: Array, poisson: Array) -> tuple[Array, Array]:
    """Return Lamé's constants lambda and mu."""
    return young * poisson / ((1 + poisson) * (1 - 2 * poisson)), young / (2 * (1 + poisson))


def stress_of(gradient: Array, first: Array, second: Array) -> Array:
    """Return the stresses of displacement gradients, (points, 3, 3, elements), for Lamé's constants (elements,)."""
    stress = second * (gradient + gradient.swapaxes(1, 2))
    trace = np.einsum("gaae->ge", gradient) * first
    for a in range(3):
        stress[:, a, a] += trace
    return stress


def largest(values: Array) -> Array:
    """Return the largest absolute value of each element's values (corners, 3, elements)."""
    result: Array = np.abs(values.reshape(-1, values.shape[-1])).max(axis=0)
    return result


def forces(corners: Array, moved: Array, first: Array, second: Array) -> tuple[Array, Array]:
    """Return the nodal forces (8, 3, elements), and a bound of the summands that cancel in them (elements,).

    corners         (8, 3, elements)
    moved           displacements of the corners, (8, 3, elements)
    first, second   Lamé's constants, (elements,)
    """
    cofactor, determinant = cofactors(_at_points(GAUSS, corners))
    gradient = np.einsum("gade,gace->gdce", cofactor, _at_points(GAUSS, moved)) / determinant[:, None, None]
    flow = np.einsum("gade,gdce->gace", cofactor, stress_of(gradient, first, second))
    columns = _shape_derivatives(GAUSS).reshape(24, 8).T
    result: Array = (columns @ flow.reshape(24, -1)).reshape(moved.shape)
    stiffness = (np.einsum("gace,gace->ge", cofactor, cofactor) / np.abs(determinant)).sum(axis=0)
    return result, stiffness * (first + 2 * second) * largest(moved)


@cache
def _of_cube(first: float, second: float) -> tuple[Array, float]:
    """Return the stiffness matrix (24, 24) of a unit cube, and a bound of the summands that cancel in its products."""
    corners = np.repeat(CORNERS[..., None].astype(np.float64), 24, axis=2)
    units = np.eye(24).reshape(8, 3, 24)
    result, size = forces(corners, units, np.full(24, first), np.full(24, second))
    return result.reshape(24, 24), float(size[0])


def cube_forces(moved: Array, first: Array, second: Array) -> tuple[Array, Array]:
    """Return the same as `forces`, for elements that are unit cubes."""
    result = np.zeros_like(moved)
    size = np.zeros(moved.shape[-1])
    most = largest(moved)
    for units, constant in (((1.0, 0.0), first), ((0.0, 1.0), second)):
        matrix, stiffness = _of_cube(*units)
        result += (matrix @ moved.reshape(24, -1)).reshape(moved.shape) * constant
        size += stiffness * constant * most
    return result, size


def centre_stresses(corners: Array, moved: Array, first: Array, second: Array) -> Array:
    """Return the stresses (3, 3, elements) at the elements' centres; arguments as for `forces`."""
    cofactor, determinant = cofactors(_at_points(CENTRE, corners))
    gradient = np.einsum("gade,gace->gdce", cofactor, _at_points(CENTRE, moved)) / determinant[:, None, None]
    stress: Array = stress_of(gradient, first, second)[0]
    return stress
