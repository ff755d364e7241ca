"""Forces on nodes that a force for each unit of volume is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity.checked_mesh import Array, Whole
from rooftop.solvers.elasticity.element_kinds import Kind
from rooftop.solvers.elasticity.mesh_element import ELEMENTS_AT_ONCE, at_nodes, volumes
from rooftop.solvers.elasticity.reference_element import reference


def forces_of_volume(
    kind: Kind, places: Array, cells: Whole, each: Array, vector: NDArray[np.float64], forces: Array
) -> None:
    """Add to forces (nodes, 3) those of a vector for each unit of volume, times a number of each element.

    Each node has its shape function's integral, with the points that the element's stiffness has.
    """
    of = reference(kind)
    values = of.values(of.points)
    for start in range(0, len(cells), ELEMENTS_AT_ONCE):
        part = cells[start : start + ELEMENTS_AT_ONCE]
        volume = volumes(kind, at_nodes(places, part)) * of.weights[:, None]
        share = (volume.T @ values) * each[start : start + ELEMENTS_AT_ONCE, None]
        for component in range(3):
            forces[:, component] += vector[component] * np.bincount(part.ravel(), share.ravel(), len(places))
