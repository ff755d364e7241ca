"""Run a solver's program on the ranks of an MPI job: start them, read their output, stop them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from rooftop.command.guardian import end_session
from rooftop.driver.error_output import said_last
from rooftop.driver.process import guarded, openmp_settings
from rooftop.errors import Misuse, NotBuilt, RooftopError
from rooftop.launchers import of_this_tree
from rooftop.launchers.team import Team
from rooftop.settings import Settings
from rooftop.solvers.running.hung_launcher import HungLauncher
from rooftop.solvers.running.stop import Stop

_LEAVE_S = 10.0  # until a launcher that was asked to end is killed: Open MPI's gives its ranks a second

_CANNOT, _NO_MEMORY = 2, 3  # exit codes of the programs


def program_of_ranks(solver: str, name: str) -> Path:
    """Return the program that a solver's ranks run. Raises Misuse where nothing starts ranks here, and NotBuilt."""
    if (reason := of_this_tree().missing()) is not None:
        raise Misuse(f"--ranks {reason}")
    program = Settings().build_folder / "solvers" / solver / name
    if not program.is_file():
        raise NotBuilt(
            f"the {solver} solver is not built for ranks: no {name} in {program.parent}; "
            "install Open MPI (libopenmpi-dev, openmpi-bin) and run 'make climb', or 'rooftop build'"
        )
    return program


class Ranks:
    """Ranks under a launcher.

    hear      whether they have begun and handle signals; set by the reader of their output
    launcher  whether it had to be killed
    """

    def __init__(self, process: subprocess.Popen[bytes], program: str) -> None:
        """Take the launcher's process and their program."""
        self._process = process
        self.launcher = HungLauncher(process, program)
        self.hear = False
        self._asked = False

    def lines(self) -> Iterator[dict[str, Any]]:
        """Yield the JSON lines of the first rank until all have ended."""
        assert self._process.stdout is not None
        return map(json.loads, self._process.stdout)

    def end(self) -> None:
        """Ask them to end with their best result, or at once if they have none."""
        if self._asked:
            return
        self._asked = True
        self._process.send_signal(signal.SIGUSR1 if self.hear else signal.SIGTERM)  # the launcher passes SIGUSR1 on

    @property
    def code(self) -> int:
        """The launcher's exit code, once it has ended."""
        return self._process.wait()


@contextmanager
def started_ranks(words: Sequence[str], ranks: int, threads: int, said: IO[bytes], stop: Stop) -> Iterator[Ranks]:
    """Start ranks of `threads` threads each and wait for their end; their standard error goes to `said`.

    Raises KeyboardInterrupt where the stop is requested before they have begun.
    """
    launch = of_this_tree().started(list(words), openmp_settings(threads), Team(ranks=ranks, threads=threads), "close")
    # In a session of its own an interrupt reaches this process alone, which then asks the ranks to end.
    with subprocess.Popen(
        [*guarded(), *launch.words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=said,
        env=os.environ | dict(launch.environment),
        start_new_session=True,
    ) as process:
        running = Ranks(process, words[0])
        try:
            with running.launcher.watched():
                with stop.telling(running.end):
                    yield running
                process.wait()
        except BaseException:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(_LEAVE_S)
            if process.returncode is None:
                end_session(process.pid)
            raise
    if stop.requested and not running.hear:
        raise KeyboardInterrupt


def _failure(what: str, running: Ranks, said: str) -> Exception:
    """Return what is raised for ranks that ended without a result."""
    code = running.code
    if code == _CANNOT and said:
        return Misuse(said if said.startswith(what) else f"{what}: {said}")
    if code == _NO_MEMORY:
        return Misuse(f"{what}: there is not enough memory for so many ranks; expected fewer, or a smaller problem")
    if running.launcher.was_ended:
        return RooftopError(f"{what}: the ranks ended, but their launcher hung and was killed: {said or 'no message'}")
    return RooftopError(f"{what}: the ranks ended with exit code {code}: {said or 'no message'}")


def result_of_ranks(
    words: Sequence[str], ranks: int, threads: int, stop: Stop, what: str, hear: Callable[[Ranks, dict[str, Any]], None]
) -> dict[str, Any]:
    """Run ranks of so many threads each, and return what the first one prints as its result.

    words  the program and its arguments
    what   the problem's name, which messages begin with
    hear   takes each line of the first rank

    Raises Misuse where ranks cannot be started or cannot solve the problem, RooftopError where they fail, and
    KeyboardInterrupt where the stop is requested before they have begun.
    """
    result: dict[str, Any] | None = None
    with tempfile.TemporaryFile() as said:
        with started_ranks(words, ranks, threads, said, stop) as running:
            for told in running.lines():
                result = told.get("result", result)
                hear(running, told)
        if running.code or result is None:
            raise _failure(what, running, said_last(said))
    return result
