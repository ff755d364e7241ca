"""Small bodies, and their displacement by a direct solver of SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse
import scipy.sparse.linalg
from numpy.typing import NDArray

from rooftop.solvers.elasticity import box
from rooftop.solvers.elasticity.box.arguments import Nodes
from rooftop.solvers.elasticity.box.hexahedron import forces, lame
from rooftop.solvers.elasticity.box.layers import corner_values, materials

Array = NDArray[np.float64]


def matrix(nodes: Nodes, coordinates: Array, young: Array, poisson: Array) -> Any:
    """Return the sparse matrix of a body; materials flat or a single value."""
    everything = slice(0, nodes[2] - 1)
    count = nodes[0] * nodes[1] * nodes[2]
    numbers = np.arange(3.0 * count).reshape(*nodes[::-1], 3)
    unknowns = corner_values(numbers, everything).astype(np.int64).reshape(24, -1)
    corners = corner_values(coordinates, everything)
    constants = lame(*materials(young, poisson, nodes, everything))
    columns = []
    for one in range(24):
        unit = np.zeros(unknowns.shape)
        unit[one] = 1
        columns.append(forces(corners, unit.reshape(8, 3, -1), *constants)[0].reshape(24, -1))
    values = np.stack(columns, axis=1)
    rows = np.broadcast_to(unknowns[:, None], values.shape)
    return scipy.sparse.csr_array((values.ravel(), (rows.ravel(), rows.swapaxes(0, 1).ravel())), (3 * count, 3 * count))


def direct(
    nodes: Nodes,
    load: Array,
    held: NDArray[np.bool_],
    coordinates: Array | None = None,
    young: Any = 1.0,
    poisson: Any = 0.3,
    prescribed: Array | None = None,
) -> Array:
    """Return the displacement, (nz, ny, nx, 3), by factorisation."""
    places = box(nodes) if coordinates is None else coordinates
    whole = matrix(nodes, places, *(np.asarray(one, dtype=np.float64).reshape(-1) for one in (young, poisson)))
    free = ~held.ravel()
    found = np.zeros(load.size) if prescribed is None else np.where(free, 0, prescribed.ravel())
    right = (load.ravel() - whole @ found)[free]
    found[free] = scipy.sparse.linalg.spsolve(whole[free][:, free].tocsc(), right)
    return found.reshape(load.shape)
