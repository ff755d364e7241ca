"""The true residual of a mesh's displacement, computed in NumPy apart from the solver."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity.checked_mesh import Mesh, Whole, values_of
from rooftop.solvers.elasticity.element import Array, forces, lame
from rooftop.solvers.elasticity.mesh_stress import ELEMENTS_AT_ONCE, FROM_VTK, corners_of
from rooftop.solvers.elasticity.residual import TrueResidual, relative
from rooftop.solvers.elasticity.tetrahedron import tetrahedron_forces


def _of_nodes(mesh: Mesh, wanted: NDArray[np.bool_] | None) -> Iterator[tuple[Whole, Whole]]:
    """Yield the elements, of one kind at a time, that have wanted nodes: their numbers, and their nodes."""
    for part, cells in mesh.chunks(ELEMENTS_AT_ONCE):
        there = np.arange(len(cells)) if wanted is None else np.flatnonzero(wanted[cells].any(axis=1))
        if len(there):
            yield part.start + there, cells[there]


def mesh_residual(
    mesh: Mesh,
    young: Array,
    poisson: Array,
    load: Array,
    held: NDArray[np.bool_],
    displacement: Array,
    count: int | None = None,
    seed: int = 1,
) -> TrueResidual:
    """Return the residual; arrays as of `solve_mesh`, materials flat or a single value.

    count  at how many nodes, drawn at random; that of all is as large or larger. None: at all
    """
    wanted = None
    if count is not None and count < mesh.nodes_count:
        wanted = np.zeros(mesh.nodes_count, dtype=np.bool_)
        wanted[np.random.default_rng(seed).choice(mesh.nodes_count, count, replace=False)] = True
    left, size = load.copy(), np.zeros(mesh.nodes_count)
    for numbers, cells in _of_nodes(mesh, wanted):
        constants = lame(_of_elements(young, numbers), _of_elements(poisson, numbers))
        is_hexahedron = cells.shape[1] == 8
        force = forces if is_hexahedron else tetrahedron_forces
        inner, cancels = force(corners_of(mesh.coordinates, cells), corners_of(displacement, cells), *constants)
        ordered = cells[:, FROM_VTK] if is_hexahedron else cells
        for corner, theirs in zip(ordered.T, inner, strict=True):
            np.add.at(size, corner, cancels)
            for component in range(3):
                np.subtract.at(left[:, component], corner, theirs[component])
    return relative(left, size, load, held, wanted)


def _of_elements(values: Array, numbers: Whole) -> Array:
    if values.size == 1:
        return values_of(values, slice(0, len(numbers)))
    return values[numbers]
