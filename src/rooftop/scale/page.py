"""The page of a scaling campaign: the picture of each curve, what the laws say, and every point."""

from __future__ import annotations

from collections.abc import Sequence

from rooftop.report.figure_page import Cell, Findings, Lines, Part, Picture, Table
from rooftop.scale.curve_text import curve_lines
from rooftop.scale.document import Curve, PointResult, ScaleDocument
from rooftop.scale.fits import Interval
from rooftop.scale.picture import figure
from rooftop.text.plural import plural
from rooftop.text.quantities import interval, number, percent

_TITLES = {"strong": "Strong scaling: the problem stays", "weak": "Weak scaling: the problem grows"}


def _picture(curve: Curve) -> Picture | None:
    drawn = figure(curve)
    if drawn is None or curve.base is None:
        return None
    says = f"Speed-up of {plural(len(curve.points), 'point')} over {curve.base.name}; the table below has the figures."
    caption = (
        f"Speed-up over {curve.base.name} with 95 % intervals of its pairs, both axes in powers of two; below, the "
        "efficiency beside the ideal line. Bands are 95 % intervals of the fitted laws; nothing is drawn beyond twice "
        "the workers measured."
    )
    return Picture(_TITLES[curve.mode], drawn, says, caption)


def _shown(one: Interval | None) -> str:
    if one is None:
        return "–"
    return f"{number(one.value)} ({interval(one.lo, one.hi)})" if one.lo is not None else number(one.value)


def _share(share: float | None) -> Cell:
    return Cell(percent(share), share)


def _row(point: PointResult, *, traced: bool) -> list[Cell]:
    got = point.factors
    marked = f"{point.outcome}, oversubscribed" if point.oversubscribed else point.outcome
    row = [
        Cell(str(point.workers), float(point.workers)),
        Cell(point.name),
        Cell(number(point.median), point.median),
        Cell(_shown(point.speedup), point.speedup.value if point.speedup is not None else None),
        _share(point.efficiency.value if point.efficiency is not None else None),
    ]
    if traced:
        row += [
            _share(got.parallel_efficiency if got is not None else None),
            _share(got.load_balance if got is not None else None),
            _share(got.communication_efficiency if got is not None else None),
            _share(got.computation_scalability if got is not None else None),
        ]
    row.append(Cell(str(len(point.samples)), float(len(point.samples))))
    return [*row, Cell(marked if point.reason is None else f"{marked}: {point.reason}")]


def _table(curve: Curve, unit: str) -> Table:
    traced = any(point.factors is not None for point in curve.points)
    columns = ["workers", "point", f"median, {unit or 'as printed'}", "speed-up", "efficiency"]
    columns += ["PE", "LB", "CommE", "CompS"] if traced else []
    columns += ["samples", "outcome"]
    note = (
        "PE, parallel efficiency, is LB, load balance, times CommE, communication efficiency; CompS, computation "
        "scalability, is the useful time of all workers at the first point beside that at this one. All are from runs "
        "of their own."
    )
    rows = [_row(point, traced=traced) for point in curve.points]
    numeric = frozenset({0, *range(2, len(columns) - 1)})
    return Table(f"All points of {curve.mode} scaling", columns, rows, numeric, note if traced else "")


def parts(document: ScaleDocument) -> Sequence[Part]:
    """Return the parts of the page."""
    found: list[Part] = []
    for curve in document.curves:
        picture = _picture(curve)
        found += [picture] if picture is not None else []
        found += [
            Lines(f"What {curve.mode} scaling shows", curve_lines(curve, document)),
            _table(curve, document.unit),
        ]
    if document.reproduce is not None:
        found.append(Lines("This campaign again", [], [document.reproduce]))
    return [*found, Findings("Doubts", document.doubts)]


def heading(document: ScaleDocument) -> str:
    """Return the title of the page."""
    return f"Scaling of {' '.join(document.command)}"
