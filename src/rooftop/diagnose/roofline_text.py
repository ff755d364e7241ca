"""Describe a roofline point and what it means, in lines of text."""

from __future__ import annotations

from rooftop.diagnose.roofline import Roofline, RoofPoint
from rooftop.text.plural import plural
from rooftop.text.quantities import percent, quantity

_NEAR = 0.6  # of the roof
_ABOVE = 1.05
_IN_TURN = 0.995  # of the time
_ROOFS = {"compute": "arithmetic", "memory": "memory"}
_MEANS = {
    "memory": "near the roof of memory: fewer bytes for each operation help, faster arithmetic does not",
    "compute": "near the roof of arithmetic: only fewer operations help",
}
_FAR = "far below its roof: latency, waiting, narrow instructions or a cache hold it back"
_HALF = "bytes from memory are not known: it may be memory that holds it back"
_TOO_HIGH = "above its roof: measure the roofs anew (rooftop probe --refresh), or what was counted is wrong"
NO_ROOFS = "the machine's roofs are not known: run rooftop probe"


def _reached(share: float | None, *, at_least: bool) -> str:
    return f"{'at least' if at_least else 'about'} {percent(share)}"


def point_text(point: RoofPoint, *, twice: bool) -> str:
    """Return a point beside its roof. `twice`: whether some bytes may be counted twice."""
    at = f" at {quantity(point.intensity, 'flop/byte')}" if point.intensity is not None else ""
    told = f"{quantity(point.rate, 'flop/s')}{at}"
    if point.by is None:
        return told
    by = _ROOFS[point.by]
    reached = _reached(point.reached, at_least=point.by != "memory" or not twice)
    return f"{told}: {reached} of the roof of {by}, {quantity(point.roof, 'flop/s')}"


def meaning(point: RoofPoint) -> str:
    """Return what a point means."""
    if point.reached is None or point.by is None:
        return NO_ROOFS
    if point.reached > _ABOVE:
        return _TOO_HIGH
    if point.reached >= _NEAR:
        return _MEANS[point.by]
    return _FAR if point.memory_bytes is not None else _HALF


def memory_text(found: Roofline) -> str | None:
    """Return the traffic from memory; None if it is not known."""
    if found.memory_bytes is None:
        return None
    rate = found.memory_bytes / found.seconds
    told = f"{quantity(rate, 'byte/s')} read from memory"
    if not found.bandwidth:
        return told
    reached = _reached(rate / found.bandwidth, at_least=not found.twice)
    return f"{told}, {reached} of {quantity(found.bandwidth, 'byte/s')}"


def remarks(found: Roofline) -> list[str]:
    """Return what limits the figures."""
    told = []
    if found.points and found.peaks and not found.precision_counted:
        told.append("precision is not counted: the roof is that of fp32, twice that of fp64")
    if found.twice and found.memory_bytes:
        told.append(
            "lines that a prefetcher of the L1 cache fetches may be counted twice here (Zen 2 and 3), and those that "
            "are written back are not counted: shares of memory's roof are no bounds"
        )
    if found.least < _IN_TURN:
        told.append(f"events were counted in turn, each in at least {percent(found.least)} of the time, and scaled")
    return told


def lines(found: Roofline) -> list[str]:
    """Return the lines of the diagnosis."""
    told = []
    if found.without_point is not None:
        told.append(f"no point: {found.without_point}")
    for place, point in enumerate(found.points):
        of = f"in {point.name}, {percent(point.share)} of the time: " if point.share is not None else ""
        told.append(f"{of}{point_text(point, twice=found.twice)}")
        if place == 0:
            told.append(f"{plural(found.threads, 'thread')}; {meaning(point)}")
    if found.kinds:
        told.append(f"operations: {', '.join(f'{percent(share)} {kind}' for kind, share in found.kinds.items())}")
    if (memory := memory_text(found)) is not None:
        told.append(memory)
    return [f"roofline: {line}" for line in [*told, *remarks(found)]]
