"""A mesh's nodes and elements, and arrays with a value for each, on their way into the solver."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.c_interface.checked_arrays import real_numbers, unmasked, whole_numbers
from rooftop.solvers.elasticity.library import ElasticityArgumentError

Whole = NDArray[np.int64]
Array = NDArray[np.float64]

_KINDS = (("hexahedra", 8), ("tetrahedra", 4))


@dataclass(frozen=True)
class Mesh:
    """Nodes, and elements of which each has the numbers of its nodes.

    coordinates  (nodes, 3)
    hexahedra    (hexahedra, 8), in VTK's order: around the bottom, then around the top
    tetrahedra   (tetrahedra, 4)
    """

    coordinates: Array
    hexahedra: Whole
    tetrahedra: Whole

    @property
    def nodes_count(self) -> int:
        """How many nodes there are."""
        return len(self.coordinates)

    @property
    def elements_count(self) -> int:
        """How many elements there are."""
        return len(self.hexahedra) + len(self.tetrahedra)

    def chunks(self, most: int) -> Iterator[tuple[slice, Whole]]:
        """Yield up to `most` elements of one kind at a time: which of all, and their nodes (elements, 8 or 4)."""
        first = 0
        for cells in (self.hexahedra, self.tetrahedra):
            for start in range(0, len(cells), most):
                part = cells[start : start + most]
                yield slice(first + start, first + start + len(part)), part
            first += len(cells)


def mesh_nodes(coordinates: Any) -> Array:
    """Return the places of nodes, contiguous. Raises ElasticityArgumentError."""
    array = np.ascontiguousarray(real_numbers("coordinates", coordinates, ElasticityArgumentError))
    if array.ndim != 2 or array.shape[1] != 3 or not len(array):
        raise ElasticityArgumentError(f"coordinates has shape {array.shape}; expected (nodes, 3)")
    return array


def mesh_elements(hexahedra: Any, tetrahedra: Any, nodes: int) -> tuple[Whole, Whole]:
    """Return the nodes of hexahedra and tetrahedra; None is no such element. Raises ElasticityArgumentError."""
    both = []
    for (name, corners), given in zip(_KINDS, (hexahedra, tetrahedra), strict=True):
        if given is None or np.size(given) == 0:
            both.append(np.empty((0, corners), dtype=np.int64))
            continue
        array = whole_numbers(name, given, ElasticityArgumentError, 0, nodes - 1)
        if array.ndim != 2 or array.shape[1] != corners:
            raise ElasticityArgumentError(f"{name} has shape {array.shape}; expected ({name}, {corners})")
        both.append(np.ascontiguousarray(array, dtype=np.int64))
    if not sum(map(len, both)):
        raise ElasticityArgumentError("the mesh has no elements; expected hexahedra or tetrahedra")
    return both[0], both[1]


def checked_mesh(coordinates: Any, hexahedra: Any, tetrahedra: Any) -> Mesh:
    """Return a mesh whose arrays the solver can take. Raises ElasticityArgumentError."""
    places = mesh_nodes(coordinates)
    return Mesh(places, *mesh_elements(hexahedra, tetrahedra, len(places)))


def _require_nodes(name: str, array: NDArray[Any], nodes: int) -> None:
    if array.shape != (nodes, 3):
        raise ElasticityArgumentError(f"{name} has shape {array.shape}; expected (nodes, 3) = ({nodes}, 3)")


def mesh_node_values(name: str, values: Any, nodes: int) -> Array:
    """Return three real numbers for each node, contiguous. Raises ElasticityArgumentError."""
    array = np.ascontiguousarray(real_numbers(name, values, ElasticityArgumentError))
    _require_nodes(name, array, nodes)
    return array


def mesh_node_mask(name: str, values: Any, nodes: int) -> NDArray[np.uint8]:
    """Return three truth values for each node as bytes of 0 and 1. Raises ElasticityArgumentError."""
    unmasked(name, values, ElasticityArgumentError)
    array = np.asarray(values)
    if array.dtype.kind not in "biu":
        raise ElasticityArgumentError(f"{name} is of dtype {array.dtype}; expected an array of bool")
    _require_nodes(name, array, nodes)
    return np.ascontiguousarray(array != 0).view(np.uint8)


def mesh_element_values(name: str, values: Any, elements: int) -> Array:
    """Return one real number, or one for each element, flat. Raises ElasticityArgumentError."""
    array = np.ascontiguousarray(real_numbers(name, values, ElasticityArgumentError))
    if array.size != 1 and array.shape != (elements,):
        raise ElasticityArgumentError(
            f"{name} has shape {array.shape}; expected a number or an array (elements,) = ({elements},), "
            "hexahedra first"
        )
    return array.reshape(-1)


def values_of(values: Array, part: slice) -> Array:
    """Return the values of some elements, of a single one or one for each."""
    return np.broadcast_to(values, (part.stop - part.start,)) if values.size == 1 else values[part]
