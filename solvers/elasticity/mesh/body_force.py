"""Nodal forces of forces per volume, such as weight."""

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
    """Return the nodal forces, (nodes, 3), of a force per volume.

    coordinates, elements  as for `solve_mesh`
    force                  along x, y and z: (3,), or (elements, 3) for each element

    The force on a node is the integral of the force times its shape function, by the elements' integration points.
    Raises ElasticityArgumentError.
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
    """Add the nodal forces of a force per volume to `forces`, (nodes, 3).

    each    factors of the vector at integration points, (points or 1, elements)
    vector  force per volume, (3,)
    """
    for start in range(0, len(cells), ELEMENTS_AT_ONCE):
        part = slice(start, start + ELEMENTS_AT_ONCE)
        force = np.broadcast_to(vector, (len(cells[part]), 3))
        _add(kind, places, cells[part], force, forces, each[:, part])


def _add(kind: Kind, places: Array, cells: Whole, force: Array, to: Array, each: Array | None = None) -> None:
    """Add the nodal forces of forces per volume, (elements, 3), times `each` at integration points."""
    of = reference(kind)
    volume = volumes(kind, at_nodes(places, cells)) * of.weights[:, None]
    share = (volume if each is None else volume * each).T @ of.values(of.points)
    for component in range(3):
        theirs = share * force[:, component, None]
        to[:, component] += np.bincount(cells.ravel(), theirs.ravel(), len(to))
