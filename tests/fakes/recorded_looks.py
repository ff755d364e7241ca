"""Recordings of threads that are where a test says, without a clock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rooftop.machine.topology import Places
from rooftop.observe.recording import Facts, Look, Recording, Seen, Thread

INTERVAL_NS = 20_000_000


@dataclass(frozen=True)
class Acting:
    """A thread that runs on these CPUs in turn.

    runs       share of the time in which it runs on a CPU; it waits for one in `waits` of it
    migrations  the kernel's count; None: it keeps none
    """

    cpus: Sequence[int]
    allowed: Iterable[int]
    runs: float = 1.0
    waits: float = 0.0
    rank: int | None = None
    starter: str | None = None
    migrations: int | None = None
    openmp: bool = False
    pid: int | None = None
    comm: str = "app"


def acted(acting: Sequence[Acting], looks: int = 100, busy: dict[int, float] | None = None) -> Recording:
    """Record threads that act for so many looks."""
    recording = Recording(began_ns=0, busy=busy or {})
    threads = [Thread(one.pid or 100 + place, 100 + place, 7) for place, one in enumerate(acting)]
    for number in range(1, looks + 1):
        seen = {}
        for thread, one in zip(threads, acting, strict=True):
            state = "R" if one.runs + one.waits > 0.5 else "S"
            at_ns = number * INTERVAL_NS
            cpu = one.cpus[number % len(one.cpus)]
            seen[thread] = Seen(cpu, state, int(one.runs * at_ns), int(one.waits * at_ns))
        recording.looks.append(Look(number * INTERVAL_NS, seen))
    for thread, one in zip(threads, acting, strict=True):
        recording.facts[thread] = Facts(
            one.comm,
            frozenset(one.allowed),
            migrations=one.migrations,
            rank=one.rank,
            starter=one.starter,
            openmp=one.openmp,
        )
    return recording


def flat(cpus: int, threads_per_core: int = 1, nodes: int = 1) -> Places:
    """Return a machine whose hardware threads are numbered after all cores, as x86 firmware does it."""
    cores = cpus // threads_per_core
    return Places(
        core={cpu: cpu % cores for cpu in range(cpus)},
        node={cpu: (cpu % cores) * nodes // cores for cpu in range(cpus)},
    )
