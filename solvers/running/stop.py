"""Time limits of searches, and requests to stop them."""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


class Stop:
    """Stops searches early, with their best result: those it is passed to, now and later.

    Any thread and signal handlers may request it.
    """

    def __init__(self) -> None:
        """Nobody has requested it."""
        self.requested = False
        self._told: dict[object, Callable[[], None]] = {}

    def request(self) -> None:
        """Ask all searches to end. They have ended when they return."""
        # No locks: a signal handler may run in the middle of anything here.
        self.requested = True
        for tell in tuple(self._told.values()):
            tell()

    @contextmanager
    def telling(self, tell: Callable[[], None]) -> Iterator[None]:
        """Call a function when a stop is requested within the block, or at once if it was requested before."""
        key = object()
        self._told[key] = tell
        try:
            if self.requested:
                tell()
            yield
        finally:
            self._told.pop(key, None)


class StopFlag:
    """The flag that a solver's C code polls: 0 while it continues."""

    def __init__(self) -> None:
        """Go on."""
        self._flag = ctypes.c_int32(0)

    @property
    def address(self) -> int:
        """Where the number lies, for as long as this object lives."""
        return ctypes.addressof(self._flag)

    @property
    def is_set(self) -> bool:
        """Whether to end."""
        return self._flag.value != 0

    def set(self) -> None:
        """End."""
        self._flag.value = 1


LEAST_S = 0.01  # where the time is over before the search begins
_ENDING_S = 0.1  # to verify, write and end the process takes 0.07 to 0.09 s, of 100 or of 86 000 cities
_RANKS_ENDING_S = 0.3  # and where MPI's launcher has to end first
_ENDING_SHARE = 0.1  # of short times no more than this


def elapsed_s() -> float:
    """Return the seconds since this process began, to 10 ms.

    Both clocks count from the machine's start: the time of day at which a process began is known to a second only,
    as the kernel tells when the machine started in whole seconds (man 5 proc, ``btime`` and ``starttime``).
    """
    after_name = Path("/proc/self/stat").read_bytes().rpartition(b")")[2].split()
    began_s = int(after_name[19]) / os.sysconf("SC_CLK_TCK")
    return time.clock_gettime(time.CLOCK_BOOTTIME) - began_s


def search_s(time_s: float, spent_s: float, ranks: int = 1) -> float:
    """Return the seconds left for the search, so that the process ends within its time limit."""
    ending_s = _RANKS_ENDING_S if ranks > 1 else _ENDING_S
    return max(LEAST_S, time_s - spent_s - min(ending_s, _ENDING_SHARE * time_s))
