"""The figure of merit where it is not the rate: the time to solution, or the quality that is reached after a time."""

from __future__ import annotations

from dataclasses import dataclass

from rooftop.documents import CaseResult, Comparison, ExperimentResult, RungResult
from rooftop.report.ladder import best_peer, measured
from rooftop.report.rung_figures import title, written
from rooftop.text import quantities

TIME = "time"


@dataclass(frozen=True)
class Reached:
    """What one program reached: "1.2 ms", or "4.9 % after 1.2 ms"."""

    name: str
    text: str


@dataclass(frozen=True)
class CaseMerit:
    """One case: what the top rung, the best peer and the first rung reached.

    vs_peer  how many times as fast as that peer the top rung is; None where the quality is compared
    """

    case: str
    top: Reached
    peer: Reached | None
    first: Reached | None
    vs_peer: Comparison | None

    @property
    def sentence(self) -> str:
        """The case in one line."""
        told = [f"{self.top.name} {self.top.text}"]
        told += [f"{one.name} {one.text}" for one in (self.peer, self.first) if one is not None]
        return f"{self.case}: {', '.join(told)}"


@dataclass(frozen=True)
class Merit:
    """The table of an experiment.

    title  what it shows: "Time to solution", "Excess after the time of one run"
    """

    title: str
    cases: list[CaseMerit]


def _measure(experiment: ExperimentResult, case: CaseResult) -> str | None:
    """Return TIME, or the first of the experiment's figures that a program of the case tells; None: it tells none."""
    told = {name for rung in case.rungs for name in rung.figures or {}}
    return next((name for name in experiment.merit if name == TIME or name in told), None)


def _quality(rung: RungResult, measure: str) -> float | None:
    return (rung.figures or {}).get(measure)


def _reached(rung: RungResult, measure: str) -> Reached:
    seconds = quantities.seconds(rung.median_s)
    value = _quality(rung, measure)
    if measure == TIME:
        return Reached(rung.name, seconds)
    return Reached(rung.name, f"{written(measure, value) if value is not None else 'not told'} after {seconds}")


def _case_merit(case: CaseResult, measure: str) -> CaseMerit | None:
    ladder = measured(case.rungs, "rung")
    if not ladder:
        return None
    top, first = ladder[-1], ladder[0]
    if measure == TIME:
        peer = best_peer(case)
    else:
        told = [one for one in measured(case.rungs, "peer") if _quality(one, measure) is not None]
        peer = min(told, key=lambda one: (_quality(one, measure), one.median_s), default=None)
    return CaseMerit(
        case.case,
        _reached(top, measure),
        _reached(peer, measure) if peer is not None else None,
        _reached(first, measure) if first is not top else None,
        top.vs_best_peer if measure == TIME else None,
    )


def merit_of(experiment: ExperimentResult) -> Merit | None:
    """Return the table; None where the rate is the figure of merit, or no program of any case has reached anything."""
    measures = [_measure(experiment, case) for case in experiment.cases]
    found = [
        line
        for case, measure in zip(experiment.cases, measures, strict=True)
        if measure is not None and (line := _case_merit(case, measure)) is not None
    ]
    if not found:
        return None
    names = [name for name in dict.fromkeys(measures) if name is not None]
    quality = " or ".join(title(name) for name in names)
    titled = "Time to solution" if names == [TIME] else f"{quality[0].upper()}{quality[1:]} after the time of one run"
    return Merit(titled, found)
