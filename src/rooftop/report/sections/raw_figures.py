"""The raw figures: a sortable table with a row per rung and case, and all samples to download as CSV or JSON."""

from __future__ import annotations

from dataclasses import dataclass

from jinja2 import Environment
from markupsafe import Markup

from rooftop.documents import CaseResult, ClimbDocument, ExperimentResult, RungResult
from rooftop.report.ladder import reason_of
from rooftop.report.sections import Section
from rooftop.text.plural import plural
from rooftop.text.quantities import seconds

_WIDTH, _HEIGHT, _MARGIN = 112.0, 22.0, 2.5
ORDER = 50


def strip(samples_s: list[float]) -> Markup:
    """Return samples as a strip of dots in the order taken, the fastest at the bottom; empty if there are none."""
    if not samples_s:
        return Markup("")
    lo, hi = min(samples_s), max(samples_s)
    across = (_WIDTH - 2 * _MARGIN) / max(1, len(samples_s) - 1)
    up = (_HEIGHT - 2 * _MARGIN) / (hi - lo) if hi > lo else 0.0
    dots = "".join(
        f"M{_MARGIN + at * across:.1f} {_HEIGHT - _MARGIN - (sample - lo) * up:.1f}h0"
        for at, sample in enumerate(samples_s)
    )
    words = f"{plural(len(samples_s), 'sample')}, {seconds(lo)} to {seconds(hi)}, in the order taken"
    return Markup(
        f'<svg class="strip" role="img" aria-label="{words}" viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}"'
        f' width="{_WIDTH:g}" height="{_HEIGHT:g}"><title>{words}</title><path d="{dots}"/></svg>'
    )


@dataclass(frozen=True)
class RawLine:
    """One rung or peer on one case."""

    experiment: ExperimentResult
    case: CaseResult
    rung: RungResult
    reason: str
    strip: Markup


def render(document: ClimbDocument, pages: Environment) -> list[Section]:
    """Return the table of figures, and the document as JSON for the download links."""
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
