"""Stresses of a deformed mesh."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity.box.hexahedron import Array
from rooftop.solvers.elasticity.box.stress import von_mises
from rooftop.solvers.elasticity.mesh.arguments import (
    Mesh,
    checked_mesh,
    mesh_element_values,
)
from rooftop.solvers.elasticity.mesh.elastic_law import Laws
from rooftop.solvers.elasticity.mesh.element import ELEMENTS_AT_ONCE, at_nodes, centre_stresses
from rooftop.solvers.elasticity.node_arguments import node_values


def _by_chunks(mesh: Mesh, moved: Array, laws: Laws) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """Yield ranges of elements and the stresses (elements, 3, 3) at their centres; `laws`: those of the centres."""
    for part, kind, cells in mesh.chunks(ELEMENTS_AT_ONCE):
        law = laws.of(kind, np.arange(part.start, part.stop))
        found = centre_stresses(kind, at_nodes(mesh.coordinates, cells), at_nodes(moved, cells), law)
        yield part, found.transpose(2, 0, 1)


def mesh_stresses(
    coordinates: Any,
    displacement: Any,
    *,
    elements: Any,
    young: Any = 1.0,
    poisson: Any = 0.3,
) -> NDArray[np.float64]:
    """Return the stress at the centre of each element, (elements, 3, 3), in the unit of `young`.

    Arguments as for `solve_mesh`. Raises ElasticityArgumentError.
    """
    mesh = checked_mesh(coordinates, elements)
    moved = node_values("displacement", displacement, mesh.nodes_count)
    moduli = mesh_element_values("young", young, mesh.elements_count)
    ratios = mesh_element_values("poisson", poisson, mesh.elements_count)
    result = np.empty((mesh.elements_count, 3, 3))
    for part, stress in _by_chunks(mesh, moved, Laws(mesh, moduli, ratios, None)):
        result[part] = stress
    return result


@np.errstate(over="ignore", invalid="ignore")
def equivalent_mesh_stresses(mesh: Mesh, moved: Array, laws: Laws, initial: Array | None) -> NDArray[np.float64]:
    """Return the von Mises stress at the centre of each element, (elements,), without storing the tensors.

    It is not finite if it overflows.

    laws     elastic laws at the elements' centres
    initial  stress of the undeformed body there, (elements, 3, 3); None: zero
    """
    result = np.empty(mesh.elements_count)
    for part, stress in _by_chunks(mesh, moved, laws):
        result[part] = von_mises(stress if initial is None else stress + initial[part])
    return result
