"""The ladder of a target's cases, rung by rung: the time taken beside the bytes and operations of each rung's model."""

from __future__ import annotations

from collections.abc import Sequence

from rooftop.documents import CaseResult, Machine, RungResult
from rooftop.driver.protocol import Work
from rooftop.files.document import Document
from rooftop.measure.limits import bandwidth, fma_peak, operations
from rooftop.report.ladder import measured


class StepRow(Document):
    """One rung on one case.

    times_as_fast   as the lowest rung that has a time, by the medians
    memory_bytes    that its model moves
    memory_s        what these take at the memory's speed
    compute_s       what its operations take at the peak of FMA instructions
    """

    case: str
    rung: str
    seconds: float
    times_as_fast: float
    memory_bytes: float | None = None
    memory_s: float | None = None
    compute_s: float | None = None
    roof_fraction: float | None = None


def _over(amount: float, rate: float | None) -> float | None:
    return amount / rate if rate and amount > 0 else None


def _row(case: CaseResult, rung: RungResult, lowest_s: float, speed: float | None, peak: float | None) -> StepRow:
    work = Work.model_validate(rung.work or {})
    seconds = rung.median_s or 0.0
    return StepRow(
        case=case.case,
        rung=rung.name,
        seconds=seconds,
        times_as_fast=lowest_s / seconds,
        memory_bytes=work.memory_bytes or None,
        memory_s=_over(work.memory_bytes, speed),
        compute_s=_over(operations(work), peak),
        roof_fraction=rung.roof_fraction,
    )


def steps(
    cases: Sequence[CaseResult], machine: Machine, threads: int, precision: str, isa: str | None
) -> list[StepRow]:
    """Return the rungs of these cases that have a time, from the lowest one on."""
    speed, peak = bandwidth(machine.roofs, "memory", threads), fma_peak(machine.roofs, threads, precision, isa)
    rows = []
    for case in cases:
        rungs = measured(case.rungs, "rung")
        lowest_s = rungs[0].median_s or 0.0 if rungs else 0.0
        rows += [_row(case, rung, lowest_s, speed, peak) for rung in rungs]
    return rows
