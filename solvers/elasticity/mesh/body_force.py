"""Nodal forces of a force per volume, such as weight."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.c_interface.checked_arrays import real_numbers
from rooftop.solvers.elasticity.library import ElasticityArgumentError
from rooftop.solvers.elasticity.mesh.arguments import Array, Whole, checked_mesh
from rooftop.solvers.elasticity.mesh.element import ELEMENTS_AT_ONCE, at_nodes, volumes
from rooftop.solvers.elasticity.mesh.kinds import Kind
from rooftop.solvers.elasticity.mesh.reference_element import reference


def mesh_body_force(coordinates: Any, elements: Mapping[Kind, Any], force: Any) -> NDArray[np.float64]:
    """Return the forces on nodes, (nodes, 3), that a force per volume is.

    coordinates, elements  as of `solve_mesh`
    force                  along x, y and z: (3,), or for each element (elements, 3)

    Each node has its shape function's integral over its elements, by their points of integration. Raises
    ElasticityArgumentError.
    """
    mesh = checked_mesh(coordinates, elements)
    given = real_numbers("force", force, ElasticityArgumentError)
    if given.shape not in ((3,), (mesh.elements_count, 3)) or not np.isfinite(given).all():
        raise ElasticityArgumentError(
            f"force has shape {given.shape}; expected three finite numbers, or an array (elements, 3) = "
            f"({mesh.elements_count}, 3) of finite numbers"
        )
    each = np.broadcast_to(given, (mesh.elements_count, 3))
    result = np.zeros((mesh.nodes_count, 3))
    for part, kind, cells in mesh.chunks(ELEMENTS_AT_ONCE):
        _add(kind, mesh.coordinates, cells, each[part], result)
    return result


def forces_of_volume(
    kind: Kind, places: Array, cells: Whole, each: Array, vector: NDArray[np.float64], forces: Array
) -> None:
    """Add to forces (nodes, 3) those of a vector for each unit of volume.

    each  what it is multiplied by at points of integration, (points or 1, elements)
    """
    for start in range(0, len(cells), ELEMENTS_AT_ONCE):
        part = slice(start, start + ELEMENTS_AT_ONCE)
        force = np.broadcast_to(vector, (len(cells[part]), 3))
        _add(kind, places, cells[part], force, forces, each[:, part])


def _add(kind: Kind, places: Array, cells: Whole, force: Array, to: Array, each: Array | None = None) -> None:
    """Add what a force per volume of each element, (elements, 3), puts on its nodes, times `each` at its points."""
    of = reference(kind)
    volume = volumes(kind, at_nodes(places, cells)) * of.weights[:, None]
    share = (volume if each is None else volume * each).T @ of.values(of.points)
    for component in range(3):
        theirs = share * force[:, component, None]
        to[:, component] += np.bincount(cells.ravel(), theirs.ravel(), len(to))
