"""Processes that read parts of a dataset concurrently."""

from __future__ import annotations

import itertools
import multiprocessing
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, Self

from rooftop.errors import RooftopError
from rooftop.solvers.h5io.advice.pass_over import Opened, Pass, opened

_HEAD_START_S = 0.001
_SPIN_S = 0.0002
_LAST_WORDS_S = 5.0


class CrewFailed(RooftopError):
    """A process of the crew failed to read its part, or ended."""


def _wait_until(instant: float) -> None:
    """Wait until an instant of the monotonic clock, which is the same for all processes."""
    left_s = instant - time.monotonic()
    if left_s > _SPIN_S:
        time.sleep(left_s - _SPIN_S)
    while time.monotonic() < instant:
        pass


def _serve(pipe: Connection) -> None:
    """Serve requests until the pipe is closed: ("open", key, Pass), ("run", key, instant), ("close", key, None)."""
    passes: dict[int, Opened] = {}
    with suppress(EOFError, OSError):
        while True:
            word, key, given = pipe.recv()
            answer: Any = None
            try:
                if word == "open":
                    passes[key] = opened(given)
                    answer = passes[key].cache_bytes
                elif word == "run":
                    _wait_until(given)
                    answer = passes[key].run()
                else:
                    passes.pop(key, None)
            except Exception as error:  # sent to the parent process, which raises it
                pipe.send((False, f"{type(error).__name__}: {error}"))
            else:
                pipe.send((True, answer))


class Crew:
    """Processes that are started when they are first needed, and end with the ``with`` statement."""

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("spawn")  # OpenMP's threads do not survive a fork
        self._members: list[tuple[SpawnProcess, Connection]] = []
        self._keys = itertools.count()

    def _at_least(self, count: int) -> None:
        while len(self._members) < count:
            ours, theirs = self._context.Pipe()
            process = self._context.Process(target=_serve, args=(theirs,), daemon=True)
            # The command handles interrupts, and ends its processes. They inherit the blocked signals.
            before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
            try:
                process.start()
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
            theirs.close()
            self._members.append((process, ours))

    def _ask(self, members: int, word: str, key: int, given: Sequence[Any]) -> list[Any]:
        """Return the answers of all processes. Raises CrewFailed."""
        try:
            for (_, pipe), one in zip(self._members[:members], given, strict=True):
                pipe.send((word, key, one))
            answers = [pipe.recv() for _, pipe in self._members[:members]]
        except (EOFError, OSError):
            raise CrewFailed("a process that reads a part of the dataset ended unexpectedly") from None
        for good, answer in answers:
            if not good:
                raise CrewFailed(str(answer))
        return [answer for _, answer in answers]

    def open(self, passes: Sequence[Pass]) -> CrewPass:
        """Open passes, each in a process of its own, to run concurrently. Raises CrewFailed if one fails to open."""
        self._at_least(len(passes))
        key = next(self._keys)
        caches = self._ask(len(passes), "open", key, passes)

        def run() -> float:
            instant = time.monotonic() + _HEAD_START_S
            return float(max(self._ask(len(passes), "run", key, [instant] * len(passes))))

        return CrewPass(run, caches[0], lambda: self._close(len(passes), key))

    def _close(self, members: int, key: int) -> None:
        self._ask(members, "close", key, [None] * members)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for member in self._members:
            member[1].close()
        for member in self._members:
            process = member[0]
            process.join(_LAST_WORDS_S)
            if process.is_alive():
                process.kill()
                process.join()


class CrewPass:
    """Concurrent passes of several processes.

    run          starts all at the same instant, and returns the seconds of the slowest
    cache_bytes  size of the first one's chunk cache; None: it has none
    close        closes the file
    """

    def __init__(self, run: Callable[[], float], cache_bytes: int | None, close: Callable[[], None]) -> None:
        self.run, self.cache_bytes, self.close = run, cache_bytes, close
