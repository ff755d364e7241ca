"""How many processes and threads solve for a body, by what its file and the command say."""

from __future__ import annotations

import math

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.box_problem import BoxProblem
from rooftop.solvers.elasticity.problem import Problem
from rooftop.solvers.elasticity.solution import Parts


def threads_of(problem: Problem, asked: int | None, cores: int, ranks: int | None) -> tuple[int, list[str]]:
    """Return the number of threads of each process, and remarks where they are not what the file asks for.

    asked  by the command; None: as the file says, on so many cores at most
    ranks  None: one process without MPI
    """
    parts = 1 if problem.parts is None else math.prod(problem.parts)
    remarks = []
    if parts > 1 and ranks is None:
        remarks.append(
            f"{problem.name}: {parts} parts for as many ranks, and there is no --ranks {parts}: solved in one process, "
            "whose threads share the body"
        )
    if asked is not None:
        return asked, remarks
    processes = ranks or 1
    most = max(1, cores // processes)
    wanted = most if problem.threads is None else problem.threads // (1 if ranks is None else parts)
    if wanted > most:
        on = "these" if ranks is None else f"{most} for each rank"
        remarks.append(
            f"{problem.name} asks for {wanted * processes} threads in all, and this machine has {cores}: solved on {on}"
        )
    return min(wanted, most), remarks


def box_of_ranks(file: str, problem: Problem, ranks: int) -> tuple[BoxProblem, Parts | None]:
    """Return the box that so many ranks share, and its parts; None: the ranks cut it. Raises Misuse."""
    if not isinstance(problem, BoxProblem):
        raise Misuse(f"--ranks is {ranks}, and {file} is solved as a mesh; expected a box of hexahedra, or no --ranks")
    if problem.parts is None or math.prod(problem.parts) == 1:
        return problem, None
    if (product := math.prod(problem.parts)) != ranks:
        x, y, z = problem.parts
        raise Misuse(
            f"{file}: its {x} x {y} x {z} parts are for {product} ranks, and --ranks is {ranks}; expected "
            f"--ranks {product}, or 1 1 1 in its second line, by which the ranks cut the box"
        )
    return problem, problem.parts
