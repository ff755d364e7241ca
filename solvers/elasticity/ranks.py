"""Solve on MPI ranks, which a separate program runs."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.box.problem import BoxProblem
from rooftop.solvers.elasticity.mesh.kinds import KINDS
from rooftop.solvers.elasticity.mesh.problem import MeshProblem
from rooftop.solvers.elasticity.problem import Problem
from rooftop.solvers.elasticity.solution import (
    OUTCOMES,
    PRECONDITIONERS,
    Division,
    Preconditioner,
    Solution,
    Standing,
    Watcher,
)
from rooftop.solvers.running.ranks import Ranks, program_of_ranks, result_of_ranks
from rooftop.solvers.running.stop import Stop

PROGRAM = "rooftop_elasticity_by_ranks"


@dataclass(frozen=True)
class ByRanks:
    """Options of a solution by ranks.

    division  parts of a box in each direction; None: those with the smallest surface; of a mesh, the rank of each node
    threads   number of threads of each rank
    overlap   whether matrix products overlap with communication
    """

    ranks: int
    division: Division
    threads: int
    overlap: bool
    preconditioner: Preconditioner
    tolerance: float
    iterations: int
    seconds: float | None


def _write(problem: Problem, division: Division, folder: Path) -> None:
    """Write the arrays of the whole body to files that the ranks read."""
    arrays = {"load": problem.load, "young": problem.young, "poisson": problem.poisson}
    if isinstance(problem, MeshProblem):
        mesh = problem.mesh
        arrays["coordinates"] = mesh.coordinates
        blocks = [(KINDS[kind].number, cells.size) for kind, cells in mesh.elements.items()]
        np.array(blocks, dtype=np.int64).tofile(folder / "blocks")
        with (folder / "elements").open("wb") as file:
            for cells in mesh.elements.values():
                np.ascontiguousarray(cells, dtype=np.int64).tofile(file)
        np.ascontiguousarray(division, dtype=np.int32).tofile(folder / "ranks")
    elif isinstance(problem, BoxProblem) and problem.coordinates is not None:
        arrays["coordinates"] = problem.coordinates
    for name, values in arrays.items():
        np.ascontiguousarray(values, dtype=np.float64).tofile(folder / name)
    np.ascontiguousarray(problem.held).astype(np.uint8).tofile(folder / "held")
    with (folder / "displacement").open("wb") as file:
        file.truncate(problem.held.size * 8)  # zeros


def _words(program: Path, problem: Problem, how: ByRanks, folder: Path) -> list[str]:
    deadline = "inf" if how.seconds is None else f"{time.time() + how.seconds:.6f}"
    words = [str(program), str(folder), str(PRECONDITIONERS.index(how.preconditioner)), repr(how.tolerance)]
    words += [str(how.iterations), deadline, str(how.threads), str(int(how.overlap))]
    if problem.grid is None:
        return words
    parts = how.division if isinstance(how.division, tuple) else (0, 0, 0)
    return [*words, *map(str, (*problem.grid, *parts))]


def solved_by_ranks(problem: Problem, how: ByRanks, watch: Watcher, stop: Stop) -> tuple[Solution, Division]:
    """Return the solution and the division among ranks. `watch` and `stop` are those of `solve`.

    Raises Misuse if ranks cannot be started or the body cannot be solved, NotBuilt, MemoryError, RooftopError if the
    ranks fail, and KeyboardInterrupt if the stop is requested before they start.
    """
    program = program_of_ranks("elasticity", PROGRAM)

    def hear(running: Ranks, told: dict[str, Any]) -> None:
        running.hear = True
        if "progress" in told and watch(Standing(*told["progress"])) is False:
            running.end()

    with tempfile.TemporaryDirectory(prefix="rooftop-elasticity-") as name:
        folder = Path(name)
        try:
            _write(problem, how.division, folder)
        except OSError as error:
            raise Misuse(f"the body for the ranks cannot be written to {folder}: {error.strerror or error}") from error
        words = _words(program, problem, how, folder)
        try:
            result = result_of_ranks(words, how.ranks, how.threads, stop, problem.name, hear)
        except Misuse as error:
            raise Misuse(f"{error}{problem.hint if 'free to move' in str(error) else ''}") from error
        displacement = np.fromfile(folder / "displacement").reshape(problem.load.shape)
    residual = result["residual"]
    x, y, z = result["parts"]
    division = how.division if problem.grid is None else (x, y, z)
    return Solution(
        displacement=displacement,
        residuals=np.array(result["residuals"], dtype=np.float64),
        residual=np.inf if residual is None else float(residual),
        iterations=int(result["iterations"]),
        outcome=OUTCOMES[result["outcome"]],
        setup_s=float(result["setup_seconds"]),
        seconds=float(result["seconds"]),
        bytes=float(result["bytes"]),
        rounding=float(result["rounding"]),
        stretched=bool(result["stretched"]),
        replaced=bool(result["replaced"]),
    ), division
