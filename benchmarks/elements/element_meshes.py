"""A box, cut into elements of one kind and distorted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity import KINDS, Kind
from rooftop.solvers.elasticity.mesh.kinds import EDGES

Array = NDArray[np.float64]
Whole = NDArray[np.int64]

_AROUND = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
_CUTS = {
    "tetrahedron": [[0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6], [0, 5, 1, 6]],
    "wedge": [[0, 1, 2, 4, 5, 6], [0, 2, 3, 4, 6, 7]],
    "hexahedron": [[0, 1, 2, 3, 4, 5, 6, 7]],
}


def with_middles(kind: Kind, places: Array, corners: Whole) -> tuple[Array, Whole]:
    """Return nodes and elements with a node in the middle of each edge, where the kind has one."""
    if kind not in EDGES:
        return places, corners
    pairs = np.sort(corners[:, EDGES[kind]], axis=2)
    found, numbers = np.unique(pairs.reshape(-1, 2), axis=0, return_inverse=True)
    middles = numbers.reshape(pairs.shape[:2]) + len(places)
    return np.concatenate([places, places[found].mean(axis=1)]), np.concatenate([corners, middles], axis=1)


def box_of(kind: Kind, cells: tuple[int, int, int], size: tuple[float, float, float]) -> tuple[Array, Whole]:
    """Return the nodes (nodes, 3) of a box, and its elements (elements, nodes of one)."""
    nx, ny, nz = (count + 1 for count in cells)
    numbers = np.arange(nx * ny * nz).reshape(nz, ny, nx)
    corners = [numbers[z : nz - 1 + z, y : ny - 1 + y, x : nx - 1 + x].ravel() for x, y, z in _AROUND]
    shape = next(name for name in _CUTS if kind.startswith(name))
    elements = np.stack(corners, axis=1)[:, _CUTS[shape]].reshape(-1, len(_CUTS[shape][0]))
    z, y, x = np.meshgrid(*(np.linspace(0, size[d], cells[d] + 1) for d in (2, 1, 0)), indexing="ij")
    places, elements = with_middles(kind, np.stack([x, y, z], axis=-1).reshape(-1, 3), elements)
    assert elements.shape[1] == KINDS[kind].nodes
    return places, elements


def warped(places: Array, size: tuple[float, float, float], by: float = 0.08) -> Array:
    """Return the nodes of a box moved by up to about `by`, smoothly: elements are distorted, and faces curved."""
    x, y, z = (places / size).T
    moves = (np.sin(3 * y + 1) * np.cos(2 * z), np.sin(2.5 * x + 2 * z), np.cos(3 * x * y + 1))
    return places + by * np.stack(moves, axis=1)
