"""Times of layers as campaigns measured them, kept for each kind of core: `recorded/NAME.json`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from benchmarks.conv_bounds.stages import Layer
from benchmarks.memory import memory_of
from rooftop.documents import CaseResult, ClimbDocument
from rooftop.measure.limits import fma_peak

RECORDED = Path(__file__).with_name("recorded")
SOLVER = "99-solver"
#: Of the experiment, where layers stand in blocks of channels with a filter transformed beforehand.
SIZES = ("network", "network_avx2")
_FAMILY = re.compile(r"family (\d+),? model (\d+)")


class Time(BaseModel):
    """A layer's time by the solver, the algorithm that it took, and its best peer.

    fastest  seconds of the fastest run; None: only the median is known
    """

    model_config = ConfigDict(extra="forbid")

    case: str
    layer: Layer
    algorithm: str
    seconds: float
    fastest: float | None = None
    roof_fraction: float | None = None
    peer: str | None = None
    peer_algorithm: str | None = None
    times_as_fast: float | None = None


class Size(BaseModel):
    """A size of the experiment, with the roofs of its campaign: flop/s and bytes a second of all cores.

    note  a sentence on how it was measured
    """

    model_config = ConfigDict(extra="forbid")

    size: str
    date: str
    note: str = ""
    lanes: int
    peak: float
    memory: float
    layers: list[Time]


class Measured(BaseModel):
    """What was measured on a processor. l3_bytes: of all its L3 caches."""

    model_config = ConfigDict(extra="forbid")

    processor: str
    cores: int
    l3_bytes: int
    sizes: list[Size]

    @property
    def family_and_model(self) -> tuple[int, int]:
        """CPUID family and model; (0, 0) if the record has none."""
        found = _FAMILY.search(self.processor)
        return (int(found[1]), int(found[2])) if found else (0, 0)


def recorded() -> list[Measured]:
    """Return what was recorded, in order of the files' names."""
    files = sorted(RECORDED.glob("*.json"))
    return [Measured.model_validate_json(file.read_text(encoding="utf-8")) for file in files]


def measured(document: ClimbDocument) -> Measured:
    """Return the solver's times of a campaign of one of SIZES. Raises ValueError: of another, or without its roofs."""
    machine, size = document.machine, ", ".join(experiment.size for experiment in document.experiments)
    if size not in SIZES:
        raise ValueError(f"campaign {document.campaign} has size '{size}': expected one of {', '.join(SIZES)}")
    isa = "avx2" if size == "network_avx2" or "avx512" not in machine.isas else "avx512"
    peak, memory = fma_peak(machine.roofs, machine.cores, "fp32", isa), memory_of(machine)
    if peak is None or memory is None:
        raise ValueError(f"campaign {document.campaign} has no peak of multiply-adds or no memory bandwidth")
    times = [time for experiment in document.experiments for case in experiment.cases for time in _time(case)]
    lanes = 16 if isa == "avx512" else 8
    date = str(document.started)[:10]
    found = Size(size=size, date=date, lanes=lanes, peak=peak, memory=memory.rate, layers=times)
    return Measured(processor=machine.processor, cores=machine.cores, l3_bytes=round(memory.l3_bytes), sizes=[found])


def _time(case: CaseResult) -> Sequence[Time]:
    own = next((rung for rung in case.rungs if rung.name == SOLVER and rung.median_s is not None), None)
    if own is None or own.median_s is None or own.algorithm is None:
        return []
    best = own.vs_best_peer
    peer = next((rung for rung in case.rungs if best is not None and rung.name == best.against), None)
    sizes = {name: int(case.parameters[name]) for name in ("c", "h", "w", "k", "n")}
    return [
        Time(
            case=case.case,
            layer=Layer(**sizes),
            algorithm=own.algorithm,
            seconds=own.median_s,
            fastest=min(own.samples_s, default=None),
            roof_fraction=own.roof_fraction,
            peer=None if peer is None else peer.name,
            peer_algorithm=None if peer is None else peer.algorithm,
            times_as_fast=None if best is None else best.ratio,
        )
    ]
