"""The roofline point of a program and of its hot functions: what they reach of what the machine could do at most.

    rate <= min(peak of multiply-adds, operations / bytes from memory * bandwidth of memory)

Counted are the bytes that come from memory, not those that are written back: the roof is never too low for that, and
what is reached of it is at least what is told. Where a processor counts some bytes twice, this holds below the roof of
arithmetic only.

Source: Williams, Waterman, Patterson: Roofline (2009).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import Field

from rooftop.documents import Roof
from rooftop.files.document import Document
from rooftop.measure.limits import bandwidth, fma_peak
from rooftop.observe.operation_events import LINE_BYTES, TWICE
from rooftop.observe.operations import Counted, Function
from rooftop.observe.profile import HotFunction
from rooftop.report.roofs import peaks_by_isa

_FEW = 0.01  # operations for each instruction: with fewer a program does not compute in floating point
_MOSTLY = 0.9  # of all operations
_HOT = 0.05  # of the time: what a function must have
_MOST_FUNCTIONS = 5
_PROGRAM = "the program"


class RoofPoint(Document):
    """A program, or one of its functions, by what it did. Rates and roofs in flop/s.

    share      of the time; None: the whole run
    seconds    of a function: its processor time, divided among the threads
    intensity  operations for each byte from memory; None where these are not known, or none
    roof       at this intensity; by: what sets it, "compute" or "memory"; reached: the share of it
    """

    name: str
    file: str | None = None
    share: float | None = None
    seconds: float
    flops: float
    memory_bytes: float | None = None
    rate: float
    intensity: float | None = None
    roof: float | None = None
    by: str | None = None
    reached: float | None = None


class Roofline(Document):
    """What was counted, below the machine's roofs.

    events     counts of the whole run, by the names of perf
    least      smallest share of the time in which an event was counted
    threads    for which the roofs are
    precision  "fp64" or "fp32"; counted: whether the events tell; else the roof is the higher one, of fp32
    kinds      shares of the operations, by precision and by width
    peaks      compute roofs in flop/s by instruction set; bandwidth: of memory, in byte/s
    twice      whether some bytes from memory may be counted twice
    points     of the program and of its functions; without_point: why there is none
    """

    events: dict[str, float]
    least: float
    seconds: float
    threads: int
    precision: str
    precision_counted: bool
    kinds: dict[str, float] = Field(default_factory=dict)
    peaks: dict[str, float] = Field(default_factory=dict)
    bandwidth: float | None = None
    memory_bytes: float | None = None
    twice: bool = False
    points: list[RoofPoint] = Field(default_factory=list)
    without_point: str | None = None


@dataclass(frozen=True)
class _Part:
    """Operations, bytes from memory (None: not known) and seconds of a program, or of a function of it."""

    flops: float
    memory_bytes: float | None
    seconds: float

    def below(self, peak: float | None, memory: float | None, name: str, hot: HotFunction | None = None) -> RoofPoint:
        """Return the point below the lower one of the roofs that are known, in flop/s and byte/s."""
        intensity = self.flops / self.memory_bytes if self.memory_bytes else None
        roofs = {"compute": peak, "memory": intensity * memory if intensity is not None and memory else None}
        known = {by: value for by, value in roofs.items() if value}
        by = min(known, key=lambda one: known[one], default=None)
        rate = self.flops / self.seconds
        return RoofPoint(
            name=name,
            file=hot.file if hot is not None else None,
            share=hot.share if hot is not None else None,
            seconds=self.seconds,
            flops=self.flops,
            memory_bytes=self.memory_bytes,
            rate=rate,
            intensity=intensity,
            roof=known[by] if by is not None else None,
            by=by,
            reached=rate / known[by] if by is not None else None,
        )


def _kinds(counted: Counted, total: float) -> dict[str, float]:
    """Return the shares of operations by precision and by width, where events distinguish them."""
    found: dict[str, float] = {}
    for one, count in counted.flops.items():
        for kind in (one.precision, one.width):
            if kind is not None and count > 0:
                found[kind] = found.get(kind, 0.0) + count * one.flops / total
    return found


def _precision(kinds: Mapping[str, float]) -> tuple[str, bool]:
    """Return the precision whose roof no operation is above, and whether it was counted."""
    told = "fp64" in kinds or "fp32" in kinds
    return ("fp64" if kinds.get("fp64", 0.0) >= _MOSTLY else "fp32"), told


def _without(counted: Counted, total: float) -> str | None:
    """Return why what was counted is no point; None if it is one."""
    if not counted.flops:
        return "floating-point operations are not known"
    if total == 0:
        return "no floating-point operations were counted: a roofline tells nothing about this program"
    if counted.instructions and total < _FEW * counted.instructions:
        return (
            f"{total:.3g} floating-point operations in {counted.instructions:.3g} instructions: "
            "a roofline tells nothing about this program"
        )
    return None


def _of_function(one: HotFunction, counted: Counted, seconds: float) -> _Part | None:
    """Return what a function did; None if it has no share of the operations."""
    key: Function = (one.file, one.function)

    def part(event: str) -> float:
        return counted.events[event] * counted.functions.get(event, {}).get(key, 0.0)

    flops = sum(operations.flops * part(operations.event) for operations in counted.flops)
    known = counted.memory_bytes is not None
    return _Part(flops, LINE_BYTES * sum(map(part, counted.memory)) if known else None, seconds) if flops > 0 else None


def roofline(counted: Counted, hot: Sequence[HotFunction], threads: int, roofs: Sequence[Roof]) -> Roofline:
    """Return what was counted of a command whose busy threads are so many, below the machine's roofs."""
    finished, total = counted.finished, sum(one.flops * count for one, count in counted.flops.items())
    kinds = _kinds(counted, total) if total > 0 else {}
    precision, told = _precision(kinds)
    found = Roofline(
        events=dict(counted.events),
        least=counted.least,
        seconds=max(finished.elapsed_ns, 1) * 1e-9,
        threads=threads,
        precision=precision,
        precision_counted=told,
        kinds=kinds,
        peaks=peaks_by_isa(roofs, threads, precision),
        bandwidth=bandwidth(roofs, "memory", threads),
        memory_bytes=counted.memory_bytes,
        twice=TWICE in counted.memory,
        without_point=_without(counted, total),
    )
    if found.without_point is not None:
        return found
    # Where perf hides the kernel, samples are those of the user's time.
    sampled_s = finished.user_s + (finished.system_s if any(one.kernel for one in hot) else 0.0)
    peak = fma_peak(roofs, threads, precision)
    found.points = [_Part(total, counted.memory_bytes, found.seconds).below(peak, found.bandwidth, _PROGRAM)]
    for one in hot if sampled_s > 0 else ():
        if one.kernel or one.share < _HOT or len(found.points) > _MOST_FUNCTIONS:
            continue
        part = _of_function(one, counted, one.share * sampled_s / threads)
        if part is not None:
            found.points.append(part.below(peak, found.bandwidth, one.function, one))
    return found
