"""The recording of a running command: plain data from which everything else is derived."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Thread(NamedTuple):
    """Identity of a thread. The start time is part of it, since ids are reused."""

    pid: int
    tid: int
    started: int


class Seen(NamedTuple):
    """A thread in one sample.

    cpu      where it ran last, or waits to run
    state    "R" running or ready, "S" sleeping, "D" waiting for a device, …
    run_ns   time on a CPU since it started
    wait_ns  time ready to run without a CPU since it started; 0 if the kernel does not report it
    sleeps   what it sleeps in, if that is looked at: "lock", "input or output", …; empty: it does not sleep
    on       address of the lock that it sleeps on; 0: none
    """

    cpu: int
    state: str
    run_ns: int
    wait_ns: int
    sleeps: str = ""
    on: int = 0


@dataclass
class Facts:
    """Facts about a thread, as last read.

    migrations  counted by the kernel; None if it does not count them
    system_ns   time on a CPU in the kernel
    faults      page faults
    starter     launcher of its rank
    openmp      whether its process has loaded an OpenMP library
    hdf5        whether it has loaded HDF5
    """

    comm: str
    allowed: frozenset[int] = frozenset()
    voluntary: int = 0
    involuntary: int = 0
    system_ns: int = 0
    faults: int = 0
    migrations: int | None = None
    rank: int | None = None
    starter: str | None = None
    openmp: bool = False
    hdf5: bool = False


@dataclass(frozen=True)
class Look:
    """One sample: all threads of the command at one time, in ns of the monotonic clock."""

    at_ns: int
    seen: Mapping[Thread, Seen]


@dataclass
class Recording:
    """Samples of a command, and facts about its threads.

    began_ns  time when sampling started
    spent_ns  CPU time used for sampling
    busy      by CPU, share of the time during which any program used it, as counted by the system
    hidden    processes of which the system does not tell what their threads sleep in
    """

    began_ns: int = 0
    looks: list[Look] = field(default_factory=list)
    facts: dict[Thread, Facts] = field(default_factory=dict)
    spent_ns: int = 0
    busy: dict[int, float] = field(default_factory=dict)
    hidden: set[int] = field(default_factory=set)

    @property
    def elapsed_ns(self) -> int:
        """Time from the start of sampling to the last sample."""
        return self.looks[-1].at_ns - self.began_ns if self.looks else 0
