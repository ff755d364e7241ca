"""A box that the ranks of an MPI job solve for, of which the first one tells how it stands."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rooftop.driver_process import guarded, openmp_settings
from rooftop.error_output import said_last
from rooftop.errors import Misuse, NotBuilt, RooftopError
from rooftop.launchers import of_this_tree
from rooftop.settings import Settings
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
from rooftop.solvers.running.stop import Stop
from rooftop.team import Team

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


def _program() -> Path:
    program = Settings().build_folder / "solvers" / "elasticity" / PROGRAM
    if not program.is_file():
        raise NotBuilt(
            f"the elasticity solver is not built for ranks: no {PROGRAM} in {program.parent}; "
            "install Open MPI (libopenmpi-dev, openmpi-bin) and run 'make climb'"
        )
    return program


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


class _Ranks:
    """Ranks under a launcher, and how they are asked to end."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self.hear = False  # or they are being started, and know of no signal
        self._asked = False

    def end(self) -> None:
        """Let them end with what they have, or at once where they have nothing."""
        if self._asked:
            return
        self._asked = True
        self._process.send_signal(signal.SIGUSR1 if self.hear else signal.SIGTERM)  # the launcher passes SIGUSR1 on


def _words(problem: BoxProblem, how: ByRanks, folder: Path) -> list[str]:
    deadline = "inf" if how.seconds is None else f"{time.time() + how.seconds:.6f}"
    numbers = (*problem.nodes, *(how.parts or (0, 0, 0)), PRECONDITIONERS.index(how.preconditioner))
    words = [str(_program()), str(folder), *map(str, numbers), repr(how.tolerance), str(how.iterations)]
    return [*words, deadline, str(how.threads), str(int(how.overlap))]


def _listen(process: subprocess.Popen[bytes], ranks: _Ranks, watch: Watcher) -> dict[str, Any] | None:
    result: dict[str, Any] | None = None
    assert process.stdout is not None
    for line in process.stdout:
        told = json.loads(line)
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
    launcher = of_this_tree()
    if (reason := launcher.missing()) is not None:
        raise Misuse(f"--ranks {reason}")
    with tempfile.TemporaryDirectory(prefix="rooftop-elasticity-") as name, tempfile.TemporaryFile() as said:
        folder = Path(name)
        try:
            _write(problem, folder)
        except OSError as error:
            raise Misuse(f"{folder} cannot be written, where ranks read the body: {error.strerror or error}") from error
        team = Team(ranks=how.ranks, threads=how.threads)
        launch = launcher.started(_words(problem, how, folder), openmp_settings(how.threads), team, "close")
        # In a session of its own an interrupt reaches this process alone, which then asks the ranks to end.
        with subprocess.Popen(
            [*guarded(), *launch.words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=said,
            env=os.environ | dict(launch.environment),
            start_new_session=True,
        ) as process:
            ranks = _Ranks(process)
            try:
                with stop.telling(ranks.end):
                    result = _listen(process, ranks, watch)
            except BaseException:
                process.terminate()
                raise
        if stop.requested and not ranks.hear:
            raise KeyboardInterrupt
        if process.returncode or result is None:
            raise _failure(problem, process.returncode, said_last(said))
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
