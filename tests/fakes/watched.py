"""Samples real programs until enough was seen of them: no test waits for a clock."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from rooftop.machine import SystemFiles
from rooftop.machine.topology import places
from rooftop.observe.recording import Recording
from rooftop.observe.sampler import Sampler
from rooftop.observe.threads import Ground, scene
from rooftop.pin.findings import Placement, found

Enough = Callable[[Recording], bool]
Watch = Callable[[Sequence[str], Enough, Mapping[str, str]], Recording]


class UntilEnough(Sampler):
    """Samples, and touches a file when it has seen enough."""

    def __init__(self, stop: Path, enough: Enough) -> None:
        super().__init__()
        self._stop = stop
        self._enough = enough

    def look(self, roots: Iterable[int]) -> None:
        super().look(roots)
        if not self._stop.exists() and self._enough(self.recording):
            self._stop.touch()


def looked(number: int, comm: str, threads: int) -> Enough:
    """Return what holds when so many threads of that name were each looked at so often."""

    def enough(recording: Recording) -> bool:
        named = [thread for thread, facts in recording.facts.items() if facts.comm == comm]
        counts = [sum(thread in look.seen for look in recording.looks) for thread in named]
        return sum(count >= number for count in counts) >= threads

    return enough


def findings(recording: Recording) -> list[Placement]:
    """Return what is found; other programs' use of the CPUs, which is not the test's doing, is left out."""
    return found(Ground(scene(recording), places(SystemFiles(), os.sched_getaffinity(0))))
