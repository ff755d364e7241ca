"""What experiments predicted from the machine's figures, next to what was measured."""

from __future__ import annotations

from dataclasses import dataclass

from jinja2 import Environment
from markupsafe import Markup

from rooftop.documents import ClimbDocument, PredictionResult
from rooftop.report.prediction_text import formula_of, predicted_of, quantity_of, value_of, verdict
from rooftop.report.sections import Section
from rooftop.text.quantities import ABSENT

ORDER = 25


@dataclass(frozen=True)
class Line:
    """One prediction for one case, as text."""

    experiment: str
    case: str
    quantity: str
    formula: str
    figures: str
    predicted: str
    measured: str
    interval: str
    verdict: str
    agrees: bool | None


def line_of(experiment: str, case: str, result: PredictionResult) -> Line:
    """Return a prediction for a case as text."""

    def shown(value: float | None) -> str:
        return ABSENT if value is None else value_of(result, value)

    return Line(
        experiment=experiment,
        case=case,
        quantity=quantity_of(result),
        formula=formula_of(result),
        figures=", ".join(f"{name} = {value:.3g}" for name, value in result.figures.items()),
        predicted=predicted_of(result) or ABSENT,
        measured=shown(result.measured),
        interval="" if result.lo is None else f"[{shown(result.lo)}, {shown(result.hi)}]",
        verdict=verdict(result),
        agrees=result.agrees,
    )


def render(document: ClimbDocument, pages: Environment) -> list[Section]:
    """Return a table of the predictions of all experiments except labs, which have a table of their own."""
    lines = [
        line_of(experiment.name, case.case, result)
        for experiment in document.experiments
        if experiment.chapter is None
        for case in experiment.cases
        for result in case.predictions
    ]
    if not lines:
        return []
    body = pages.get_template("sections/predictions.html").render(lines=lines)
    return [Section("predictions", "Predictions", Markup(body), count=len(lines))]
