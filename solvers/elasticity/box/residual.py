"""True residual of a box's displacement, computed in NumPy independently of the solver."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity.box.arguments import Nodes
from rooftop.solvers.elasticity.box.hexahedron import CORNERS, Array, cube_forces, forces, lame
from rooftop.solvers.elasticity.box.layers import add_corners, corner_values, layers, materials

_EPSILON = float(np.finfo(np.float64).eps)
_ROUNDINGS = 2  # rounding errors per cancelling summand: 50 times as many as observed


@dataclass(frozen=True)
class TrueResidual:
    """Residual, relative to the norm of the load.

    residual  norm of the load minus the elements' forces, over the displacements that are not prescribed
    rounding  possible change of the residual by rounding errors
    nodes     number of nodes at which it was computed: all, or a sample
    """

    residual: float
    rounding: float
    nodes: int


def norm(values: NDArray[Any]) -> float:
    """Return the Euclidean norm; squares of large or small values neither overflow nor underflow."""
    largest = float(np.abs(values).max(initial=0.0))
    return largest * float(np.linalg.norm(values / largest)) if 0 < largest < np.inf else largest


def _norm(values: NDArray[Any], where: NDArray[np.bool_]) -> float:
    return norm(values[where])


def relative(left: Array, size: Array, load: Array, held: Any, among: NDArray[np.bool_] | None = None) -> TrueResidual:
    """Return the relative residual and its possible rounding error.

    left, load  residual force and load, three values for each node
    size        bound of the summands that cancel in `left`, one value for each node
    held        where a displacement is prescribed
    among       mask of the nodes at which `left` is known; None: all nodes
    """
    free = ~np.asarray(held, dtype=np.bool_)
    of_load = _norm(load, free) or 1.0
    known = free if among is None else free & among[..., None]
    some = size if among is None else size[among]
    rounding = _ROUNDINGS * _EPSILON * norm(some)
    return TrueResidual(_norm(left, known) / of_load, rounding / of_load, some.size)


def _forces(corners: Array | None, moved: Array, constants: tuple[Array, Array]) -> tuple[Array, Array]:
    return cube_forces(moved, *constants) if corners is None else forces(corners, moved, *constants)


def _gathered(values: Array, numbers: NDArray[np.int64]) -> Array:
    """Return nodal values, (nz, ny, nx, 3), at the corners `numbers` (8, elements) of elements: (8, 3, elements)."""
    return np.ascontiguousarray(values.reshape(-1, 3)[numbers].transpose(0, 2, 1))


def true_residual(
    nodes: Nodes, coordinates: Array | None, young: Array, poisson: Array, load: Array, held: Any, displacement: Array
) -> TrueResidual:
    """Return the residual at all nodes; arrays as for `solve`, materials flat or a single value."""
    left, size = load.copy(), np.zeros(nodes[::-1])
    for part in layers(nodes):
        moved, constants = corner_values(displacement, part), lame(*materials(young, poisson, nodes, part))
        inner, cancels = _forces(None if coordinates is None else corner_values(coordinates, part), moved, constants)
        add_corners(left, part, -inner)
        add_corners(size[..., None], part, np.broadcast_to(cancels, (8, 1, len(cancels))))
    return relative(left, size, load, held)


def sampled_residual(
    nodes: Nodes,
    coordinates: Array | None,
    young: Array,
    poisson: Array,
    load: Array,
    held: Any,
    displacement: Array,
    count: int,
    seed: int = 1,
) -> TrueResidual:
    """Return the residual at a random sample of nodes; that at all nodes is as large or larger."""
    nx, ny, nz = nodes
    total = nx * ny * nz
    drawn = np.sort(np.random.default_rng(seed).choice(total, min(count, total), replace=False))
    k, j, i = np.unravel_index(drawn, (nz, ny, nx))
    left, size = load.reshape(-1, 3)[drawn].copy(), np.zeros(len(drawn))
    steps = CORNERS @ np.array([1, nx, nx * ny])
    for number, (x, y, z) in enumerate(CORNERS):
        # The element that has the node as this corner.
        a, b, c = i - x, j - y, k - z
        there = (a >= 0) & (b >= 0) & (c >= 0) & (a < nx - 1) & (b < ny - 1) & (c < nz - 1)
        first_corner = (a + nx * (b + ny * c))[there]
        element = (a + (nx - 1) * (b + (ny - 1) * c))[there]
        corner_nodes = first_corner + steps[:, None]
        some = [one[element] if one.size > 1 else np.broadcast_to(one, len(element)) for one in (young, poisson)]
        corners = None if coordinates is None else _gathered(coordinates, corner_nodes)
        inner, cancels = _forces(corners, _gathered(displacement, corner_nodes), lame(*some))
        left[there] -= inner[number].T
        size[there] += cancels
    free = ~np.asarray(held, dtype=np.bool_)
    of_load = _norm(load, free) or 1.0
    rounding = _ROUNDINGS * _EPSILON * norm(size)
    return TrueResidual(_norm(left, free.reshape(-1, 3)[drawn]) / of_load, rounding / of_load, len(drawn))
