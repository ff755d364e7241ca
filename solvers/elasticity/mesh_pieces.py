"""The parts of a mesh that ranks have, each as a mesh of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity.checked_mesh import Mesh
from rooftop.solvers.elasticity.mesh_problem import MeshProblem
from rooftop.solvers.elasticity.problem import Piece


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
    of_element = np.concatenate([ranks[cells[:, 0]] for cells in (mesh.hexahedra, mesh.tetrahedra)])
    hexahedra = len(mesh.hexahedra)
    for rank in np.unique(of_element).tolist():
        chosen = of_element == rank
        of_eight, of_four = mesh.hexahedra[chosen[:hexahedra]], mesh.tetrahedra[chosen[hexahedra:]]
        nodes, here = np.unique(np.concatenate([of_eight.ravel(), of_four.ravel()]), return_inverse=True)
        of_eight, of_four = here[: of_eight.size].reshape(-1, 8), here[of_eight.size :].reshape(-1, 4)
        piece = replace(problem, mesh=Mesh(mesh.coordinates[nodes], of_eight, of_four))
        yield Piece(rank, piece, displacement[nodes], von_mises[chosen])
