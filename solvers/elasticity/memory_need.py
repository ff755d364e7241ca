"""How much memory a body takes: one that is too large is refused in words before the kernel ends the process."""

from __future__ import annotations

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.problem import Problem
from rooftop.solvers.elasticity.solution import Preconditioner
from rooftop.text.quantities import size, whole

# Bytes a node. Loads, supports and displacements here, and six vectors of the solver.
_AT_LEAST = 24 + 3 + 24 + 6 * 24
_COORDINATES = 24
# What ranks read, have a second time with the nodes beside their own, and write: files are in memory too.
_OF_RANKS = 3 * (24 + 3 + 24) + 64


def _require(where: str, named: str, count: int, bytes_per_node: int, available: int, instead: str) -> None:
    need = count * bytes_per_node
    if need > available:
        raise Misuse(
            f"{where}: {named} are {whole(count)} and take {size(need)} of memory or more, of which "
            f"{size(available)} are available; expected {instead}"
        )


def require_memory(where: str, named: str, count: int, available: int, *, coordinates: bool) -> None:
    """Raise Misuse for more nodes than there is memory for, however they are solved for.

    named  the nodes in words, such as "3 x 3 x 3 nodes"
    """
    _require(where, named, count, _AT_LEAST + (_COORDINATES if coordinates else 0), available, "fewer nodes")


def require_memory_to_solve(
    where: str, problem: Problem, preconditioner: Preconditioner, available: int, ranks: int | None = None
) -> None:
    """Raise Misuse for a body for which the solver will not have memory. The body itself is there already."""
    need = problem.bytes_per_node(preconditioner)
    if ranks is not None:
        need += _OF_RANKS + problem.bytes_of_ranks(preconditioner, ranks)
    instead = "fewer nodes" if preconditioner == "none" else "fewer nodes, or --preconditioner none"
    _require(where, problem.size, problem.nodes_count, need, available, instead)
