"""Figures other than the rate: time to solution, quality reached in a given time, and what else rungs report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rooftop.documents import CaseResult, Comparison, ExperimentResult, RungResult
from rooftop.report.ladder import best_peer, measured
from rooftop.text import quantities

TIME = "time"


@dataclass(frozen=True)
class Reached:
    """What a program reached: "1.2 ms", or "4.9 % after 1.2 ms"."""

    name: str
    text: str


@dataclass(frozen=True)
class CaseMerit:
    """One case: what the top rung, the best peer and the first rung reached.

    vs_peer  speed of the top rung relative to that peer; None where quality is compared
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
    """The table of an experiment, titled "Time to solution" or "Excess after the time of one run"."""

    title: str
    cases: list[CaseMerit]


def _measure(experiment: ExperimentResult, case: CaseResult) -> str | None:
    """Return the first figure of merit that is TIME or reported by a program on this case; None if there is none."""
    told = {name for rung in case.rungs for name in rung.figures or {}}
    return next((name for name in experiment.merit if name == TIME or name in told), None)


def _quality(rung: RungResult, measure: str) -> float | None:
    return (rung.figures or {}).get(measure)


def _reached(rung: RungResult, measure: str) -> Reached:
    seconds = quantities.seconds(rung.median_s)
    value = _quality(rung, measure)
    if measure == TIME:
        return Reached(rung.name, seconds)
    return Reached(rung.name, f"{written(measure, value) if value is not None else 'not reported'} after {seconds}")


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
    """Return the table; None if the rate is the figure of merit, or no rung has a time."""
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


_FORMS: dict[str, Callable[[float], str]] = {  # by the end of a figure's name; the first match is used
    "_ns_per_step": lambda value: quantities.seconds(value * 1e-9),
    "_ns": lambda value: quantities.seconds(value * 1e-9),
    "_bytes": quantities.size,
    "_percent": lambda value: quantities.percent(value / 100),
}


@dataclass(frozen=True)
class Beside:
    """A table, as text, of the figures that rungs report in addition to their time: one row per rung."""

    titles: list[str]
    rows: list[tuple[str, list[str]]]


def title(name: str) -> str:
    """Return a figure's title: "excess" for "excess_percent", "scan per step" for "scan_ns_per_step"."""
    end = next((end for end in _FORMS if name.endswith(end)), "")
    return name.removesuffix(end).replace("_", " ") + (" per step" if end == "_ns_per_step" else "")


def written(name: str, value: float) -> str:
    """Return a figure as text, in the unit that its name ends with; without one it is a count."""
    for end, form in _FORMS.items():
        if name.endswith(end):
            return form(value)
    return quantities.whole(round(value)) if value == round(value) else quantities.number(value)


def beside_time(case: CaseResult) -> Beside | None:
    """Return the table of a case, without figures that are 0 for all rungs; None if nothing remains."""
    told: Sequence[tuple[str, dict[str, float]]] = [(rung.name, rung.figures) for rung in case.rungs if rung.figures]
    names = [
        name
        for name in dict.fromkeys(name for _, figures in told for name in figures)
        if any(figures.get(name) for _, figures in told)
    ]
    if not names:
        return None
    rows = [
        (rung, [written(name, figures[name]) if name in figures else quantities.ABSENT for name in names])
        for rung, figures in told
    ]
    return Beside([title(name) for name in names], rows)
