"""Fewer threads than asked for, or several bound to one core."""

from collections.abc import Iterator

from rooftop.documents import Doubt
from rooftop.doubts import Evidence
from rooftop.text.plural import plural, some

ORDER = 80


def find(evidence: Evidence) -> Iterator[Doubt]:
    odd: list[str] = []
    for name, experiment, rung in evidence.timed():
        if not rung.binding or rung.kind != "rung":
            continue
        cores = {core for thread in rung.binding for core in thread}
        asked = rung.threads or experiment.threads
        if len(rung.binding) != asked:
            odd.append(f"{name} has {len(rung.binding)} threads, asked for {asked}")
        elif len(cores) < min(asked, evidence.document.machine.cores):
            odd.append(f"{name} has {asked} threads on {plural(len(cores), 'core')}")
    if odd:
        yield Doubt(
            doubt="Threads were not bound as asked",
            evidence=some(odd),
            remedy="Check taskset, cgroup cpusets and OMP_ variables, or give --threads",
        )
