"""One section per experiment: overview of the cases, staircase, roofline, and what each rung added."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from rooftop.documents import CaseResult, ClimbDocument, ExperimentResult, Machine, RungResult
from rooftop.driver.timeline import events_in
from rooftop.report.figures.roofline import ladder_points, roofline, top_points
from rooftop.report.figures.staircase import staircase
from rooftop.report.figures.style import Figure
from rooftop.report.figures.timeline import figure as timeline
from rooftop.report.ladder import (
    Gain,
    Step,
    best_peer,
    by_name,
    gain,
    measured,
    noise_floor,
    reason_of,
    step,
    total_steps,
)
from rooftop.report.merit import Beside, beside_time
from rooftop.report.roofs import fma_peak
from rooftop.report.sections import Section

ORDER = 20


@dataclass(frozen=True)
class CaseLine:
    """A row of the overview of the cases."""

    case: CaseResult
    view: str
    top: RungResult | None
    gain: float | None
    over: str  # the rung that the gain refers to, if not the ladder's first
    best_peer: RungResult | None
    outcomes: dict[str, int]


@dataclass(frozen=True)
class TotalLine:
    """A rung over all cases: its gain is from the totals, the verdicts are those of the single cases."""

    step: Step
    idea: str
    gain: Gain | None
    verdicts: dict[str, int]


@dataclass(frozen=True)
class Ranks:
    """The timeline of a rung's ranks."""

    rung: str
    count: int
    figure: Figure


@dataclass(frozen=True)
class View:
    """What the page shows for one case, or for all together. Figures are None if there is nothing to draw."""

    name: str
    title: str
    staircase: Figure | None
    roofline: Figure | None
    summary: str
    peak: float | None
    exceeds_peak: bool
    partial: bool  # whether some bar covers fewer cases than the others
    kinds: list[str]  # in the staircase: "rung", "peer"
    floor: float | None = None
    case: CaseResult | None = None
    lines: list[TotalLine] = field(default_factory=list)
    timelines: list[Ranks] = field(default_factory=list)
    beside: Beside | None = None


def _summary(steps: list[Step], unit: str) -> str:
    """Return the text alternative of the staircase."""
    parts = [f"{found.name} {found.rate:.3g}" if found.rate else f"{found.name} {found.outcome}" for found in steps]
    return f"Rates in {unit}: {', '.join(parts)}." if parts else "There are no rungs."


def _peak(experiment: ExperimentResult, machine: Machine, case: CaseResult | None = None) -> float | None:
    """Return the FMA peak for a case, or for all, in the experiment's unit; None if that does not count flops."""
    peak = fma_peak(machine, experiment, case)
    return peak / experiment.rate_scale if peak and "FLOP" in experiment.rate_unit.upper() else None


def _steps_view(steps: list[Step], unit: str, peak: float | None) -> dict[str, Any]:
    drawable = any(found.rate for found in steps)
    return {
        "staircase": staircase(steps, unit, peak) if drawable else None,
        "summary": _summary(steps, unit),
        "peak": peak,
        "partial": any(found.note for found in steps),
        "kinds": sorted({found.kind for found in steps if found.rate}),
        "exceeds_peak": bool(peak) and any((found.rate or 0) > (peak or 0) for found in steps),
    }


def _case_view(experiment: ExperimentResult, machine: Machine, case: CaseResult, name: str) -> View:
    steps = [step(rung) for kind in ("rung", "peer") for rung in case.rungs if rung.kind == kind]
    ladder, peers = ladder_points(case)
    plot = roofline(machine, experiment, ladder, peers, arrows=True) if ladder or peers else None
    shown = _steps_view(steps, experiment.rate_unit, _peak(experiment, machine, case))
    ranks = [
        Ranks(rung.name, len(rung.timeline), drawn)
        for rung in case.rungs
        if rung.timeline is not None and (drawn := timeline(events_in(rung.timeline))) is not None
    ]
    return View(
        name=name,
        title=case.case,
        roofline=plot,
        case=case,
        floor=noise_floor(case),
        timelines=ranks,
        beside=beside_time(case),
        **shown,
    )


def _total_lines(experiment: ExperimentResult, steps: list[Step]) -> list[TotalLine]:
    results = by_name(experiment)
    lines = []
    below: Step | None = None
    for found in steps:
        rungs = results[found.kind, found.name]
        comparisons = [rung.vs_below for rung in rungs if rung.outcome == "ok" and rung.vs_below]
        verdicts = {
            verdict: count
            for verdict in ("faster", "slower", "not resolved")
            if (count := sum(comparison.verdict == verdict for comparison in comparisons))
        }
        over = gain(experiment, found.name, below.name) if below and found.kind == "rung" and found.rate else None
        lines.append(TotalLine(found, next((rung.idea for rung in rungs if rung.idea), ""), over, verdicts))
        if found.kind == "rung" and found.rate:
            below = found
    return lines


def _total_view(experiment: ExperimentResult, machine: Machine, steps: list[Step]) -> View:
    points = top_points(experiment)
    plot = roofline(machine, experiment, points, [], arrows=False, labelled=len(points) <= 6) if points else None
    shown = _steps_view(steps, experiment.rate_unit, _peak(experiment, machine))
    title = f"All {len(experiment.cases)} cases together"
    return View(name="total", title=title, roofline=plot, lines=_total_lines(experiment, steps), **shown)


def _case_line(case: CaseResult, view: str) -> CaseLine:
    ladder = measured(case.rungs, "rung")
    top, first = (ladder[-1], ladder[0]) if ladder else (None, None)
    times = top.rate / first.rate if top and first and top is not first and top.rate and first.rate else None
    lowest = next((rung for rung in case.rungs if rung.kind == "rung"), None)
    over = first.name if times and first and lowest and first.name != lowest.name else ""
    outcomes = {
        outcome: count
        for outcome in ("wrong", "failed", "skipped")
        if (count := sum(rung.outcome == outcome for rung in case.rungs))
    }
    return CaseLine(case, view, top, times, over, best_peer(case), outcomes)


def render(document: ClimbDocument, pages: Environment) -> list[Section]:
    """Return one section per experiment, with all its views; the page shows one view at a time."""
    sections = []
    for at, experiment in enumerate(document.experiments):
        anchor = f"experiment-{at}"
        steps = total_steps(experiment)
        views = [_total_view(experiment, document.machine, steps)] if steps else []
        for number, case in enumerate(experiment.cases):
            views.append(_case_view(experiment, document.machine, case, f"case-{number}"))
        body = pages.get_template("sections/ladders.html").render(
            experiment=experiment,
            anchor=anchor,
            views=views,
            figures={view.name: {"staircase": view.staircase, "roofline": view.roofline} for view in views}
            | {f"{view.name}-{ranks.rung}": {"own": ranks.figure} for view in views for ranks in view.timelines},
            roofed=any(rung.limit for case in experiment.cases for rung in case.rungs) or not experiment.merit,
            lines=[_case_line(case, f"case-{number}") for number, case in enumerate(experiment.cases)],
            reason_of=reason_of,
        )
        sections.append(Section(anchor, experiment.title, Markup(body)))
    return sections
