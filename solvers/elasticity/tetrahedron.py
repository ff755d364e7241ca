"""The linear tetrahedron in NumPy: forces, stresses and volumes of many elements at once.

Written apart from the solver's C++, as ``element.py`` is. Elements are the last index of every array.
"""

from __future__ import annotations

import numpy as np

from rooftop.solvers.elasticity.element import Array, cofactors, largest, stress_of


def _edges(corners: Array) -> Array:
    """Return the three edges that leave the first corner, (1, 3, 3, elements), of corners (4, 3, elements)."""
    edges: Array = (corners[1:] - corners[0])[None]
    return edges


def volumes_of_tetrahedra(corners: Array) -> Array:
    """Return six times the volume of each element, negative where it is inverted; corners are (4, 3, elements)."""
    result: Array = cofactors(_edges(corners))[1][0]
    return result


def _slopes(corners: Array) -> tuple[Array, Array]:
    """Return the shape functions' gradients (4, 3, elements), and the volumes (elements,)."""
    cofactor, determinant = cofactors(_edges(corners))
    behind = cofactor[0] / determinant
    return np.concatenate([-behind.sum(axis=0, keepdims=True), behind]), determinant[0] / 6


def tetrahedron_stresses(corners: Array, moved: Array, first: Array, second: Array) -> Array:
    """Return the stresses (3, 3, elements), constant in each element; arguments as of `tetrahedron_forces`."""
    gradient = np.einsum("ace,ade->dce", _slopes(corners)[0], moved)
    stress: Array = stress_of(gradient[None], first, second)[0]
    return stress


def tetrahedron_forces(corners: Array, moved: Array, first: Array, second: Array) -> tuple[Array, Array]:
    """Return the forces (4, 3, elements) of displaced corners, and the size of what cancels in them (elements,).

    corners         (4, 3, elements)
    moved           displacements of the corners, (4, 3, elements)
    first, second   Lamé's constants, (elements,)
    """
    slopes, volume = _slopes(corners)
    stress = stress_of(np.einsum("ace,ade->dce", slopes, moved)[None], first, second)[0]
    result: Array = np.einsum("ace,dce->ade", slopes, stress) * volume
    stiffness = np.einsum("ace,ace->e", slopes, slopes) * np.abs(volume)
    return result, stiffness * (first + 2 * second) * largest(moved)
