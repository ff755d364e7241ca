"""Linear elasticity on boxes of hexahedra and on unstructured meshes of finite elements.

::

    from rooftop.solvers import elasticity

    nodes = (81, 81, 81)
    held = elasticity.symmetric(nodes, "x-min", "y-min", "z-min")
    load = elasticity.traction(nodes, "z-max", (0, 0, 1))
    solution = elasticity.solve(nodes, load=load, held=held)
    solution.displacement  # (nz, ny, nx, 3)

The GIL is released while the solver runs.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.c_interface.array_addresses import address
from rooftop.solvers.c_interface.python_functions import BriefFunction, field_names
from rooftop.solvers.elasticity import library as c_library
from rooftop.solvers.elasticity.box.arguments import (
    Nodes,
    checked_nodes,
    element_values,
    node_shape,
)
from rooftop.solvers.elasticity.box.faces import FACES, Face, clamped, symmetric, traction
from rooftop.solvers.elasticity.box.shapes import box
from rooftop.solvers.elasticity.box.stress import stresses, von_mises
from rooftop.solvers.elasticity.iteration import BRIEF_STEPS, BRIEFLY_SET_UP, Terms, iterated
from rooftop.solvers.elasticity.library import ElasticityArgumentError
from rooftop.solvers.elasticity.mesh.arguments import (
    Mesh,
    checked_mesh,
    mesh_element_values,
    mesh_stiffness,
)
from rooftop.solvers.elasticity.mesh.body_force import mesh_body_force
from rooftop.solvers.elasticity.mesh.boundary import Boundary, boundary, mesh_pressure, mesh_traction, on_side
from rooftop.solvers.elasticity.mesh.constraints import Constraints
from rooftop.solvers.elasticity.mesh.dependences import Dependences
from rooftop.solvers.elasticity.mesh.kinds import KINDS, Kind
from rooftop.solvers.elasticity.mesh.stress import mesh_stresses
from rooftop.solvers.elasticity.node_arguments import node_mask, node_values
from rooftop.solvers.elasticity.solution import (
    OUTCOMES,
    PRECONDITIONERS,
    Outcome,
    Preconditioner,
    Solution,
    Standing,
    Watcher,
)
from rooftop.solvers.running.stop import Stop

__all__ = [
    "FACES",
    "KINDS",
    "PRECONDITIONERS",
    "Boundary",
    "Constraints",
    "Dependences",
    "ElasticityArgumentError",
    "Face",
    "Kind",
    "Outcome",
    "Preconditioner",
    "Solution",
    "Standing",
    "boundary",
    "box",
    "clamped",
    "mesh_body_force",
    "mesh_pressure",
    "mesh_stresses",
    "mesh_traction",
    "on_side",
    "solve",
    "solve_mesh",
    "stresses",
    "symmetric",
    "traction",
    "von_mises",
]

ITERATIONS = 100_000  # default limit

_BRIEF = BriefFunction(
    c_library.NAME,
    ("solve",),
    lambda: (
        np.ndarray,
        np.empty,
        np.dtype(np.float64),
        Solution,
        field_names(Solution),
        PRECONDITIONERS,
        OUTCOMES,
        BRIEFLY_SET_UP,
        BRIEF_STEPS,
    ),
)


@dataclass(frozen=True)
class _Body:
    """Arrays of a box, kept alive while the solver reads them."""

    nodes: Nodes
    coordinates: NDArray[np.float64] | None
    young: NDArray[np.float64]
    poisson: NDArray[np.float64]
    load: NDArray[np.float64]
    held: NDArray[np.uint8]

    def as_c(self) -> c_library.Body:
        """Return the C structure."""
        return c_library.Body(
            (ctypes.c_int64 * 3)(*self.nodes),
            None if self.coordinates is None else address(self.coordinates),
            self.young.size,
            address(self.young),
            self.poisson.size,
            address(self.poisson),
            address(self.load),
            address(self.held),
        )


@dataclass(frozen=True)
class _Mesh:
    """Arrays of a mesh, kept alive while the solver reads them."""

    mesh: Mesh
    young: NDArray[np.float64]
    poisson: NDArray[np.float64]
    load: NDArray[np.float64]
    held: NDArray[np.uint8]
    dependences: Dependences | None
    stiffness: NDArray[np.float64] | None

    def as_c(self) -> c_library.Mesh:
        """Return the C structure."""
        blocks = [
            c_library.Elements(KINDS[kind].number, len(cells), address(cells))
            for kind, cells in self.mesh.elements.items()
        ]
        return c_library.Mesh(
            self.mesh.nodes_count,
            address(self.mesh.coordinates),
            len(blocks),
            (c_library.Elements * len(blocks))(*blocks),
            self.young.size,
            address(self.young),
            self.poisson.size,
            address(self.poisson),
            address(self.load),
            address(self.held),
            *((0, *[None] * 5) if self.dependences is None else _as_c(self.dependences)),
            0 if self.stiffness is None else len(self.stiffness),
            None if self.stiffness is None else address(self.stiffness),
        )


def _as_c(of: Dependences) -> tuple[int | None, ...]:
    arrays = (of.dependent, of.start, of.independent, of.factor, of.constant)
    return (len(of.dependent), *(address(array) for array in arrays))


def solve(
    nodes: Sequence[int],
    *,
    coordinates: Any = None,
    young: Any = 1.0,
    poisson: Any = 0.3,
    load: Any,
    held: Any,
    displacement: Any = None,
    preconditioner: Preconditioner = "multigrid",
    tolerance: float = 1e-8,
    iterations: int = ITERATIONS,
    seconds: float | None = None,
    threads: int | None = None,
    single_values: bool = False,
    watch: Watcher | None = None,
    stop: Stop | None = None,
) -> Solution:
    """Return the displacement of a box of trilinear hexahedra under a load, by preconditioned conjugate gradients.

    nodes           in each direction: (nx, ny, nz), 2 or more
    coordinates     (nz, ny, nx, 3); None: elements are cubes with edges of 1
    young, poisson  a number, or one for each element, (nz-1, ny-1, nx-1)
    load            forces on nodes, (nz, ny, nx, 3)
    held            bool, (nz, ny, nx, 3): true where a displacement is prescribed
    displacement    (nz, ny, nx, 3): the prescribed values, elsewhere an initial guess; None: zero. It is not modified
    preconditioner  "none", "bjacobi" (block Jacobi), "cheby" (Chebyshev) or "multigrid" (geometric)
    tolerance       norm of the residual relative to that of the load at which to stop
    iterations      maximum number of iterations
    seconds         time limit; None: no limit
    threads         None or 0: OpenMP's default
    single_values   read the assembled matrix in single precision, which moves half the bytes; the tolerance still
                    applies to the true residual

    `watch` is called regularly with the progress; any false value except None ends the iteration. `stop` ends it from
    another thread or a signal handler. The solver runs in its own thread, and `watch` in the calling thread. An
    exception raised by `watch` or a signal handler, such as KeyboardInterrupt, ends the iteration and is raised here.

    Raises ElasticityArgumentError for invalid arguments, inverted elements and bodies that are free to move;
    MemoryError. If a limit or a stop ended the iteration, the displacement is not converged: see `outcome` and
    `residual`.
    """
    if coordinates is None and displacement is None and watch is None and stop is None:
        options = (preconditioner, tolerance, iterations, seconds, threads, single_values)
        done: Solution | None = _BRIEF.run(nodes, young, poisson, load, held, *options)
        if done is not None:
            return done
    counts = checked_nodes(nodes)
    body = _Body(
        counts,
        None if coordinates is None else node_values("coordinates", coordinates, counts),
        element_values("young", young, counts),
        element_values("poisson", poisson, counts),
        node_values("load", load, counts),
        node_mask("held", held, counts),
    )
    moved = np.zeros(node_shape(counts))
    if displacement is not None:
        moved[...] = node_values("displacement", displacement, counts)
    terms = Terms(preconditioner, tolerance, iterations, seconds, threads, single_values, watch, stop)
    library = c_library.load()
    _BRIEF.find(library)
    return iterated(library.rooftop_elasticity_solve, body, moved, terms)


def solve_mesh(
    coordinates: Any,
    *,
    elements: Mapping[Kind, Any],
    young: Any = 1.0,
    poisson: Any = 0.3,
    stiffness: Any = None,
    load: Any,
    held: Any,
    displacement: Any = None,
    dependences: Dependences | None = None,
    preconditioner: Preconditioner = "multigrid",
    tolerance: float = 1e-8,
    iterations: int = ITERATIONS,
    seconds: float | None = None,
    threads: int | None = None,
    single_values: bool = False,
    watch: Watcher | None = None,
    stop: Stop | None = None,
) -> Solution:
    """Return the displacement of an unstructured mesh of elements of one or more kinds.

    coordinates     (nodes, 3)
    elements        for each kind of element an array (elements, nodes per element) of node indices, from 0, in VTK's
                    order. Elements are numbered in the order of the mapping
    young, poisson  a number, or one for each element, (elements,)
    stiffness       anisotropic stiffness, instead of young and poisson: 21 values for all elements, (21,), for each
                    element, (elements, 21), or for each integration point, (points, 21), element by element
    load            forces on nodes, (nodes, 3)
    held            bool, (nodes, 3): true where a displacement is prescribed
    displacement    (nodes, 3): the prescribed values, elsewhere an initial guess; None: zero. It is not modified
    dependences     displacements that depend on others: see `Constraints.dependences`. Nodes without elements may take
                    part; forces on them act on the displacements that depend on them
    preconditioner  "none", "bjacobi" (block Jacobi), "cheby" (Chebyshev) or "multigrid" (smoothed aggregation of nodes,
                    with rigid motions)

    Kinds of elements, with nodes in the order of VTK, Abaqus and CalculiX:

    tetrahedron              linear, 4 nodes: seen from the fourth node, the first three go anticlockwise (C3D4)
    wedge                    6 nodes: a triangle, then the opposite one, from which the first is anticlockwise (C3D6)
    hexahedron               trilinear, 8 nodes: around the bottom, then around the top; 2 x 2 x 2 points (C3D8)
    hexahedron_incompatible  hexahedron with incompatible modes, which does not lock in bending (C3D8I)
    tetrahedron10            quadratic, 10 nodes: corners, then midpoints of edges 01, 12, 20, 03, 13 and 23 (C3D10)
    wedge15                  quadratic, 15 nodes: corners, midpoints of bottom, top and upright edges (C3D15)
    hexahedron20             quadratic, 20 nodes in the same order; 3 x 3 x 3 integration points (C3D20)
    hexahedron20_reduced     hexahedron20 with 2 x 2 x 2 integration points (C3D20R)

    The formulation of the elements is CalculiX's: see docs/decisions/0045.

    A stiffness is the upper triangle, column by column, of the symmetric positive definite matrix that maps strains xx,
    yy, zz, 2 xy, 2 xz, 2 yz to stresses xx, yy, zz, xy, xz, yz, in global coordinates. Integration points are in
    CalculiX's order: the element's first local coordinate changes fastest.

    Other arguments are those of `solve`, which is faster for boxes. `boundary`, `on_side` and `mesh_traction` compute
    loads and supports. Raises ElasticityArgumentError for invalid arguments, inverted elements, unused nodes and parts
    that are free to move; MemoryError.
    """
    mesh = checked_mesh(coordinates, elements)
    nodes, count = mesh.nodes_count, mesh.elements_count
    body = _Mesh(
        mesh,
        mesh_element_values("young", young, count),
        mesh_element_values("poisson", poisson, count),
        node_values("load", load, nodes),
        node_mask("held", held, nodes),
        None if dependences is None else dependences.checked(nodes),
        None if stiffness is None else mesh_stiffness(stiffness, mesh),
    )
    moved = np.zeros((nodes, 3))
    if displacement is not None:
        moved[...] = node_values("displacement", displacement, nodes)
    terms = Terms(preconditioner, tolerance, iterations, seconds, threads, single_values, watch, stop)
    return iterated(c_library.load().rooftop_elasticity_solve_mesh, body, moved, terms)
