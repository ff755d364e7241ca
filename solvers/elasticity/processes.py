"""Choose the number of threads and the division of a body among ranks, from its file and the options."""

from __future__ import annotations

import math

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.mesh.problem import MeshProblem
from rooftop.solvers.elasticity.problem import Problem
from rooftop.solvers.elasticity.solution import Division


def threads_of(problem: Problem, asked: int | None, cores: int, ranks: int | None) -> tuple[int, list[str]]:
    """Return the number of threads of each process, and remarks where it differs from the file's.

    asked  number given on the command line; None: the file's, limited by `cores`
    ranks  None: one process without MPI
    """
    parts = 1 if problem.parts is None else math.prod(problem.parts)
    remarks = []
    if parts > 1 and ranks is None:
        remarks.append(
            f"{problem.name} has {parts} parts for {parts} ranks, but --ranks {parts} is not given: solved in one "
            "process with threads"
        )
    if asked is not None:
        return asked, remarks
    processes = ranks or 1
    most = max(1, cores // processes)
    wanted = most if problem.threads is None else problem.threads // (1 if ranks is None else parts)
    if wanted > most:
        remarks.append(
            f"{problem.name} asks for {wanted * processes} threads in all, but this machine has {cores} cores: "
            f"solved with --threads {most}{'' if ranks is None else ' per rank'}"
        )
    return min(wanted, most), remarks


def division_of(file: str, problem: Problem, ranks: int) -> tuple[Division, list[str]]:
    """Return the division of a body among ranks, and remarks. Raises Misuse.

    The division of a box is its parts in each direction, or None if the ranks choose them; that of a mesh is the rank
    of each node.
    """
    parts = problem.parts if problem.parts is not None and math.prod(problem.parts) > 1 else None
    words = "" if parts is None else " x ".join(map(str, parts))
    if isinstance(problem, MeshProblem):
        from rooftop.solvers.elasticity.mesh.partition import partition  # SciPy and METIS take time to load

        try:
            division = partition(problem.mesh, ranks)
        except Misuse as error:
            raise Misuse(f"{file}: {error}") from error
        ignored = f"{problem.name}: its {words} parts are ignored for an unstructured mesh, which METIS partitions"
        return division, [] if parts is None else [ignored]
    if parts is not None and (product := math.prod(parts)) != ranks:
        raise Misuse(
            f"{file}: its {words} parts are for {product} ranks, but --ranks is {ranks}; expected "
            f"--ranks {product}, or a second line of 1 1 1 in the file, to let the ranks divide the box"
        )
    return parts, []
