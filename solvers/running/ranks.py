"""Ranks of an MPI job that run a solver's program: how they are started, heard, and asked to end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from rooftop.driver.process import guarded, openmp_settings
from rooftop.errors import Misuse, NotBuilt
from rooftop.launchers import of_this_tree
from rooftop.launchers.team import Team
from rooftop.settings import Settings
from rooftop.solvers.running.stop import Stop


def program_of_ranks(solver: str, name: str) -> Path:
    """Return the program that a solver's ranks run. Raises Misuse where nothing starts ranks here, and NotBuilt."""
    if (reason := of_this_tree().missing()) is not None:
        raise Misuse(f"--ranks {reason}")
    program = Settings().build_folder / "solvers" / solver / name
    if not program.is_file():
        raise NotBuilt(
            f"the {solver} solver is not built for ranks: no {name} in {program.parent}; "
            "install Open MPI (libopenmpi-dev, openmpi-bin) and run 'make climb'"
        )
    return program


class Ranks:
    """Ranks under a launcher.

    hear  whether they have begun, and know of signals; set by who listens to them
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        """Take the launcher's process."""
        self._process = process
        self.hear = False
        self._asked = False

    def lines(self) -> Iterator[dict[str, Any]]:
        """Return what the first rank prints, line by line, until all have ended."""
        assert self._process.stdout is not None
        return map(json.loads, self._process.stdout)

    def end(self) -> None:
        """Let them end with what they have, or at once where they have nothing."""
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
    """Start ranks of so many threads each, and wait for their end. What they say on standard error goes to `said`.

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
        running = Ranks(process)
        try:
            with stop.telling(running.end):
                yield running
        except BaseException:
            process.terminate()
            raise
    if stop.requested and not running.hear:
        raise KeyboardInterrupt
