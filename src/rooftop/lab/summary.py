"""Summarise a lab: times of its ladder, predictions and measurements, and figures of the course."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from rooftop.documents import CaseResult, ExperimentResult, PredictionResult, RungResult
from rooftop.ladder.discovery import Found
from rooftop.report.merit import title, written
from rooftop.report.prediction_text import formula_of, quantity_of, sentence
from rooftop.text.plural import plural
from rooftop.text.quantities import seconds


def _time(rung: RungResult) -> str:
    if rung.median_s is None:
        return f"{rung.outcome}: {rung.reason}" if rung.outcome != "ok" else "no time: the budget ended before its turn"
    told = seconds(rung.median_s)
    if rung.lo_s is not None and rung.hi_s is not None:
        told += f" [{seconds(rung.lo_s)}, {seconds(rung.hi_s)}]"
    return told + "".join(f"; {title(name)} {written(name, value)}" for name, value in (rung.figures or {}).items())


def _ladder(case: CaseResult) -> Iterator[Text]:
    width = max(len(rung.name) for rung in case.rungs)
    yield Text(case.case)
    for rung in case.rungs:
        style = {"wrong": "bold red", "failed": "bold red", "skipped": "dim"}.get(rung.outcome, "")
        yield Text.assemble(f"  {rung.name:{width}}  ", (_time(rung), style))


def _predictions(result: ExperimentResult) -> Iterator[Text]:
    """Each formula once, and below it what it comes to in every case."""
    by_formula: dict[str, list[tuple[CaseResult, PredictionResult]]] = {}
    for case in result.cases:
        for one in case.predictions:
            by_formula.setdefault(f"predicted {quantity_of(one)} = {formula_of(one)}", []).append((case, one))
    for heading, found in by_formula.items():
        yield Text(heading, "bold")
        for case, one in found:
            told = sentence(one).removeprefix(f"{quantity_of(one)}: ")
            used = "".join(f"; {name} = {value:.3g}" for name, value in one.figures.items())
            style = "" if one.agrees is None else "green" if one.agrees else "yellow"
            yield Text.assemble(f"  {case.case}, {plural(one.threads, 'worker')}: ", (told, style), used)


def summary(lab: Found, result: ExperimentResult) -> Iterator[Text]:
    """Yield the lines."""
    lesson = lab.declaration.lesson
    yield Text.assemble((result.title, "bold"), f"  {result.question}")
    for case in result.cases:
        yield from _ladder(case)
    yield from _predictions(result)
    if lesson is not None:
        for what, figure in lesson.course.items():
            yield Text(f"the course: {what}: {figure}")
        if lesson.corrects:
            yield Text(f"corrected: {lesson.corrects}")
