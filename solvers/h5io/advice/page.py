"""The page of ``rooftop h5 advise``: layouts, numbers of ranks, other ways to read the file, and doubts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rooftop.documents import Comparison
from rooftop.report.figure_page import Cell, Findings, Lines, Part, Table
from rooftop.solvers.h5io.advice.document import AdviceDocument
from rooftop.solvers.h5io.advice.lines import conclusion, duration, gain, measured_gain, rewriting
from rooftop.solvers.h5io.advice.reading_lines import reading_lines
from rooftop.text.quantities import size

_LAYOUTS = ("layout", "predicted", "measured", "verdict", "pairs", "size", "to rewrite")
_RANKS = ("ranks", "layout", "predicted", "measured", "verdict", "pairs")


def heading(document: AdviceDocument) -> str:
    """Return the heading."""
    return f"Layouts of {document.dataset} in {document.file}, for reads of {document.access}"


def _measured(found: Comparison | None, reason: str | None) -> list[Cell]:
    if found is None:
        return [Cell("–"), Cell(reason or "not measured"), Cell("–")]
    return [Cell(measured_gain(found), found.ratio), Cell(found.verdict), Cell(str(found.pairs), float(found.pairs))]


def _layout_rows(document: AdviceDocument) -> Iterator[list[Cell]]:
    now = [Cell(f"now: {document.layout}"), *[Cell("")] * 4]
    yield [*now, Cell(size(document.stored_bytes), float(document.stored_bytes)), Cell("")]
    for one in document.proposals:
        cells = [Cell(one.layout), Cell(gain(one.predicted), one.predicted), *_measured(one.measured, one.reason)]
        yield [*cells, Cell(size(one.stored_bytes), one.stored_bytes), Cell(duration(one.rewrite_s), one.rewrite_s)]


def _rank_rows(document: AdviceDocument) -> Iterator[list[Cell]]:
    for one in document.by_ranks:
        ranks = Cell(str(one.ranks), float(one.ranks))
        layout = Cell(one.layout or f"now: {document.layout}")
        yield [ranks, layout, Cell(gain(one.predicted), one.predicted), *_measured(one.measured, one.reason)]


def parts(document: AdviceDocument) -> Sequence[Part]:
    """Return the parts."""
    command = rewriting(document)
    found: list[Part] = [
        Lines("Advice", [conclusion(document), *reading_lines(document)], [] if command is None else [command]),
        Table("Layouts", _LAYOUTS, list(_layout_rows(document)), frozenset({1, 2, 4, 5, 6})),
    ]
    if document.by_ranks:
        title = f"Other numbers of ranks, against the file as it is with {document.ranks[0]}"
        found.append(Table(title, _RANKS, list(_rank_rows(document)), frozenset({0, 2, 3, 5})))
    if document.remarks:
        found.append(Lines("Remarks", document.remarks))
    return [*found, Findings("Doubts", document.doubts)]
