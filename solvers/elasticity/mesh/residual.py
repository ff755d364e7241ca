"""True residual of a mesh's displacement, computed in NumPy independently of the solver."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity.box.residual import TrueResidual, relative
from rooftop.solvers.elasticity.mesh.arguments import Array, Mesh, Whole
from rooftop.solvers.elasticity.mesh.dependences import Dependences
from rooftop.solvers.elasticity.mesh.elastic_law import Laws
from rooftop.solvers.elasticity.mesh.element import ELEMENTS_AT_ONCE, at_nodes, forces
from rooftop.solvers.elasticity.mesh.kinds import Kind


def _of_nodes(mesh: Mesh, wanted: NDArray[np.bool_] | None) -> Iterator[tuple[Kind, Whole, Whole]]:
    """Yield the elements with wanted nodes, in chunks of one kind: the kind, element numbers, and their nodes."""
    for part, kind, cells in mesh.chunks(ELEMENTS_AT_ONCE):
        there = np.arange(len(cells)) if wanted is None else np.flatnonzero(wanted[cells].any(axis=1))
        if len(there):
            yield kind, part.start + there, cells[there]


def mesh_residual(
    mesh: Mesh,
    young: Array,
    poisson: Array,
    load: Array,
    held: NDArray[np.bool_],
    displacement: Array,
    count: int | None = None,
    seed: int = 1,
    dependences: Dependences | None = None,
    stiffness: Array | None = None,
) -> TrueResidual:
    """Return the residual; arrays as for `solve_mesh`, materials flat or a single value.

    count      number of randomly chosen nodes at which it is computed; that at all nodes is as large or larger. None:
               all nodes. With `dependences` it is always computed at all nodes
    stiffness  as `Stiffness.at_points`, instead of young and poisson
    """
    wanted = None
    if dependences is None and count is not None and count < mesh.nodes_count:
        wanted = np.zeros(mesh.nodes_count, dtype=np.bool_)
        wanted[np.random.default_rng(seed).choice(mesh.nodes_count, count, replace=False)] = True
    laws = Laws(mesh, young, poisson, stiffness)
    left, size = load.copy(), np.zeros(mesh.nodes_count)
    for kind, numbers, cells in _of_nodes(mesh, wanted):
        places, moved = at_nodes(mesh.coordinates, cells), at_nodes(displacement, cells)
        inner, cancels = forces(kind, places, moved, laws.of(kind, numbers))
        for node, theirs in zip(cells.T, inner, strict=True):
            np.add.at(size, node, cancels)
            for component in range(3):
                np.subtract.at(left[:, component], node, theirs[component])
    if dependences is not None:  # forces on dependent displacements act on the independent ones
        held = np.asarray(held, dtype=np.bool_) | dependences.mask(mesh.nodes_count)
        left, load, size = dependences.collected(left), dependences.collected(load), dependences.collected_sizes(size)
    return relative(left, size, load, held, wanted)
