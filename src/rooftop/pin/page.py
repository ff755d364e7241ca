"""The page of an observed command: findings, command lines that fix them, their cost, and the threads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rooftop.compare import page as comparison
from rooftop.pin.document import PinDocument
from rooftop.report.figure_page import Cell, Findings, Lines, Part, Table, write_figure_page
from rooftop.text.quantities import percent


def _threads(document: PinDocument) -> Table:
    rows = [
        [
            Cell(str(one.tid), float(one.tid)),
            Cell(one.name),
            Cell("–" if one.rank is None else str(one.rank)),
            Cell(one.allowed),
            Cell(percent(one.run_s / one.seen_s if one.seen_s > 0 else None)),
            Cell(f"{one.migrations_per_s:.3g}", one.migrations_per_s),
        ]
        for one in document.threads
    ]
    columns = ["thread", "name", "rank", "may run on", "running", "migrations per second"]
    return Table("Threads", columns, rows, frozenset({0, 5}))


def parts(document: PinDocument) -> Sequence[Part]:
    found = [*document.findings, *document.hints]
    lines = [f"# {one.launcher}\n{one.line}" for one in document.fixes]
    cost = comparison.parts(document.cost) if document.cost is not None else ()
    return [
        Findings("Findings", found, none="No placement problem was found."),
        *([Lines("Lines to copy", code=lines)] if lines else []),
        *cost,
        _threads(document),
        Findings("Doubts", document.doubts),
    ]


def write(document: PinDocument, path: Path) -> None:
    heading = f"Placement of {' '.join(document.command)}"
    write_figure_page(path, heading, f"Started {document.started}", parts(document), document.rooftop)
