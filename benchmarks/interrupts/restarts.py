"""Restart a team's PostgreSQL server while campaigns write to it: is each sample there once?"""

from __future__ import annotations

import random
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.interrupts.campaign_store import COMMANDS, Found, lacking, samples, twice
from benchmarks.interrupts.interrupts import run

if TYPE_CHECKING:
    from postgres_server import PostgresServer

_LONGEST_S = 600.0
_UNTIL_S = 1.0  # from one restart to the next, at most


class Restarting:
    """Restarts of a server at random instants, half of them as after a crash."""

    def __init__(self, server: PostgresServer, seed: int) -> None:
        """Take a server that runs."""
        self._server, self._random = server, random.Random(seed)
        self.count = 0

    @contextmanager
    def during(self) -> Iterator[None]:
        """Restart it again and again while a block runs."""
        ended = threading.Event()

        def restarting() -> None:
            while not ended.wait(self._random.random() * _UNTIL_S):
                self._server.restart("immediate" if self.count % 2 else "fast")
                self.count += 1

        thread = threading.Thread(target=restarting)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()


def restarted(server: PostgresServer, folder: Path, count: int, pairs: int, seed: int) -> Found:
    """Measure campaigns until the server was restarted so many times meanwhile; count in a copy of each as a file."""
    restarting, found = Restarting(server, seed), Found()
    while restarting.count < count:
        place, copy = server.new_store().url, folder / f"restarted{restarting.count}.sqlite"
        words = ["compare", "--store", place, "--budget", "60m", "--pairs", str(pairs), "--max-pairs", str(pairs)]
        with restarting.during():
            ended = run([*words, *COMMANDS], folder, signal.SIGKILL, _LONGEST_S)[0]
        synced = run(["sync", place, str(copy)], folder, signal.SIGKILL, _LONGEST_S)[0]
        for one in (ended, synced):
            found.left += one.left
            if one.code or one.traceback:
                found.wrong.append(f"exit code {one.code}: {one.said[-300:]}")
        found.finished += not ended.code
        if not synced.code:
            found.samples += len(samples(copy))
            found.twice += twice(copy)
            found.lost += lacking(copy, pairs)
    found.restarts = restarting.count
    return found
