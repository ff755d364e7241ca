"""The page of a gate: outcome and benchmarks."""

from __future__ import annotations

from collections.abc import Sequence

from rooftop.gate.document import BenchmarkResult, GateDocument
from rooftop.gate.text import figures, headline, revisions
from rooftop.report.figure_page import Cell, Findings, Lines, Part, Table


def _row(one: BenchmarkResult) -> list[Cell]:
    look = one.shown
    return [
        Cell(one.name),
        Cell(one.outcome),
        Cell(f"{look.ratio:.4g}" if look is not None else "–", look.ratio if look is not None else None),
        Cell(figures(one) or "–"),
        Cell(one.told),
    ]


def parts(document: GateDocument) -> Sequence[Part]:
    """Return the parts of the page."""
    says = [headline(document), *([told] if (told := revisions(document)) else [])]
    columns = ["benchmark", "outcome", "speed", "figures", "why"]
    rows = [_row(one) for one in document.benchmarks]
    return [
        Lines("Outcome", says, [document.reproduce]),
        Table("Benchmarks", columns, rows, frozenset({2})),
        Findings("Doubts", document.doubts),
    ]


def heading(document: GateDocument) -> str:
    """Return the title of the page."""
    return f"Gate: {document.outcome}"
