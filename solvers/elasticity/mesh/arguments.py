"""Checks of mesh arguments: nodes, elements, and arrays by node or element."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.c_interface.checked_arrays import real_numbers, whole_numbers
from rooftop.solvers.elasticity.library import ElasticityArgumentError
from rooftop.solvers.elasticity.mesh.kinds import KINDS, Kind
from rooftop.solvers.elasticity.mesh.reference_element import reference

Whole = NDArray[np.int64]
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Mesh:
    """Nodes and elements.

    coordinates  (nodes, 3)
    elements     nodes of each kind, (elements, nodes per element), in VTK's order; numbered in the mapping's order
    """

    coordinates: Array
    elements: Mapping[Kind, Whole]

    @property
    def nodes_count(self) -> int:
        """Number of nodes."""
        return len(self.coordinates)

    @property
    def elements_count(self) -> int:
        """Number of elements."""
        return sum(map(len, self.elements.values()))

    def chunks(self, most: int) -> Iterator[tuple[slice, Kind, Whole]]:
        """Yield up to `most` elements of one kind at a time: their range, their kind and their nodes."""
        first = 0
        for kind, cells in self.elements.items():
            for start in range(0, len(cells), most):
                part = cells[start : start + most]
                yield slice(first + start, first + start + len(part)), kind, part
            first += len(cells)


def mesh_nodes(coordinates: Any) -> Array:
    """Return the coordinates of nodes, contiguous. Raises ElasticityArgumentError."""
    array = np.ascontiguousarray(real_numbers("coordinates", coordinates, ElasticityArgumentError))
    if array.ndim != 2 or array.shape[1] != 3 or not len(array):
        raise ElasticityArgumentError(f"coordinates has shape {array.shape}; expected (nodes, 3)")
    return array


def mesh_elements(elements: Any, nodes: int) -> dict[Kind, Whole]:
    """Return the nodes of the elements, without empty kinds. Raises ElasticityArgumentError."""
    if not isinstance(elements, Mapping):
        raise ElasticityArgumentError(
            f"elements is a {type(elements).__name__}; expected a mapping, such as {{'tetrahedron': cells}}"
        )
    result: dict[Kind, Whole] = {}
    for kind, given in elements.items():
        if kind not in KINDS:
            raise ElasticityArgumentError(f"elements has the unknown kind {kind!r}; expected one of {', '.join(KINDS)}")
        if np.size(given) == 0:
            continue
        name, count = f"elements[{kind!r}]", KINDS[kind].nodes
        array = whole_numbers(name, given, ElasticityArgumentError, 0, nodes - 1)
        if array.ndim != 2 or array.shape[1] != count:
            raise ElasticityArgumentError(f"{name} has shape {array.shape}; expected (elements, {count})")
        result[kind] = np.ascontiguousarray(array, dtype=np.int64)
    if not result:
        raise ElasticityArgumentError("the mesh has no elements; expected one or more")
    return result


def checked_mesh(coordinates: Any, elements: Any) -> Mesh:
    """Return a mesh with checked, contiguous arrays. Raises ElasticityArgumentError."""
    places = mesh_nodes(coordinates)
    return Mesh(places, mesh_elements(elements, len(places)))


def mesh_element_values(name: str, values: Any, elements: int) -> Array:
    """Return one real number, or one for each element, flat. Raises ElasticityArgumentError."""
    array = np.ascontiguousarray(real_numbers(name, values, ElasticityArgumentError))
    if array.size != 1 and array.shape != (elements,):
        raise ElasticityArgumentError(
            f"{name} has shape {array.shape}; expected a number or an array (elements,) = ({elements},), in the order "
            "of the kinds of elements"
        )
    return array.reshape(-1)


def mesh_stiffness(values: Any, mesh: Mesh) -> Array:
    """Return the stiffness of all elements, each element or each integration point. Raises ElasticityArgumentError.

    Its shape is (1, 21), (elements, 21) or (points, 21). The solver checks that it is positive definite.
    """
    array = np.ascontiguousarray(real_numbers("stiffness", values, ElasticityArgumentError))
    elements = mesh.elements_count
    points = sum(len(reference(kind).points) * len(cells) for kind, cells in mesh.elements.items())
    if array.shape not in ((21,), (1, 21), (elements, 21), (points, 21)):
        raise ElasticityArgumentError(
            f"stiffness has shape {array.shape}; expected (21,), (elements, 21) = ({elements}, 21), or (integration "
            f"points, 21) = ({points}, 21)"
        )
    return array.reshape(-1, 21)


def values_of(values: Array, part: slice) -> Array:
    """Return the values of a range of elements, from a single value or one for each element."""
    return np.broadcast_to(values, (part.stop - part.start,)) if values.size == 1 else values[part]
