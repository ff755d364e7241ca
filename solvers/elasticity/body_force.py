"""What a force per volume, such as weight, puts on a mesh's nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.c_interface.checked_arrays import real_numbers
from rooftop.solvers.elasticity.checked_mesh import checked_mesh
from rooftop.solvers.elasticity.element_kinds import Kind
from rooftop.solvers.elasticity.library import ElasticityArgumentError
from rooftop.solvers.elasticity.mesh_element import ELEMENTS_AT_ONCE, at_nodes, volumes
from rooftop.solvers.elasticity.reference_element import reference


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
            f"({mesh.elements_count}, 3) of such"
        )
    each = np.broadcast_to(given, (mesh.elements_count, 3))
    result = np.zeros((mesh.nodes_count, 3))
    for part, kind, cells in mesh.chunks(ELEMENTS_AT_ONCE):
        of = reference(kind)
        volume = volumes(kind, at_nodes(mesh.coordinates, cells)) * of.weights[:, None]
        share = volume.T @ of.values(of.points)
        for component in range(3):
            theirs = share * each[part, component, None]
            result[:, component] += np.bincount(cells.ravel(), theirs.ravel(), mesh.nodes_count)
    return result
