"""The recording of a running command: plain data from which everything else follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Thread(NamedTuple):
    """Unique name of a thread: numbers are reused, with another start time."""

    pid: int
    tid: int
    started: int


class Seen(NamedTuple):
    """A thread in one sample.

    cpu      where it ran last, or waits to run
    state    "R" runs or is ready to, "S" sleeps, "D" waits for a device, …
    run_ns   on a processor, since it began
    wait_ns  ready to run without a processor, since it began; 0 where the kernel does not tell
    """

    cpu: int
    state: str
    run_ns: int
    wait_ns: int


@dataclass
class Facts:
    """Facts about a thread, as last read.

    migrations  the kernel's own count; None where it keeps none
    starter     the launcher of its rank
    openmp      whether its process has loaded an OpenMP library
    """

    comm: str
    allowed: frozenset[int] = frozenset()
    voluntary: int = 0
    involuntary: int = 0
    migrations: int | None = None
    rank: int | None = None
    starter: str | None = None
    openmp: bool = False


@dataclass(frozen=True)
class Look:
    """All threads of the command at one moment, in ns of a clock that only goes on."""

    at_ns: int
    seen: Mapping[Thread, Seen]


@dataclass
class Recording:
    """What a sampler has seen.

    began_ns  when the looking began
    spent_ns  processor time of the looking itself
    busy      CPU to the share of time in which anybody used it, as the system counts
    """

    began_ns: int = 0
    looks: list[Look] = field(default_factory=list)
    facts: dict[Thread, Facts] = field(default_factory=dict)
    spent_ns: int = 0
    busy: dict[int, float] = field(default_factory=dict)

    @property
    def elapsed_ns(self) -> int:
        """From the beginning to the last look."""
        return self.looks[-1].at_ns - self.began_ns if self.looks else 0
