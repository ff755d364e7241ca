"""Stresses of a displaced mesh."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity.checked_mesh import (
    Mesh,
    Whole,
    checked_mesh,
    mesh_element_values,
    mesh_node_values,
    values_of,
)
from rooftop.solvers.elasticity.element import Array, centre_stresses, lame
from rooftop.solvers.elasticity.stress import von_mises
from rooftop.solvers.elasticity.tetrahedron import tetrahedron_stresses

ELEMENTS_AT_ONCE = 2048  # what is computed for them stays in the cache
FROM_VTK = [0, 1, 3, 2, 4, 5, 7, 6]  # VTK's corners go around each of two faces


def corners_of(values: Array, cells: Whole) -> Array:
    """Return what nodes have, (nodes, 3), at the corners of elements of one kind: (corners, 3, elements).

    Corners of hexahedra come in the order of `element.CORNERS`.
    """
    ordered = cells[:, FROM_VTK] if cells.shape[1] == 8 else cells
    return np.ascontiguousarray(values[ordered.T].transpose(0, 2, 1))


def _by_chunks(mesh: Mesh, moved: Array, young: Array, poisson: Array) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """Yield which elements of all, and the stresses (elements, 3, 3) at their centres."""
    for part, cells in mesh.chunks(ELEMENTS_AT_ONCE):
        constants = lame(values_of(young, part), values_of(poisson, part))
        stress = centre_stresses if cells.shape[1] == 8 else tetrahedron_stresses
        found = stress(corners_of(mesh.coordinates, cells), corners_of(moved, cells), *constants)
        yield part, found.transpose(2, 0, 1)


def mesh_stresses(
    coordinates: Any,
    displacement: Any,
    *,
    hexahedra: Any = None,
    tetrahedra: Any = None,
    young: Any = 1.0,
    poisson: Any = 0.3,
) -> NDArray[np.float64]:
    """Return the stress at the centre of each element, hexahedra first: (elements, 3, 3), in the unit of `young`.

    Arguments as of `solve_mesh`. Raises ElasticityArgumentError.
    """
    mesh = checked_mesh(coordinates, hexahedra, tetrahedra)
    moved = mesh_node_values("displacement", displacement, mesh.nodes_count)
    moduli = mesh_element_values("young", young, mesh.elements_count)
    ratios = mesh_element_values("poisson", poisson, mesh.elements_count)
    result = np.empty((mesh.elements_count, 3, 3))
    for part, stress in _by_chunks(mesh, moved, moduli, ratios):
        result[part] = stress
    return result


def equivalent_mesh_stresses(mesh: Mesh, moved: Array, young: Array, poisson: Array) -> NDArray[np.float64]:
    """Return von Mises' stress at the centre of each element, (elements,), without keeping the tensors."""
    result = np.empty(mesh.elements_count)
    for part, stress in _by_chunks(mesh, moved, young, poisson):
        result[part] = von_mises(stress)
    return result
