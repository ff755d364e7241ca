"""The raw figures: one row per rung and case, sortable, and every sample to take away as CSV or JSON."""

from __future__ import annotations

from dataclasses import dataclass

from jinja2 import Environment
from markupsafe import Markup

from rooftop.documents import CaseResult, ClimbDocument, ExperimentResult, RungResult
from rooftop.report.ladder import reason_of
from rooftop.report.sample_strip import strip
from rooftop.report.sections import Section

ORDER = 50


@dataclass(frozen=True)
class RawLine:
    """One rung or peer on one case."""

    experiment: ExperimentResult
    case: CaseResult
    rung: RungResult
    reason: str
    strip: Markup


def render(document: ClimbDocument, pages: Environment) -> list[Section]:
    """The table, and the document itself for the downloads."""
    lines = [
        RawLine(experiment, case, rung, reason_of(rung), strip(rung.samples_s))
        for experiment in document.experiments
        for case in experiment.cases
        for rung in case.rungs
    ]
    samples = sum(len(line.rung.samples_s) for line in lines)
    traces = any(line.rung.timeline for line in lines)
    body = pages.get_template("sections/raw_figures.html").render(
        document=document, lines=lines, samples=samples, traces=traces
    )
    return [Section("raw", "Raw figures", Markup(body))]
