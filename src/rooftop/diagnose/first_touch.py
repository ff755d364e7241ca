"""Suspect memory that one thread touched first, so that it lies on that thread's NUMA node: see suspicions.py."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rooftop.diagnose import cures
from rooftop.diagnose.facts import Facts, ThreadFacts
from rooftop.diagnose.suspicion import Suspicion

_OF_ONE = 0.8  # of a process's page faults, from which on one thread touched its memory
_LEAST_FAULTS = 16384  # 64 MiB of pages of 4 KiB: less fits into caches


def toucher(threads: Sequence[ThreadFacts]) -> ThreadFacts | None:
    """Return the thread of a process that touched nearly all of its memory; None if several did, or there is little."""
    faults = sum(one.faults for one in threads)
    most = max(threads, key=lambda one: one.faults, default=None)
    if most is None or len(threads) < 2 or faults < _LEAST_FAULTS or most.faults < _OF_ONE * faults:
        return None
    return most


def first_touch(facts: Facts) -> Iterator[Suspicion]:
    """Yield that the memory of several threads lies on one of several nodes."""
    if facts.nodes < 2:
        return
    of_process: dict[int, list[ThreadFacts]] = {}
    for thread in facts.threads:
        of_process.setdefault(thread.process, []).append(thread)
    for threads in of_process.values():
        if (most := toucher(threads)) is None:
            continue
        together_s = sum(facts.levels[2:])
        yield Suspicion(
            "first touch",
            together_s * (1 - 1 / facts.nodes),
            f"one of {len(threads)} threads had {most.faults:,} of {sum(one.faults for one in threads):,} page faults: "
            f"the memory lies on its node, one of {facts.nodes}",
            "initialise arrays in parallel, each part by the thread that uses it",
            (cures.INTERLEAVE,),
            stands=False,
        )
        return
