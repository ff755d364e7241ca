"""Checks of arrays by node, of boxes and of meshes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.c_interface.checked_arrays import real_numbers, unmasked
from rooftop.solvers.elasticity.box.arguments import Nodes, node_shape
from rooftop.solvers.elasticity.library import ElasticityArgumentError


def _require_nodes(name: str, array: NDArray[Any], nodes: Nodes | int) -> None:
    shape, axes = ((nodes, 3), "nodes") if isinstance(nodes, int) else (node_shape(nodes), "nz, ny, nx")
    if array.shape != shape:
        raise ElasticityArgumentError(f"{name} has shape {array.shape}; expected ({axes}, 3) = {shape}")


def node_values(name: str, values: Any, nodes: Nodes | int) -> NDArray[np.float64]:
    """Return three real numbers for each node, copied only if not contiguous. Raises ElasticityArgumentError.

    nodes  of a box in each direction, or of a mesh in all
    """
    array = np.ascontiguousarray(real_numbers(name, values, ElasticityArgumentError))
    _require_nodes(name, array, nodes)
    return array


def node_mask(name: str, values: Any, nodes: Nodes | int) -> NDArray[np.uint8]:
    """Return three booleans for each node as bytes of 0 and 1; see `node_values`. Raises ElasticityArgumentError."""
    unmasked(name, values, ElasticityArgumentError)
    array = np.asarray(values)
    if array.dtype.kind not in "biu":
        raise ElasticityArgumentError(f"{name} is of dtype {array.dtype}; expected an array of bool")
    _require_nodes(name, array, nodes)
    return np.ascontiguousarray(array != 0).view(np.uint8)
