"""Page of a run of FT with a timeline of each rank."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rooftop.driver.timeline import PHASES, Event
from rooftop.errors import Misuse
from rooftop.report.figure_page import Cell, Lines, Part, Picture, Table, write_figure_page
from rooftop.report.figures.timeline import figure
from rooftop.solvers.fft.document import FtDocument
from rooftop.solvers.fft.report import rank_lines
from rooftop.text.plural import plural
from rooftop.text.quantities import number


def _table(document: FtDocument) -> Table:
    columns = ["rank", *(f"{name}, s" for name in (*PHASES.values(),))]
    rows = [
        [
            Cell(str(one.rank), float(one.rank)),
            *(Cell(number(s), s) for s in (one.columns_s, one.planes_s, one.exchange_s, one.waiting_s)),
        ]
        for one in document.time
    ]
    return Table("Where each rank's time went", columns, rows, frozenset(range(len(columns))))


def write(document: FtDocument, ranks: Sequence[Sequence[Event]], path: Path) -> None:
    """Write the page. Raises Misuse where it cannot be written."""
    parts: list[Part] = []
    if (drawn := figure(ranks)) is not None:
        says = f"Phases of {plural(len(ranks), 'rank')} over the run; the table below has their sums."
        caption = (
            "Above in each lane what the rank computes or waits for, below when a transform's messages are under way, "
            "from its first one's start to its last one's arrival."
        )
        parts.append(Picture("What each rank did when", drawn, says, caption))
    parts += [Lines("In words", rank_lines(document)), _table(document)]
    heading = f"NAS FT {document.nx}x{document.ny}x{document.nz}, {plural(document.ranks, 'rank')}"
    seconds = f"{document.seconds:.3f} s" if document.seconds is not None else "a wrong result has no time"
    aside = f"Class {document.class_}, {plural(document.iterations, 'iteration')}: {seconds}"
    try:
        write_figure_page(path, heading, aside, parts, document.rooftop)
    except OSError as error:
        raise Misuse(f"--picture {path} cannot be written: {error.strerror or error}") from error
