"""Number of threads, and division of a body among ranks, from its file and the options."""

from __future__ import annotations

import math

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.mesh.problem import MeshProblem
from rooftop.solvers.elasticity.problem import Problem
from rooftop.solvers.elasticity.solution import Division


def threads_of(problem: Problem, asked: int | None, cores: int, ranks: int | None) -> tuple[int, list[str]]:
    """Return the number of threads of each process, and remarks where they are not what the file asks for.

    asked  by the command; None: as the file says, on so many cores at most
    ranks  None: one process without MPI
    """
    parts = 1 if problem.parts is None else math.prod(problem.parts)
    remarks = []
    if parts > 1 and ranks is None:
        remarks.append(
            f"{problem.name} has {parts} parts for as many ranks, and --ranks {parts} is not given: solved in one "
            "process with threads"
        )
    if asked is not None:
        return asked, remarks
    processes = ranks or 1
    most = max(1, cores // processes)
    wanted = most if problem.threads is None else problem.threads // (1 if ranks is None else parts)
    if wanted > most:
        on = f"{most}" if ranks is None else f"{most} per rank"
        remarks.append(
            f"{problem.name} asks for {wanted * processes} threads in all, and this machine has {cores} cores: "
            f"solved on {on}"
        )
    return min(wanted, most), remarks


def division_of(file: str, problem: Problem, ranks: int) -> tuple[Division, list[str]]:
    """Return what each of so many ranks has of a body, and remarks. Raises Misuse.

    The division is the parts of a box in each direction, or None: the ranks cut it; of a mesh the rank of each node.
    """
    parts = problem.parts if problem.parts is not None and math.prod(problem.parts) > 1 else None
    words = "" if parts is None else " x ".join(map(str, parts))
    if isinstance(problem, MeshProblem):
        from rooftop.solvers.elasticity.mesh.partition import partition  # what makes graphs takes time to load

        try:
            division = partition(problem.mesh, ranks)
        except Misuse as error:
            raise Misuse(f"{file}: {error}") from error
        ignored = f"{problem.name}: its {words} parts are of a box; as a mesh it is cut by METIS"
        return division, [] if parts is None else [ignored]
    if parts is not None and (product := math.prod(parts)) != ranks:
        raise Misuse(
            f"{file}: its {words} parts are for {product} ranks, and --ranks is {ranks}; expected "
            f"--ranks {product}, or 1 1 1 in its second line, by which the ranks cut the box"
        )
    return parts, []
