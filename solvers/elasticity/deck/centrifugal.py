"""Forces on nodes of a body that turns about an axis."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity.mesh.arguments import Array, Whole
from rooftop.solvers.elasticity.mesh.element import ELEMENTS_AT_ONCE, at_nodes, volumes
from rooftop.solvers.elasticity.mesh.kinds import Kind
from rooftop.solvers.elasticity.mesh.reference_element import reference


def centrifugal_forces(
    kind: Kind,
    places: Array,
    cells: Whole,
    each: Array,
    point: NDArray[np.float64],
    axis: NDArray[np.float64],
    forces: Array,
) -> None:
    """Add to forces (nodes, 3) those of elements that turn about an axis.

    each         density times the square of the angular velocity, at points of integration, (points or 1, elements)
    point, axis  where the axis is, and its direction, of length 1

    The force for each unit of volume grows with the distance from the axis, and is taken at the points of integration.
    """
    of = reference(kind)
    values = of.values(of.points)
    for start in range(0, len(cells), ELEMENTS_AT_ONCE):
        part = slice(start, start + ELEMENTS_AT_ONCE)
        nodes = at_nodes(places, cells[part])
        away = np.einsum("pn,nce->pce", values, nodes) - point[:, None]
        away -= np.einsum("pce,c->pe", away, axis)[:, None] * axis[:, None]
        weights = volumes(kind, nodes) * of.weights[:, None] * each[:, part]
        theirs = np.einsum("pn,pce,pe->enc", values, away, weights)
        for component in range(3):
            forces[:, component] += np.bincount(cells[part].ravel(), theirs[..., component].ravel(), len(forces))
