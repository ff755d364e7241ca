"""A box with its supports, loads and materials."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers import elasticity as solver
from rooftop.solvers.elasticity.box.arguments import Nodes, element_shape
from rooftop.solvers.elasticity.box.outer_faces import OuterFaces, outer_faces_of_box
from rooftop.solvers.elasticity.box.residual import TrueResidual, sampled_residual, true_residual
from rooftop.solvers.elasticity.box.stress import equivalent_stresses
from rooftop.solvers.elasticity.problem import Piece, Problem, Value
from rooftop.solvers.elasticity.solution import Parts, Preconditioner, Solution

_AROUND = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))  # VTK's order
# Bytes per node, measured with 60³ nodes: without a stored matrix, if all nodes lie on lines along the axes and the
# material is constant; otherwise with the matrix, of which half the blocks are stored.
_ON_LINES: dict[Preconditioner, int] = {"none": 137, "bjacobi": 185, "cheby": 187, "multigrid": 197}
_MATRIX: dict[Preconditioner, int] = {"none": 1121, "bjacobi": 1169, "cheby": 1662, "multigrid": 1750}
_COPIES = 24 + 16  # coordinates and materials, in addition to the matrix


@dataclass(frozen=True, kw_only=True)
class BoxProblem(Problem):
    """A box; arrays as for `rooftop.solvers.elasticity.solve`.

    numbers     if the box comes from a mesh file: the index of each node in the file, (nz, ny, nx)
    elements    if the box comes from a mesh file: the index of each element in the file, (nz-1, ny-1, nx-1)
    """

    nodes: Nodes
    coordinates: NDArray[np.float64] | None
    numbers: NDArray[np.int64] | None = None
    elements: NDArray[np.int64] | None = None

    @property
    def places(self) -> NDArray[np.float64]:
        """Coordinates of the nodes, (nz, ny, nx, 3)."""
        return self.coordinates if self.coordinates is not None else unit_places(self.nodes)

    @property
    def elements_count(self) -> int:
        """Number of elements."""
        nz, ny, nx = element_shape(self.nodes)
        return nz * ny * nx

    @property
    def grid(self) -> tuple[int, int, int] | None:
        """Number of nodes along x, y and z."""
        return self.nodes

    @property
    def size(self) -> str:
        """Number of nodes along x, y and z, in words."""
        nx, ny, nz = self.nodes
        return f"{nx} x {ny} x {nz} nodes"

    def _shaped(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return a material as the solver takes it: a single value, or an array (nz-1, ny-1, nx-1)."""
        return values if values.size == 1 else values.reshape(element_shape(self.nodes))

    def bytes_per_node(self, preconditioner: Preconditioner) -> int:
        """Return the memory that the solver needs per node, in bytes."""
        constant = self.young.size == self.poisson.size == 1
        if constant and (self.coordinates is None or _on_lines(self.coordinates)):
            return _ON_LINES[preconditioner]
        return _MATRIX[preconditioner] + _COPIES

    def solved(self, **options: Any) -> Solution:
        """Solve, with the options of `rooftop.solvers.elasticity.solve`."""
        return solver.solve(
            self.nodes,
            coordinates=self.coordinates,
            young=self._shaped(self.young),
            poisson=self._shaped(self.poisson),
            load=self.load,
            held=self.held,
            displacement=self.prescribed,
            **options,
        )

    def residual_of_load(self, displacement: NDArray[np.float64], count: int | None) -> TrueResidual:
        """Return the residual, relative to the load alone, at a sample of `count` nodes; None: at all nodes."""
        body = (self.nodes, self.coordinates, self.young, self.poisson, self.load, self.held, displacement)
        return true_residual(*body) if count is None else sampled_residual(*body, count=count)

    def von_mises(self, displacement: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the equivalent stress at the centre of each element, (nz-1, ny-1, nx-1)."""
        materials = self._shaped(self.young), self._shaped(self.poisson)
        return equivalent_stresses(self.nodes, displacement, self.coordinates, *materials, self.initial)

    def _numbers(self) -> NDArray[np.int64]:
        nx, ny, nz = self.nodes
        return np.arange(nx * ny * nz).reshape(nz, ny, nx) if self.numbers is None else self.numbers

    def cells(self) -> list[tuple[str, NDArray[np.int64]]]:
        """Return the cells, (elements, 8) in VTK's order, with the node and element numbers of the file."""
        numbers = self._numbers()
        parts = [numbers[tuple(slice(d, d - 1 or None) for d in (z, y, x))] for x, y, z in _AROUND]
        cells = np.stack(parts, axis=-1).reshape(-1, 8)
        return [("hexahedron", cells if self.elements is None else cells[np.argsort(self.elements, axis=None)])]

    def by_node(self, values: NDArray[Value]) -> NDArray[Value]:
        """Return nodal values, (nz, ny, nx, 3), in the file's order: (nodes, 3)."""
        return values.reshape(-1, 3)[np.argsort(self._numbers(), axis=None)]

    def by_element(self, values: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """Return values of elements, (nz-1, ny-1, nx-1), in the file's order: (elements,)."""
        flat = values.reshape(-1)
        return [flat if self.elements is None else flat[np.argsort(self.elements, axis=None)]]

    def outer_faces(self, values: NDArray[np.float64]) -> OuterFaces:
        """Return the outer faces for a plot, with three values for each node, (nz, ny, nx, 3)."""
        return outer_faces_of_box(self.places, values)


def _on_lines(places: NDArray[np.float64]) -> bool:
    """Return whether all nodes lie on lines along the axes."""
    return all(
        np.array_equal(places[..., axis], np.broadcast_to(line, places.shape[:3]))
        for axis, line in enumerate((places[:1, :1, :, 0], places[:1, :, :1, 1], places[:, :1, :1, 2]))
    )


def unit_places(nodes: Nodes) -> NDArray[np.float64]:
    """Return the coordinates of nodes, (nz, ny, nx, 3), of a box of unit cubes."""
    places: NDArray[np.float64] = np.indices(nodes[::-1], dtype=np.float64)[::-1]
    return np.ascontiguousarray(np.moveaxis(places, 0, -1))


def _slices(nodes: int, parts: int) -> list[slice]:
    """Return the nodes of each part along a direction, with the first of the next part, so that no element is lost."""
    cuts = [nodes * part // parts for part in range(parts + 1)]
    return [slice(first, min(end + 1, nodes)) for first, end in pairwise(cuts)]


def _parts(problem: BoxProblem, parts: Parts) -> Iterator[tuple[int, tuple[slice, slice, slice]]]:
    """Yield the ranks that have elements, and the slices of their nodes in arrays (nz, ny, nx)."""
    along = [_slices(count, number) for count, number in zip(problem.nodes, parts, strict=True)]
    for rank in range(parts[0] * parts[1] * parts[2]):
        x, y, z = rank % parts[0], rank // parts[0] % parts[1], rank // parts[0] // parts[1]
        part = along[2][z], along[1][y], along[0][x]
        if all(one.stop - one.start > 1 for one in part):
            yield rank, part


def box_pieces(
    problem: BoxProblem, parts: Parts, displacement: NDArray[np.float64], von_mises: NDArray[np.float64]
) -> Iterator[Piece]:
    """Yield a piece for each rank that has elements. Nodes and elements are numbered with x fastest, then y, then z."""
    for rank, part in _parts(problem, parts):
        nz, ny, nx = (one.stop - one.start for one in part)
        places = np.ascontiguousarray(problem.places[part])
        piece = replace(problem, nodes=(nx, ny, nz), coordinates=places, numbers=None, elements=None)
        elements = tuple(slice(one.start, one.stop - 1) for one in part)
        yield Piece(rank, piece, np.ascontiguousarray(displacement[part]), np.ascontiguousarray(von_mises[elements]))
