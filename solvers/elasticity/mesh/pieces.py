"""The parts of a mesh that ranks have, each as a mesh of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity.mesh.arguments import Mesh
from rooftop.solvers.elasticity.mesh.problem import MeshProblem
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
    owners = {kind: ranks[cells[:, 0]] for kind, cells in mesh.elements.items()}
    of_element = np.concatenate(list(owners.values()))
    for rank in np.unique(of_element).tolist():
        chosen = {kind: cells[owners[kind] == rank] for kind, cells in mesh.elements.items()}
        chosen = {kind: cells for kind, cells in chosen.items() if len(cells)}
        nodes = np.unique(np.concatenate([cells.ravel() for cells in chosen.values()]))
        here = {kind: np.searchsorted(nodes, cells) for kind, cells in chosen.items()}
        piece = replace(problem, mesh=Mesh(mesh.coordinates[nodes], here))
        yield Piece(rank, piece, displacement[nodes], von_mises[of_element == rank])
