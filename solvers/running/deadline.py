"""How much a solver may still search where its time counts from the start of its process."""

from __future__ import annotations

import os
import time
from pathlib import Path

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
    """Return how long to search, of a time of which so much is spent, so that the process ends with it."""
    ending_s = _RANKS_ENDING_S if ranks > 1 else _ENDING_S
    return max(LEAST_S, time_s - spent_s - min(ending_s, _ENDING_SHARE * time_s))
