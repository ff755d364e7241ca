"""How much memory a body takes: one that is too large is refused in words before the kernel ends the process."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.report.quantities import size, whole
from rooftop.solvers.elasticity import Preconditioner
from rooftop.solvers.elasticity.checked_grid import Nodes
from rooftop.solvers.elasticity.problem import Problem

# Bytes a node. Loads, supports and displacements here, and six vectors of the solver.
_AT_LEAST = 24 + 3 + 24 + 6 * 24
_COORDINATES = 24
# As the solver told for 60³ nodes: where all nodes lie on lines along the axes and the material is constant, and where
# the matrix is kept, with half of its blocks.
_ON_LINES: dict[Preconditioner, int] = {"none": 137, "bjacobi": 185, "cheby": 187, "multigrid": 197}
_MATRIX: dict[Preconditioner, int] = {"none": 1121, "bjacobi": 1169, "cheby": 1662, "multigrid": 1750}
_COPIES = 24 + 16  # coordinates and materials, next to the matrix


def _require(where: str, nodes: Nodes, bytes_per_node: int, available: int, instead: str) -> None:
    nx, ny, nz = nodes
    count = nx * ny * nz
    need = count * bytes_per_node
    if need > available:
        raise Misuse(
            f"{where}: {nx} x {ny} x {nz} nodes are {whole(count)} and take {size(need)} of memory or more, of which "
            f"{size(available)} are available; expected {instead}"
        )


def require_memory(where: str, nodes: Nodes, available: int, *, coordinates: bool) -> None:
    """Raise Misuse for more nodes than there is memory for, however they are solved for."""
    _require(where, nodes, _AT_LEAST + (_COORDINATES if coordinates else 0), available, "fewer nodes")


def _on_lines(places: NDArray[np.float64]) -> bool:
    """Return whether all nodes lie on lines along the axes."""
    return all(
        np.array_equal(places[..., axis], np.broadcast_to(line, places.shape[:3]))
        for axis, line in enumerate((places[:1, :1, :, 0], places[:1, :, :1, 1], places[:, :1, :1, 2]))
    )


def require_memory_to_solve(where: str, problem: Problem, preconditioner: Preconditioner, available: int) -> None:
    """Raise Misuse for a body for which the solver will not have memory. The body itself is there already."""
    constant = problem.young.size == problem.poisson.size == 1
    if constant and (problem.coordinates is None or _on_lines(problem.coordinates)):
        need = _ON_LINES[preconditioner]
    else:
        need = _MATRIX[preconditioner] + _COPIES
    instead = "fewer nodes" if preconditioner == "none" else "fewer nodes, or --preconditioner none"
    _require(where, problem.nodes, need, available, instead)
