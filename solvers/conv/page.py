"""The page of ``rooftop solve conv``: a row for each layer and way to count the filter transform, and the totals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rooftop.report.figure_page import Cell, Findings, Lines, Part, Table
from rooftop.solvers.conv.document import SolveDocument
from rooftop.solvers.conv.table import rows, terms_text, total_lines

_COLUMNS = ("C H W K N", "algorithm", "filter transform", "ms", "95 %", "GFLOP/s", "samples", "error")


def heading(document: SolveDocument) -> str:
    """Return the heading."""
    return f"Convolutions of {document.file}"


def _cells(document: SolveDocument) -> Iterator[list[Cell]]:
    for row in rows(document):
        found = row.timing
        figures = [Cell("–")] * 4
        if found is not None:
            figures = [
                Cell(f"{found.median_s * 1e3:.4g}", found.median_s),
                Cell(row.interval),
                Cell(f"{found.gflops:.4g}", found.gflops),
                Cell(str(len(found.samples_s)), float(len(found.samples_s))),
            ]
        yield [Cell(row.layer), Cell(row.algorithm), Cell(row.terms), *figures, Cell(row.error)]


def parts(document: SolveDocument) -> Sequence[Part]:
    """Return the parts."""
    return [
        Table(f"Layers: {terms_text(document)}", _COLUMNS, list(_cells(document)), frozenset({3, 5, 6})),
        Lines("Totals", total_lines(document)),
        Findings("Doubts", document.doubts),
    ]
