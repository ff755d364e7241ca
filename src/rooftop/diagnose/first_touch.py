"""Suspect memory that one thread touched first, so that it lies on that thread's NUMA node: see suspicions.py."""

from __future__ import annotations

from collections.abc import Iterator

from rooftop.diagnose import cures
from rooftop.diagnose.facts import Facts
from rooftop.diagnose.suspicion import Suspicion

_OF_ONE = 0.8  # of a process's page faults, from which on one thread touched its memory
_LEAST_FAULTS = 16384  # 64 MiB of pages of 4 KiB: less fits into caches


def first_touch(facts: Facts) -> Iterator[Suspicion]:
    """Yield that the memory of several threads lies on one of several nodes."""
    if facts.nodes < 2:
        return
    of_process: dict[int, list[int]] = {}
    for thread in facts.threads:
        of_process.setdefault(thread.process, []).append(thread.faults)
    for faults in of_process.values():
        if len(faults) < 2 or sum(faults) < _LEAST_FAULTS or max(faults) < _OF_ONE * sum(faults):
            continue
        together_s = sum(facts.levels[2:])
        yield Suspicion(
            "first touch",
            together_s * (1 - 1 / facts.nodes),
            f"one of {len(faults)} threads had {max(faults):,} of {sum(faults):,} page faults: "
            f"the memory lies on its node, one of {facts.nodes}",
            "initialise arrays in parallel, each part by the thread that uses it",
            (cures.INTERLEAVE,),
            stands=False,
        )
        return
