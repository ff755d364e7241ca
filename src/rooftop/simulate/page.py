"""The page of a simulation: the curve, its points, what changes gain, and the platform's assumed figures."""

from __future__ import annotations

from collections.abc import Sequence

from rooftop.report.figure_page import Cell, Lines, Part, Picture, Table
from rooftop.simulate.document import SimulateDocument
from rooftop.simulate.picture import curve
from rooftop.simulate.told import HEAD, need_sentence, point_cells, remarks
from rooftop.text.plural import plural
from rooftop.text.quantities import ratio, seconds


def _phases(document: SimulateDocument) -> Table:
    rows = [
        [
            Cell(str(point.ranks), float(point.ranks)),
            Cell(phase.name),
            *(
                Cell(seconds(value), value)
                for value in (phase.seconds, phase.compute_s, phase.transfer_s, phase.hidden_s, phase.most_hidden_s)
            ),
            Cell(phase.limit or "–"),
            Cell(", ".join(f"{name}: {used}" for name, used in phase.algorithms.items()) or "–"),
        ]
        for point in document.points
        for phase in point.phases
    ]
    columns = ["ranks", "part", "time", "compute", "transfer", "hidden", "at most hidden", "limited by", "algorithms"]
    return Table("Parts of the program", columns, rows, frozenset({0, 2, 3, 4, 5, 6}))


def parts(document: SimulateDocument) -> Sequence[Part]:
    """Return the parts of the page."""
    found: list[Part] = []
    if document.points:
        says = f"Time of {plural(len(document.points), 'point')}, split; the table below has the figures."
        caption = "Computing, and what of the transfers is not hidden behind it, by ranks; both axes are logarithmic."
        found.append(Picture("Time by ranks", curve(document), says, caption))
        rows = [[Cell(text, value) for text, value in point_cells(point)] for point in document.points]
        found.append(Table("Points", list(HEAD), rows, frozenset(range(len(HEAD)))))
        found.append(Lines("How to read it", list(remarks(document))))
        found.append(_phases(document))
    if document.changes:
        changed = [
            [
                Cell(str(row.ranks), float(row.ranks)),
                Cell(row.change),
                Cell(seconds(row.seconds), row.seconds),
                Cell(ratio(row.gain), row.gain),
            ]
            for row in document.changes
        ]
        found.append(Table("What if", ["ranks", "change", "time", "gain"], changed, frozenset({0, 2, 3})))
    if document.placements:
        where = [
            [
                Cell(str(row.ranks), float(row.ranks)),
                Cell(row.placement),
                Cell(seconds(row.seconds), row.seconds),
                Cell(ratio(row.gain), row.gain),
            ]
            for row in document.placements
        ]
        columns = ["ranks", "placement", "time", f"gain over {document.placement}"]
        found.append(Table("Placement of ranks", columns, where, frozenset({0, 2, 3})))
    if document.needs:
        told = [need_sentence(need, document.target_s or 0.0) for need in document.needs]
        found.append(Lines("What the target takes", told))
    if document.reproduce is not None:
        found.append(Lines("This simulation again", [], [document.reproduce]))
    return found


def heading(document: SimulateDocument) -> str:
    """Return the title of the page."""
    return f"{document.program} simulated on {document.platform_title}"
