"""The page of a tuning: verdicts, effects of parameters, and configurations tried."""

from __future__ import annotations

from collections.abc import Sequence

from rooftop.compare.text import sentence
from rooftop.report.figure_page import Cell, Findings, Lines, Part, Picture, Table
from rooftop.text.plural import plural
from rooftop.text.quantities import number, ratio
from rooftop.tune.document import TuneDocument
from rooftop.tune.figures import (
    MOST_LINES,
    along,
    gains_figure,
    heat_map,
    parallel_coordinates,
    usable_ones,
    values_of,
    varied,
)

_GAINS_CAPTION = (
    "Diamonds: the default with only this parameter set as in the best. Circles: the best, relative to itself with "
    "this parameter reset. Where the two differ, parameters interact, and the gains do not multiply."
)
_RACE = (
    "Speed relative to the default, or to the first usable configuration, in the race. It ranks configurations, and "
    "is no verdict."
)


def _searched(document: TuneDocument) -> Picture | None:
    names, count = list(varied(document)), len(usable_ones(document))
    if not count or not names:
        return None
    says = f"The speed of {plural(count, 'configuration')} relative to the default; the table below has the figures."
    title = "Configurations tried"
    if len(names) == 1:
        return Picture(title, along(document, names[0]), says, _RACE)
    if len(names) == 2:
        return Picture(
            title, heat_map(document, *names), says, f"{_RACE} Framed: the default (orange) and the best (red)."
        )
    drawn = f" Of {count}, the {MOST_LINES} fastest are drawn." if count > MOST_LINES else ""
    caption = f"Each line is a configuration, from its values to its speed; the thick one is the best.{drawn} {_RACE}"
    return Picture(title, parallel_coordinates(document), says, caption)


def _table(document: TuneDocument) -> Table:
    names = list(document.default.parameters)
    rows = []
    for one in sorted(document.tried, key=lambda one: -(one.speed or 0.0)):
        values = one.parameters.values()
        rows.append(
            [
                *(Cell(str(value), None if isinstance(value, str) else float(value)) for value in values),
                Cell(number(one.median), one.median),
                Cell(ratio(one.speed), one.speed),
                Cell(str(len(one.samples)), float(len(one.samples))),
                Cell(one.outcome if one.reason is None else f"{one.outcome}: {one.reason}"),
            ]
        )
    numbers = {place for place, one in enumerate(values_of(document).values()) if not isinstance(one[0], str)}
    first = len(names)
    columns = [*names, f"median, {document.unit or 'as printed'}", "speed", "samples", "outcome"]
    return Table("All configurations tried", columns, rows, frozenset(numbers | {first, first + 1, first + 2}))


def _claims(document: TuneDocument) -> Lines:
    says = [sentence(one, document.better) for one in document.comparisons]
    says = says or ["There was no final comparison, and so no verdict."]
    if document.default_failure is not None:
        says.insert(0, f"The default {document.default_failure}")
    named = (("default", document.default), ("best", document.best))
    lines = [f"# {title}\n{one.line}" for title, one in named if one is not None]
    return Lines(
        "The best", says, [*lines, *([f"# this tuning again\n{document.reproduce}"] if document.reproduce else [])]
    )


def parts(document: TuneDocument) -> Sequence[Part]:
    found: list[Part] = [_claims(document)]
    if document.gains:
        says = "Effect of each parameter, alone and on top of the others; the JSON document has the figures."
        found.append(Picture("Effect of each parameter", gains_figure(document), says, _GAINS_CAPTION))
    searched = _searched(document)
    found += [searched] if searched is not None else []
    return [*found, _table(document), Findings("Doubts", document.doubts)]


def heading(document: TuneDocument) -> str:
    return f"Tuning of {' '.join(document.command)}"
