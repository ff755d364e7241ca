"""A search for a short tour by the ranks of an MPI job, of which the first one tells how it stands."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rooftop.driver_process import guarded, openmp_settings
from rooftop.error_output import said_last
from rooftop.errors import Misuse, NotBuilt, RooftopError
from rooftop.launchers import of_this_tree
from rooftop.settings import Settings
from rooftop.solvers.routing import Progress, Tour
from rooftop.solvers.running.stop import Stop
from rooftop.team import Team

PROGRAM = "rooftop_tsp_by_ranks"


def _program() -> Path:
    program = Settings().build_folder / "solvers" / "routing" / PROGRAM
    if not program.is_file():
        raise NotBuilt(
            f"the routing solver is not built for ranks: no {PROGRAM} in {program.parent}; "
            "install Open MPI (libopenmpi-dev, openmpi-bin) and run 'make climb'"
        )
    return program


class _Ranks:
    """Ranks under a launcher, and how they are asked to end."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self.search = False  # or they are being started, and know of no signal
        self._asked = False

    def end(self) -> None:
        """Let them end with what they have, or at once where they have nothing."""
        if self._asked:
            return
        self._asked = True
        self._process.send_signal(signal.SIGUSR1 if self.search else signal.SIGTERM)  # the launcher passes SIGUSR1 on


@dataclass
class RankedSearch:
    """What ranks of so many threads each are to search, and when they began, in seconds after they were started."""

    file: Path
    time_s: float
    iterations: int
    seed: int
    ranks: int
    threads: int
    out: Path | None = None
    initial: Path | None = None  # the tour to begin with
    began_s: float = 0.0

    def _words(self) -> list[str]:
        words = [str(_program()), str(self.file.absolute()), f"{time.time() + self.time_s:.6f}"]
        words += [str(self.iterations), str(self.seed & (1 << 64) - 1), str(self.threads)]
        return words + [str(path.absolute()) if path is not None else "" for path in (self.out, self.initial)]

    def run(self, watch: Callable[[Progress], bool], stop: Stop) -> Tour:
        """Search until the time is over, `watch`, which is told now and then, gives False, or `stop` is requested.

        Raises Misuse where ranks cannot be started, NotBuilt, RooftopError where they fail, and KeyboardInterrupt where
        the stop is requested before they have begun.
        """
        launcher = of_this_tree()
        if (reason := launcher.missing()) is not None:
            raise Misuse(f"--ranks {reason}")
        settings = openmp_settings(self.threads)
        launch = launcher.started(self._words(), settings, Team(ranks=self.ranks, threads=self.threads), "close")
        with tempfile.TemporaryFile() as said:
            started = time.monotonic()
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
                        told = self._listen(process, ranks, watch, started)
                except BaseException:
                    process.terminate()
                    raise
            if stop.requested and not ranks.search:
                raise KeyboardInterrupt
            if process.returncode or told is None:
                how = f"ended with {process.returncode}: {said_last(said) or 'it said nothing'}"
                raise RooftopError(f"the search by ranks {how}")
        history = tuple(Progress(*one) for one in told["history"])
        order = np.array(told["order"], dtype=np.int32)
        return Tour(order, told["length"], told["seconds"], told["iterations"], history)

    def _listen(
        self, process: subprocess.Popen[bytes], ranks: _Ranks, watch: Callable[[Progress], bool], started: float
    ) -> dict[str, Any] | None:
        tour: dict[str, Any] | None = None
        assert process.stdout is not None
        for line in process.stdout:
            told = json.loads(line)
            tour = told.get("tour", tour)
            if "progress" not in told:
                continue
            progress = Progress(*told["progress"])
            self.began_s = self.began_s or time.monotonic() - started - progress.seconds
            ranks.search = True
            if not watch(progress):
                ranks.end()
        return tour
