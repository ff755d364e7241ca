"""The samples themselves: a high noise floor, several speeds, coarse steps, a trend."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from statistics import median

from rooftop.documents import Doubt
from rooftop.doubts import Evidence
from rooftop.measure.shape import speeds, steps, strip, trend

ORDER = 40

_HIGH_FLOOR = 0.02

Values = Sequence[float]


def _high_floor(evidence: Evidence) -> Iterator[Doubt]:
    if evidence.floor == math.inf:
        if any(True for _ in evidence.timed()):
            yield Doubt(
                doubt="The noise floor could not be measured",
                evidence="no two drivers of one rung were sampled in pairs",
                remedy="Give a larger --budget, or free memory so that a second driver fits",
            )
    elif evidence.floor > _HIGH_FLOOR:
        rungs = bool(evidence.document.experiments)
        more = "larger cases" if rungs else "the commands more work"
        yield Doubt(
            doubt="Two drivers of the same rung differ" if rungs else "Runs of the same command differ",
            evidence=f"A/A floor {evidence.floor:.1%}: smaller effects are not claimed",
            remedy=f"Quieten the machine (governor, other programs, SMT neighbours), or give {more}",
        )


def _several_speeds(name: str, values: Values) -> str | None:
    if (two := speeds(values)) is None:
        return None
    return f"{name} {strip(values)} {two.slow_share:.0%} of the runs take {two.slow / two.fast:.3g}× the others' value"


def _coarse_steps(name: str, values: Values) -> str | None:
    if (step := steps(values)) is None:
        return None
    return f"{name} {strip(values)} in steps of {step / median(values):.2g} of its median"


def _drift(name: str, values: Values) -> str | None:
    if (change := trend(values)) is None:
        return None
    return f"{name}: the last third of {len(values)} runs {change:+.0%} on the first"


# What is seen in a series, how it is told, and what to do.
_SHAPES: tuple[tuple[str, Callable[[str, Values], str | None], str], ...] = (
    (
        "Runs of one program have several speeds",
        _several_speeds,
        "Find what differs between the runs (addresses, cores, what a cache holds); the mean is judged beside "
        "the median, and takes many more pairs",
    ),
    (
        "Values come in coarse steps",
        _coarse_steps,
        "Give the command more work, or let it print more digits: a smaller difference shows in the mean only, and "
        "takes many more pairs",
    ),
    (
        "Values changed from run to run",
        _drift,
        "If a run leaves something behind (a file that grows, a full cache), restore it before each with --prepare; if "
        "all commands changed alike, the machine did: wait, and measure again",
    ),
)


def find(evidence: Evidence) -> Iterator[Doubt]:
    yield from _high_floor(evidence)
    for doubt, tell, remedy in _SHAPES:
        told = [line for name, values in evidence.each_series() if (line := tell(name, values)) is not None]
        yield from Doubt.about_all(doubt, told, remedy, between="; ")
