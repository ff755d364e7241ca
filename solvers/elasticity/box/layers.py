"""Loops over a box's elements in layers, to limit memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity.box.arguments import Nodes
from rooftop.solvers.elasticity.box.hexahedron import CORNERS

_ELEMENTS = 2048  # processed at once, so that intermediate results stay in the cache


def layers(nodes: Nodes) -> Iterator[slice]:
    """Yield ranges of element layers along z: as many as have about `_ELEMENTS` elements, but at least one."""
    nx, ny, nz = nodes
    step = max(1, _ELEMENTS // ((nx - 1) * (ny - 1)))
    for start in range(0, nz - 1, step):
        yield slice(start, min(start + step, nz - 1))


def _places(part: slice, corner: NDArray[np.intp]) -> tuple[slice, slice, slice]:
    """Return the index in an array (nz, ny, nx, …) of one corner of each element in a range of layers."""
    x, y, z = (int(one) for one in corner)
    return slice(part.start + z, part.stop + z), slice(y, y - 1 or None), slice(x, x - 1 or None)


def corner_values(values: NDArray[np.float64], part: slice) -> NDArray[np.float64]:
    """Return nodal values, (nz, ny, nx, 3), at the corners of the elements in a range of layers: (8, 3, elements)."""
    parts = [values[_places(part, corner)].reshape(-1, 3).T for corner in CORNERS]
    return np.stack(parts)


def add_corners(total: NDArray[np.float64], part: slice, values: NDArray[np.float64]) -> None:
    """Add values at corners, (8, components, elements), of the elements in a range of layers to their nodes."""
    for number, corner in enumerate(CORNERS):
        there = total[_places(part, corner)]
        there += values[number].T.reshape(there.shape)


def element_part(values: NDArray[np.float64], nodes: Nodes, part: slice) -> NDArray[np.float64]:
    """Return the values (elements,) of a range of layers, from a single value or a flat array."""
    nx, ny, _ = nodes
    layer = (nx - 1) * (ny - 1)
    if values.size == 1:
        return np.broadcast_to(values, ((part.stop - part.start) * layer,))
    return values[part.start * layer : part.stop * layer]


def materials(young: Any, poisson: Any, nodes: Nodes, part: slice) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return Young's modulus and Poisson's ratio of the elements in a range of layers."""
    return element_part(young, nodes, part), element_part(poisson, nodes, part)
