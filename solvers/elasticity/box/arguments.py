"""Checks of box arguments: numbers of nodes, and arrays by node or element."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.c_interface.checked_arrays import real_numbers
from rooftop.solvers.c_interface.checked_numbers import whole
from rooftop.solvers.elasticity.library import ElasticityArgumentError

Nodes = tuple[int, int, int]


def checked_nodes(nodes: Sequence[int]) -> Nodes:
    """Return the number of nodes in each direction, x first. Raises ElasticityArgumentError."""
    try:
        counts = tuple(nodes)
    except TypeError:
        counts = ()
    if len(counts) != 3:
        raise ElasticityArgumentError(f"nodes is {nodes!r}; expected the three numbers of nodes along x, y and z")
    nx, ny, nz = (whole("a number of nodes", count, ElasticityArgumentError) for count in counts)
    if min(nx, ny, nz) < 2:
        raise ElasticityArgumentError(f"nodes is ({nx}, {ny}, {nz}); expected 2 or more in each direction")
    return nx, ny, nz


def node_shape(nodes: Nodes) -> tuple[int, int, int, int]:
    """Return the shape of an array with three values for each node: (nz, ny, nx, 3)."""
    return (*nodes[::-1], 3)


def element_shape(nodes: Nodes) -> tuple[int, int, int]:
    """Return the shape of an array with one value for each element: (nz-1, ny-1, nx-1)."""
    nx, ny, nz = nodes
    return nz - 1, ny - 1, nx - 1


def element_values(name: str, values: Any, nodes: Nodes) -> NDArray[np.float64]:
    """Return one real number, or one for each element, contiguous and flat. Raises ElasticityArgumentError."""
    array = np.ascontiguousarray(real_numbers(name, values, ElasticityArgumentError))
    if array.size != 1 and array.shape != element_shape(nodes):
        shape = element_shape(nodes)
        raise ElasticityArgumentError(
            f"{name} has shape {array.shape}; expected a number or an array (nz-1, ny-1, nx-1) = {shape}"
        )
    return array.reshape(-1)
