"""Rungs whose limit is missing or too low, or that were not bound, or not cold, as asked."""

from __future__ import annotations

from collections.abc import Iterator

from rooftop.documents import Doubt, ExperimentResult, RungResult
from rooftop.doubts import Evidence
from rooftop.text.plural import plural
from rooftop.text.quantities import size

ORDER = 50

_OVER_ROOF = 1.02
_ENOUGH = 0.9  # of the bytes that a cold run was to read from the device


def _short(rung: RungResult) -> str | None:
    """Return how much came from storage where that is too little; None where it is enough or not known."""
    asked, read = (rung.work or {}).get("device_bytes") or 0.0, (rung.figures or {}).get("storage_read_bytes")
    return f"{size(read)} of {size(asked)}" if read is not None and read < _ENOUGH * asked else None


def _not_cold(evidence: Evidence) -> list[str]:
    return [
        f"{experiment.name}/{case.case}/{rung.name} {told}"
        for experiment in evidence.document.experiments
        for case in experiment.cases
        if case.cold_on is not None
        for rung in case.rungs
        if rung.median_s is not None and (told := _short(rung)) is not None
    ]


def _bound_otherwise(evidence: Evidence) -> Iterator[str]:
    for name, experiment, rung in evidence.timed():
        if not rung.binding or rung.kind != "rung":
            continue
        cores = {core for thread in rung.binding for core in thread}
        asked = rung.threads or experiment.threads
        if len(rung.binding) != asked:
            yield f"{name} has {len(rung.binding)} threads, asked for {asked}"
        elif len(cores) < min(asked, evidence.document.machine.cores):
            yield f"{name} has {asked} threads on {plural(len(cores), 'core')}"


def _needs_none(experiment: ExperimentResult, rung: RungResult) -> bool:
    """Return whether a rung needs no roof: the rate is not the figure of merit, and no work is stated."""
    return bool(experiment.merit) and not any(
        (rung.work or {}).get(name) for name in ("fma_flops", "add_flops", "memory_bytes", "device_bytes")
    )


def find(evidence: Evidence) -> Iterator[Doubt]:
    timed = [(name, rung) for name, _, rung in evidence.timed()]
    yield from Doubt.about_all(
        "A rung is faster than its own roof",
        [f"{name} {rung.roof_fraction:.0%}" for name, rung in timed if (rung.roof_fraction or 0.0) > _OVER_ROOF],
        "Check the rung's work() and which level holds its data, then measure again: rooftop probe --refresh",
    )
    yield from Doubt.about_all(
        "Cold runs were not cold",
        _not_cold(evidence),
        "Use files on a local disk ('rooftop doctor' shows where), and let no other program read or map them",
        lead="read from storage, by /proc/self/io: ",
    )
    yield from Doubt.about_all(
        "Threads were not bound as asked",
        list(_bound_otherwise(evidence)),
        "Check taskset, cgroup cpusets and OMP_ variables, or give --threads",
    )
    yield from Doubt.about_all(
        "Some rungs stand beside no limit",
        [
            name
            for name, experiment, rung in evidence.timed()
            if rung.limit is None and rung.kind == "rung" and not _needs_none(experiment, rung)
        ],
        "Measure the machine (rooftop probe), and state in the rung's work() what it does",
    )
