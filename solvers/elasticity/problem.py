"""A box with its supports, loads and materials, as a command reads it from a file."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity.checked_grid import Nodes, element_shape


@dataclass(frozen=True)
class Problem:
    """What is solved for; arrays as of `rooftop.solvers.elasticity.solve`.

    iterations  that the file allows; None: it does not say
    threads     that the file asks for; None: it does not say
    exact       the exact displacement, where it is known
    numbers     of a mesh file: the number of the node in the file, (nz, ny, nx)
    elements    of a mesh file: the number of the element among its hexahedra, (nz-1, ny-1, nx-1)
    """

    name: str
    nodes: Nodes
    coordinates: NDArray[np.float64] | None
    young: NDArray[np.float64]
    poisson: NDArray[np.float64]
    load: NDArray[np.float64]
    held: NDArray[np.bool_]
    iterations: int | None = None
    threads: int | None = None
    exact: NDArray[np.float64] | None = None
    numbers: NDArray[np.int64] | None = None
    elements: NDArray[np.int64] | None = None
    remarks: list[str] = field(default_factory=list)

    @property
    def places(self) -> NDArray[np.float64]:
        """Where the nodes are, (nz, ny, nx, 3)."""
        return self.coordinates if self.coordinates is not None else unit_places(self.nodes)

    @property
    def elements_count(self) -> int:
        """How many elements there are."""
        nz, ny, nx = element_shape(self.nodes)
        return nz * ny * nx

    def shaped(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return a material as the solver takes it: a single value, or an array (nz-1, ny-1, nx-1)."""
        return values if values.size == 1 else values.reshape(element_shape(self.nodes))

    @property
    def unknowns(self) -> int:
        """How many displacements are not held."""
        return int(self.held.size - np.count_nonzero(self.held))


def unit_places(nodes: Nodes) -> NDArray[np.float64]:
    """Return the nodes' places, (nz, ny, nx, 3), if elements are cubes with edges of 1."""
    places: NDArray[np.float64] = np.indices(nodes[::-1], dtype=np.float64)[::-1]
    return np.ascontiguousarray(np.moveaxis(places, 0, -1))
