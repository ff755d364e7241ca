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

_COPIES = 24 + 16  # coordinates and materials, next to the matrix
# Bytes for each node, and for each of its neighbours, as the solver told for 25³ nodes of tetrahedra and of hexahedra.
_OF_NODE: dict[Preconditioner, int] = {"none": 166, "bjacobi": 214, "cheby": 246, "multigrid": 937}
_OF_NEIGHBOUR: dict[Preconditioner, int] = {"none": 76, "bjacobi": 76, "cheby": 116, "multigrid": 109}
_REDUCED = 300  # bytes of each node: a block of the transformation, the diagonal, and fields
_KEPT = 1e-10  # of the largest displacement in constraints: what rounding makes of them
# Bytes of multigrid's coarser levels, of which every rank has all, for each node: 205 where all are hexahedra.
_COARSER = 300


@dataclass(frozen=True, kw_only=True)
class MeshProblem(Problem):
    """A mesh; arrays as of `rooftop.solvers.elasticity.solve_mesh`.

    constraints  equations between displacements; None: none
    others       how many of the nodes, the last ones, no element has: they take part in constraints alone
    stiffness    which depends on directions, instead of young and poisson; None: of these
    """

    mesh: Mesh
    constraints: Constraints | None = None
    others: int = 0
    stiffness: Stiffness | None = None

    @classmethod
    def of_box(cls, box: BoxProblem) -> MeshProblem:
        """Return the same body as a mesh, with nodes and elements as its file has them."""
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
        """Where the nodes are, (nodes, 3)."""
        return self.mesh.coordinates

    @cached_property
    def dependences(self) -> Dependences | None:
        """Return the displacements that others determine. Raises ElasticityArgumentError for contradictions."""
        return None if self.constraints is None else self.constraints.dependences(self.held, self.prescribed)

    @property
    def unknowns(self) -> int:
        """How many displacements are neither held nor determined by others."""
        return super().unknowns - (0 if self.dependences is None else len(self.dependences.dependent))

    @property
    def elements_count(self) -> int:
        """How many elements there are."""
        return self.mesh.elements_count

    @property
    def grid(self) -> tuple[int, int, int] | None:
        """None: it is no box."""
        return None

    @property
    def not_shared(self) -> str:
        """Why ranks cannot share the body; empty where they can."""
        if self.constraints is not None:
            return "displacements depend on others"
        return (
            super().not_shared
            if self.stiffness is None
            else "stiffness depends on directions or changes within elements"
        )

    @property
    def size(self) -> str:
        """How many nodes there are, and elements of each kind, in words."""
        elements = counted((kind, len(cells)) for kind, cells in self.mesh.elements.items())
        return f"{self.mesh.nodes_count - self.others} nodes of {elements}"

    def bytes_per_node(self, preconditioner: Preconditioner) -> int:
        """Return how much memory the solver takes for each node."""
        # A node is its own neighbour.
        others = (KINDS[kind].neighbours * len(cells) for kind, cells in self.mesh.elements.items())
        neighbours = 1 + sum(others) / self.nodes_count
        stiffness = 0 if self.stiffness is None else self.stiffness.at_points.nbytes / self.nodes_count
        # Without what others determine there is a matrix more, and what makes it of the first one.
        reduced = 0 if self.constraints is None else _REDUCED + _OF_NEIGHBOUR["none"] * neighbours
        return (
            round(_OF_NODE[preconditioner] + _OF_NEIGHBOUR[preconditioner] * neighbours + stiffness + reduced) + _COPIES
        )

    def bytes_of_ranks(self, preconditioner: Preconditioner, ranks: int) -> int:
        """Return how much more memory each node takes where so many ranks share the mesh."""
        cells = sum(cells.nbytes for cells in self.mesh.elements.values()) / self.nodes_count
        coarser = _COARSER * (ranks - 1) if preconditioner == "multigrid" else 0
        return round(2 * cells) + coarser  # elements in files, and in parts

    def solved(self, **options: Any) -> Solution:
        """Return the displacement, with options of `rooftop.solvers.elasticity.solve_mesh`."""
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
        """Return the displacement that supports and constraints prescribe, and else 0; None: it is 0."""
        moved = super().at_rest()
        if self.dependences is None or (moved is None and not self.dependences.constant.any()):
            return moved
        return self.dependences.expanded(np.zeros(self.held.shape) if moved is None else moved)

    def residual_of_load(self, displacement: NDArray[np.float64], count: int | None) -> TrueResidual:
        """Return the residual, relative to the load alone, at a sample of so many nodes; None: at all."""
        stiffness = None if self.stiffness is None else self.stiffness.at_points
        body = (self.mesh, self.young, self.poisson, self.load, self.held)
        return mesh_residual(*body, displacement, count, dependences=self.dependences, stiffness=stiffness)

    def broken(self, displacement: NDArray[np.float64]) -> str | None:
        """Return which support or constraint a displacement does not keep, in words."""
        if self.constraints is not None and not self.constraints.error(displacement) <= _KEPT:
            return (
                f"a constraint is not kept: it is off by {self.constraints.error(displacement):.3g} of the displacement"
            )
        return super().broken(displacement)

    def von_mises(self, displacement: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the equivalent stress at the centre of each element, (elements,)."""
        stiffness = None if self.stiffness is None else self.stiffness.at_centre
        laws = Laws(self.mesh, self.young, self.poisson, stiffness)
        return equivalent_mesh_stresses(self.mesh, displacement, laws, self.initial)

    def cells(self) -> list[tuple[str, NDArray[np.int64]]]:
        """Return the elements of each kind, as meshio names it, with their nodes."""
        return [(KINDS[kind].vtk, cells) for kind, cells in self.mesh.elements.items()]

    def by_node(self, values: NDArray[Value]) -> NDArray[Value]:
        """Return what nodes of elements have: it is in the file's order."""
        return values[: len(values) - self.others]

    def by_element(self, values: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """Return what elements of each kind have, (elements,)."""
        counts = [len(cells) for cells in self.mesh.elements.values()]
        return np.split(values, np.cumsum(counts)[:-1])

    def outer_faces(self, values: NDArray[np.float64]) -> OuterFaces:
        """Return what is drawn of the body, with three values for each node, (nodes, 3)."""
        return outer_faces_of_mesh(self.mesh, values)


def mesh_pieces(
    problem: MeshProblem,
    ranks: NDArray[np.int32],
    displacement: NDArray[np.float64],
    von_mises: NDArray[np.float64],
) -> Iterator[Piece]:
    """Yield a piece for each rank that has elements. An element is the rank's that has the first of its nodes.

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
