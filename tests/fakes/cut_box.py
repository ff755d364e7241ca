"""Meshes for tests: a box of which elements are hexahedra or cut into six tetrahedra each, and direct solutions."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse
import scipy.sparse.linalg
from numpy.typing import NDArray

from rooftop.solvers.elasticity import box
from rooftop.solvers.elasticity.mesh.arguments import Array, Mesh, Whole, values_of
from rooftop.solvers.elasticity.mesh.elastic_law import Isotropic
from rooftop.solvers.elasticity.mesh.element import at_nodes, forces
from rooftop.solvers.elasticity.mesh.kinds import Kind

_AROUND = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
_CUT = [[0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6], [0, 5, 1, 6]]


def cut_box(nodes: tuple[int, int, int], layers: int = 0, distortion: float = 0.1, seed: int = 1) -> Mesh:
    """Return a box, of which so many layers along z stay hexahedra; nodes and elements are numbered at random."""
    nx, ny, nz = nodes
    random = np.random.default_rng(seed)
    new = random.permutation(nx * ny * nz)
    places = np.empty((nx * ny * nz, 3))
    places[new] = box(nodes, None, (1, 1, 1), distortion, seed).reshape(-1, 3)
    numbers = new.reshape(nz, ny, nx)
    parts = [numbers[z : nz - 1 + z, y : ny - 1 + y, x : nx - 1 + x] for x, y, z in _AROUND]
    cells = np.stack(parts, axis=-1)
    hexahedra, rest = cells[:layers].reshape(-1, 8), cells[layers:].reshape(-1, 8)
    tetrahedra = rest[:, _CUT].reshape(-1, 4)
    elements: dict[Kind, Whole] = {
        "hexahedron": random.permutation(hexahedra),
        "tetrahedron": random.permutation(tetrahedra),
    }
    return Mesh(places, {kind: cells for kind, cells in elements.items() if len(cells)})


def matrix_of(mesh: Mesh, young: Array, poisson: Array) -> Any:
    """Return the sparse matrix of a mesh; materials flat or a single value."""
    total = None
    for part, kind, cells in mesh.chunks(1 << 30):
        unknowns = (3 * cells[..., None] + np.arange(3)).reshape(len(cells), -1).T
        places, count = at_nodes(mesh.coordinates, cells), len(unknowns)
        law = Isotropic.of(values_of(young, part), values_of(poisson, part))
        columns = []
        for one in range(count):
            unit = np.zeros((count, len(cells)))
            unit[one] = 1
            columns.append(forces(kind, places, unit.reshape(-1, 3, len(cells)), law)[0].reshape(count, -1))
        values = np.stack(columns, axis=1)
        rows = np.broadcast_to(unknowns[:, None], values.shape)
        size = 3 * mesh.nodes_count
        here = scipy.sparse.csr_array((values.ravel(), (rows.ravel(), rows.swapaxes(0, 1).ravel())), (size, size))
        total = here if total is None else total + here
    return total


def direct_of(
    mesh: Mesh,
    load: Array,
    held: NDArray[np.bool_],
    young: Any = 1.0,
    poisson: Any = 0.3,
    prescribed: Array | None = None,
) -> Array:
    """Return the displacement, (nodes, 3), by factorisation."""
    whole = matrix_of(mesh, *(np.asarray(one, dtype=np.float64).reshape(-1) for one in (young, poisson)))
    free = ~held.ravel()
    found = np.zeros(load.size) if prescribed is None else np.where(free, 0, prescribed.ravel())
    right = (load.ravel() - whole @ found)[free]
    found[free] = scipy.sparse.linalg.spsolve(whole[free][:, free].tocsc(), right)
    return found.reshape(load.shape)
