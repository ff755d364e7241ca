"""Search for a short tour on the ranks of an MPI job."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rooftop.solvers.routing import Progress, Tour
from rooftop.solvers.running.ranks import Ranks, program_of_ranks, result_of_ranks
from rooftop.solvers.running.stop import Stop

PROGRAM = "rooftop_tsp_by_ranks"


@dataclass
class RankedSearch:
    """A search by MPI ranks. `began_s` is its start, in seconds after the ranks were started."""

    file: Path
    time_s: float
    iterations: int
    seed: int
    ranks: int
    threads: int
    out: Path | None = None
    initial: Path | None = None  # file of the initial tour
    began_s: float = 0.0

    def _words(self) -> list[str]:
        words = [
            str(program_of_ranks("routing", PROGRAM)),
            str(self.file.absolute()),
            f"{time.time() + self.time_s:.6f}",
        ]
        words += [str(self.iterations), str(self.seed & (1 << 64) - 1), str(self.threads)]
        return words + [str(path.absolute()) if path is not None else "" for path in (self.out, self.initial)]

    def run(self, watch: Callable[[Progress], bool], stop: Stop) -> Tour:
        """Search until the time limit, until `watch`, which is called regularly, returns False, or `stop` is requested.

        Raises Misuse if the ranks cannot be started, NotBuilt, RooftopError if they fail, and KeyboardInterrupt if the
        stop is requested before the search starts.
        """
        started = time.monotonic()

        def hear(running: Ranks, told: dict[str, Any]) -> None:
            if "progress" in told:
                progress = Progress(*told["progress"])
                self.began_s = self.began_s or time.monotonic() - started - progress.seconds
                running.hear = True
                if not watch(progress):
                    running.end()

        told = result_of_ranks(self._words(), self.ranks, self.threads, stop, str(self.file), hear)
        history = tuple(Progress(*one) for one in told["history"])
        order = np.array(told["order"], dtype=np.int32)
        return Tour(order, told["length"], told["seconds"], told["iterations"], history)
