"""A mesh with its supports, loads and materials."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers import elasticity as solver
from rooftop.solvers.elasticity.box.outer_faces import OuterFaces
from rooftop.solvers.elasticity.box.problem import BoxProblem
from rooftop.solvers.elasticity.box.residual import TrueResidual
from rooftop.solvers.elasticity.mesh.arguments import Mesh
from rooftop.solvers.elasticity.mesh.constraints import Constraints
from rooftop.solvers.elasticity.mesh.dependences import Dependences
from rooftop.solvers.elasticity.mesh.elastic_law import Laws, Stiffness
from rooftop.solvers.elasticity.mesh.kinds import KINDS, counted
from rooftop.solvers.elasticity.mesh.outer_faces import outer_faces_of_mesh
from rooftop.solvers.elasticity.mesh.residual import mesh_residual
from rooftop.solvers.elasticity.mesh.stress import equivalent_mesh_stresses
from rooftop.solvers.elasticity.problem import Piece, Problem, Value
from rooftop.solvers.elasticity.solution import Preconditioner, Solution

_COPIES = 24 + 16  # coordinates and materials, in addition to the matrix
# Bytes per node and per neighbour of a node, measured with 25³ nodes of tetrahedra and of hexahedra.
_OF_NODE: dict[Preconditioner, int] = {"none": 166, "bjacobi": 214, "cheby": 246, "multigrid": 937}
_OF_NEIGHBOUR: dict[Preconditioner, int] = {"none": 76, "bjacobi": 76, "cheby": 116, "multigrid": 109}
_REDUCED = 300  # bytes per node: a block of the transformation, the diagonal, and vectors
_KEPT = 1e-10  # tolerance of constraints for rounding errors, relative to the largest displacement in them
# Bytes per node of the coarser multigrid levels, which every rank holds completely; 205 for hexahedra only.
_COARSER = 300


@dataclass(frozen=True, kw_only=True)
class MeshProblem(Problem):
    """A mesh; arrays as for `rooftop.solvers.elasticity.solve_mesh`.

    constraints  equations between displacements; None: none
    others       number of nodes without elements, the last ones, which occur only in constraints
    stiffness    anisotropic or varying stiffness, instead of young and poisson; None: isotropic
    """

    mesh: Mesh
    constraints: Constraints | None = None
    others: int = 0
    stiffness: Stiffness | None = None

    @classmethod
    def of_box(cls, box: BoxProblem) -> MeshProblem:
        """Return a box as a mesh, with nodes and elements in the order of its file."""
        [(_, cells)] = box.cells()
        materials = [one if one.size == 1 else box.by_element(one)[0] for one in (box.young, box.poisson)]
        return cls(
            name=box.name,
            mesh=Mesh(np.ascontiguousarray(box.by_node(box.places)), {"hexahedron": cells}),
            young=materials[0],
            poisson=materials[1],
            load=np.ascontiguousarray(box.by_node(box.load)),
            held=np.ascontiguousarray(box.by_node(box.held)),
            iterations=box.iterations,
            threads=box.threads,
            parts=box.parts,
            exact=None if box.exact is None else box.by_node(box.exact),
            remarks=box.remarks,
        )

    @property
    def places(self) -> NDArray[np.float64]:
        """Coordinates of the nodes, (nodes, 3)."""
        return self.mesh.coordinates

    @cached_property
    def dependences(self) -> Dependences | None:
        """Displacements that depend on others. Raises ElasticityArgumentError for contradictory constraints."""
        return None if self.constraints is None else self.constraints.dependences(self.held, self.prescribed)

    @property
    def unknowns(self) -> int:
        """Number of displacement components that are neither prescribed nor dependent on others."""
        return super().unknowns - (0 if self.dependences is None else len(self.dependences.dependent))

    @property
    def elements_count(self) -> int:
        """Number of elements."""
        return self.mesh.elements_count

    @property
    def grid(self) -> tuple[int, int, int] | None:
        """None, as for any mesh."""
        return None

    @property
    def not_shared(self) -> str:
        """Why the body cannot be solved by MPI ranks; empty if it can."""
        if self.constraints is not None:
            return "the deck has constraints between displacements"
        return (
            super().not_shared if self.stiffness is None else "the stiffness is anisotropic or varies within elements"
        )

    @property
    def size(self) -> str:
        """Number of nodes, and of elements of each kind, in words."""
        elements = counted((kind, len(cells)) for kind, cells in self.mesh.elements.items())
        return f"{self.mesh.nodes_count - self.others} nodes of {elements}"

    def bytes_per_node(self, preconditioner: Preconditioner) -> int:
        """Return the memory that the solver needs per node, in bytes."""
        # A node is its own neighbour.
        others = (KINDS[kind].neighbours * len(cells) for kind, cells in self.mesh.elements.items())
        neighbours = 1 + sum(others) / self.nodes_count
        stiffness = 0 if self.stiffness is None else self.stiffness.at_points.nbytes / self.nodes_count
        # With dependent displacements there is a second, reduced matrix, and the transformation to it.
        reduced = 0 if self.constraints is None else _REDUCED + _OF_NEIGHBOUR["none"] * neighbours
        return (
            round(_OF_NODE[preconditioner] + _OF_NEIGHBOUR[preconditioner] * neighbours + stiffness + reduced) + _COPIES
        )

    def bytes_of_ranks(self, preconditioner: Preconditioner, ranks: int) -> int:
        """Return the additional memory per node if the mesh is solved by `ranks` ranks, in bytes."""
        cells = sum(cells.nbytes for cells in self.mesh.elements.values()) / self.nodes_count
        coarser = _COARSER * (ranks - 1) if preconditioner == "multigrid" else 0
        return round(2 * cells) + coarser  # elements in the files and in the parts of ranks

    def solved(self, **options: Any) -> Solution:
        """Solve, with the options of `rooftop.solvers.elasticity.solve_mesh`."""
        mesh = self.mesh
        return solver.solve_mesh(
            mesh.coordinates,
            elements=mesh.elements,
            young=self.young,
            poisson=self.poisson,
            stiffness=None if self.stiffness is None else self.stiffness.at_points,
            load=self.load,
            held=self.held,
            displacement=self.prescribed,
            dependences=self.dependences,
            **options,
        )

    def at_rest(self) -> NDArray[np.float64] | None:
        """Return the displacement with prescribed and dependent values, 0 elsewhere; None if it is 0 everywhere."""
        moved = super().at_rest()
        if self.dependences is None or (moved is None and not self.dependences.constant.any()):
            return moved
        return self.dependences.expanded(np.zeros(self.held.shape) if moved is None else moved)

    def residual_of_load(self, displacement: NDArray[np.float64], count: int | None) -> TrueResidual:
        """Return the residual, relative to the load alone, at a sample of `count` nodes; None: at all nodes."""
        stiffness = None if self.stiffness is None else self.stiffness.at_points
        body = (self.mesh, self.young, self.poisson, self.load, self.held)
        return mesh_residual(*body, displacement, count, dependences=self.dependences, stiffness=stiffness)

    def broken(self, displacement: NDArray[np.float64]) -> str | None:
        """Return, in words, which support or constraint a displacement violates; None if it satisfies all."""
        if self.constraints is not None and not self.constraints.error(displacement) <= _KEPT:
            return (
                f"a constraint is violated by {self.constraints.error(displacement):.3g}, relative to the displacement"
            )
        return super().broken(displacement)

    def von_mises(self, displacement: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the equivalent stress at the centre of each element, (elements,)."""
        stiffness = None if self.stiffness is None else self.stiffness.at_centre
        laws = Laws(self.mesh, self.young, self.poisson, stiffness)
        return equivalent_mesh_stresses(self.mesh, displacement, laws, self.initial)

    def cells(self) -> list[tuple[str, NDArray[np.int64]]]:
        """Return meshio's name and the cells, (elements, nodes per element), of each kind."""
        return [(KINDS[kind].vtk, cells) for kind, cells in self.mesh.elements.items()]

    def by_node(self, values: NDArray[Value]) -> NDArray[Value]:
        """Return the values at nodes of elements, without those of other nodes; they are in the file's order."""
        return values[: len(values) - self.others]

    def by_element(self, values: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """Return the values of the elements of each kind, (elements,)."""
        counts = [len(cells) for cells in self.mesh.elements.values()]
        return np.split(values, np.cumsum(counts)[:-1])

    def outer_faces(self, values: NDArray[np.float64]) -> OuterFaces:
        """Return the outer faces for a plot, with three values for each node, (nodes, 3)."""
        return outer_faces_of_mesh(self.mesh, values)


def mesh_pieces(
    problem: MeshProblem,
    ranks: NDArray[np.int32],
    displacement: NDArray[np.float64],
    von_mises: NDArray[np.float64],
) -> Iterator[Piece]:
    """Yield a piece for each rank that has elements. An element belongs to the rank of its first node.

    Nodes and elements of a piece are in the order of the whole mesh.
    """
    mesh = problem.mesh
    owners = {kind: ranks[cells[:, 0]] for kind, cells in mesh.elements.items()}
    of_element = np.concatenate(list(owners.values()))
    for rank in np.unique(of_element).tolist():
        chosen = {kind: cells[owners[kind] == rank] for kind, cells in mesh.elements.items()}
        chosen = {kind: cells for kind, cells in chosen.items() if len(cells)}
        nodes = np.unique(np.concatenate([cells.ravel() for cells in chosen.values()]))
        here = {kind: np.searchsorted(nodes, cells) for kind, cells in chosen.items()}
        piece = replace(problem, mesh=Mesh(mesh.coordinates[nodes], here))
        yield Piece(rank, piece, displacement[nodes], von_mises[of_element == rank])
