"""A box that the ranks of an MPI job solve for, of which the first one tells how it stands."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rooftop.error_output import said_last
from rooftop.errors import Misuse, RooftopError
from rooftop.solvers.elasticity.box_problem import BoxProblem
from rooftop.solvers.elasticity.checked_grid import node_shape
from rooftop.solvers.elasticity.solution import (
    OUTCOMES,
    PRECONDITIONERS,
    Parts,
    Preconditioner,
    Solution,
    Standing,
    Watcher,
)
from rooftop.solvers.running.ranks import Ranks, program_of_ranks, started_ranks
from rooftop.solvers.running.stop import Stop

PROGRAM = "rooftop_elasticity_by_ranks"
_CANNOT, _NO_MEMORY = 2, 3  # its exit codes


@dataclass(frozen=True)
class ByRanks:
    """How ranks solve.

    parts    of the box in each direction; None: those with the smallest surface
    threads  of each rank
    overlap  whether a product begins while values of other ranks are under way
    """

    ranks: int
    parts: Parts | None
    threads: int
    overlap: bool
    preconditioner: Preconditioner
    tolerance: float
    iterations: int
    seconds: float | None


def _write(problem: BoxProblem, folder: Path) -> None:
    """Write what the ranks read: arrays of the whole box."""
    arrays = {"load": problem.load, "young": problem.young, "poisson": problem.poisson}
    if problem.coordinates is not None:
        arrays["coordinates"] = problem.coordinates
    for name, values in arrays.items():
        np.ascontiguousarray(values, dtype=np.float64).tofile(folder / name)
    np.ascontiguousarray(problem.held).astype(np.uint8).tofile(folder / "held")
    with (folder / "displacement").open("wb") as file:
        file.truncate(problem.held.size * 8)  # zeros


def _words(program: Path, problem: BoxProblem, how: ByRanks, folder: Path) -> list[str]:
    deadline = "inf" if how.seconds is None else f"{time.time() + how.seconds:.6f}"
    numbers = (*problem.nodes, *(how.parts or (0, 0, 0)), PRECONDITIONERS.index(how.preconditioner))
    words = [str(program), str(folder), *map(str, numbers), repr(how.tolerance), str(how.iterations)]
    return [*words, deadline, str(how.threads), str(int(how.overlap))]


def _listen(ranks: Ranks, watch: Watcher) -> dict[str, Any] | None:
    result: dict[str, Any] | None = None
    for told in ranks.lines():
        result = told.get("result", result)
        ranks.hear = True
        if "progress" in told and watch(Standing(*told["progress"])) is False:
            ranks.end()
    return result


def _failure(problem: BoxProblem, code: int, said: str) -> Exception:
    """Return what is raised where the ranks have ended without a result."""
    if code == _CANNOT and said:
        return Misuse(f"{problem.name}: {said}{problem.hint if 'free to move' in said else ''}")
    if code == _NO_MEMORY:
        return MemoryError(said)
    return RooftopError(f"{problem.name}: the ranks ended with {code}: {said or 'they said nothing'}")


def solved_by_ranks(problem: BoxProblem, how: ByRanks, watch: Watcher, stop: Stop) -> tuple[Solution, Parts]:
    """Return the displacement, and the parts of the box. `watch` and `stop` are those of `solve`.

    Raises Misuse where ranks cannot be started or the body cannot be solved, NotBuilt, MemoryError, RooftopError where
    ranks fail, and KeyboardInterrupt where the stop is requested before they have begun.
    """
    program = program_of_ranks("elasticity", PROGRAM)
    with tempfile.TemporaryDirectory(prefix="rooftop-elasticity-") as name, tempfile.TemporaryFile() as said:
        folder = Path(name)
        try:
            _write(problem, folder)
        except OSError as error:
            raise Misuse(f"{folder} cannot be written, where ranks read the body: {error.strerror or error}") from error
        words = _words(program, problem, how, folder)
        with started_ranks(words, how.ranks, how.threads, said, stop) as ranks:
            result = _listen(ranks, watch)
        if ranks.code or result is None:
            raise _failure(problem, ranks.code, said_last(said))
        displacement = np.fromfile(folder / "displacement").reshape(node_shape(problem.nodes))
    residual = result["residual"]
    x, y, z = result["parts"]
    return Solution(
        displacement=displacement,
        residuals=np.array(result["residuals"], dtype=np.float64),
        residual=np.inf if residual is None else float(residual),
        iterations=int(result["iterations"]),
        outcome=OUTCOMES[result["outcome"]],
        setup_s=float(result["setup_seconds"]),
        seconds=float(result["seconds"]),
        bytes=float(result["bytes"]),
    ), (x, y, z)
