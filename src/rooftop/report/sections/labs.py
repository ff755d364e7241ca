"""The labs of a campaign by chapter: each effect as predicted and as measured."""

from __future__ import annotations

from dataclasses import dataclass

from jinja2 import Environment
from markupsafe import Markup

from rooftop.documents import ClimbDocument, ExperimentResult
from rooftop.ladder.experiment import CHAPTERS
from rooftop.report.sections import Section
from rooftop.report.sections.predictions import Line, line_of
from rooftop.text.plural import plural

ORDER = 5


@dataclass(frozen=True)
class Lab:
    """A lab with its predictions as text; `reason` is shown if there are none."""

    title: str
    name: str
    anchor: str
    lines: list[Line]
    reason: str


def _lab(experiment: ExperimentResult, anchor: str) -> Lab:
    lines = [line_of(experiment.name, case.case, one) for case in experiment.cases for one in case.predictions]
    reasons = dict.fromkeys(rung.reason for case in experiment.cases for rung in case.rungs if rung.reason)
    return Lab(experiment.title, experiment.name, anchor, lines, next(iter(reasons), "It states no prediction"))


def _sentence(labs: list[Lab]) -> str:
    judged = [lab for lab in labs if any(line.agrees is not None for line in lab.lines)]
    agreeing = sum(all(line.agrees is not False for line in lab.lines) for lab in judged)
    verdicts = [line.agrees for lab in labs for line in lab.lines if line.agrees is not None]
    return (
        f"{agreeing} of {plural(len(judged), 'lab')} agree with all their predictions, "
        f"and {sum(verdicts)} of {plural(len(verdicts), 'prediction')} hold."
    )


def render(document: ClimbDocument, pages: Environment) -> list[Section]:
    """Return one table of all labs by chapter; nothing if the campaign has no labs."""
    places = {one.name: f"experiment-{at}" for at, one in enumerate(document.experiments)}
    chapters = {
        chapter: [_lab(one, places[one.name]) for one in document.experiments if one.chapter == chapter]
        for chapter in CHAPTERS
    }
    labs = [lab for found in chapters.values() for lab in found]
    if not labs:
        return []
    body = pages.get_template("sections/labs.html").render(chapters=chapters, sentence=_sentence(labs))
    return [Section("labs", "Effects", Markup(body), count=len(labs))]
