"""The machine's roofs for the report: the highest measured with the experiment's number of threads."""

from __future__ import annotations

from collections.abc import Sequence

from rooftop.documents import CaseResult, ExperimentResult, Machine, Roof
from rooftop.measure import limits

LEVELS = ("L1", "L2", "L3", "L4", "memory", "page cache", "device")


def peaks_by_isa(roofs: Sequence[Roof], threads: int, precision: str) -> dict[str, float]:
    """Return the FMA peaks in flop/s by instruction set, the slowest first."""
    peaks = {}
    for isa in dict.fromkeys(roof.isa for roof in roofs if roof.metric == "fma"):
        if peak := limits.fma_peak([roof for roof in roofs if roof.isa == isa], threads, precision):
            peaks[isa or "FMA"] = peak
    return dict(sorted(peaks.items(), key=lambda item: item[1]))


def compute_peaks(machine: Machine, experiment: ExperimentResult) -> dict[str, float]:
    """Return the FMA peaks in flop/s by instruction set, for an experiment's threads and precision."""
    return peaks_by_isa(machine.roofs, experiment.threads, experiment.precision)


def bandwidths(machine: Machine, experiment: ExperimentResult) -> dict[str, float]:
    """Return the best bandwidth of each level in byte/s, nearest the core first; with the device's for cold cases."""
    found = {
        level: limits.bandwidth(machine.roofs, level, experiment.threads)
        for level in dict.fromkeys(roof.level for roof in machine.roofs if roof.metric in limits.BANDWIDTHS)
        if level
    }
    if rate := device_rate(machine, experiment):
        found["device"] = rate
    known = {level: rate for level, rate in found.items() if rate}
    return dict(sorted(known.items(), key=lambda item: LEVELS.index(item[0]) if item[0] in LEVELS else len(LEVELS)))


def device_rate(machine: Machine, experiment: ExperimentResult) -> float | None:
    """Return the best read rate, in byte/s, of the device that all cold cases read; None if there is no such device."""
    cold = {case.cold_on for case in experiment.cases if case.cold_on is not None}
    return limits.device_rate(machine.roofs, cold.pop()) if len(cold) == 1 else None


def fma_peak(machine: Machine, experiment: ExperimentResult, case: CaseResult | None = None) -> float | None:
    """Return the highest FMA peak, in flop/s, of the instruction sets that a case, or the experiment, may use."""
    isa = case.isa if case is not None else experiment.isa
    return limits.fma_peak(machine.roofs, experiment.threads, experiment.precision, isa)
