"""The part of the page with the roofline: the points below the machine's roofs, and what was counted."""

from __future__ import annotations

from rooftop.diagnose.document import DiagnoseDocument
from rooftop.diagnose.roofline import Roofline, RoofPoint
from rooftop.diagnose.roofline_text import lines, point_text
from rooftop.report.figure_page import Lines, Part, Picture
from rooftop.report.figures.roofline import Point, below_roofs
from rooftop.report.figures.style import Figure, plain

_GIGA = 1e9
_CAPTION = (
    "Diamonds are functions, by their own time. Bytes are those that come from memory, not those written back: "
    "a point may lie further to the left than it is shown."
)


def _drawn(points: list[RoofPoint], *, twice: bool) -> list[Point]:
    return [
        Point(
            one.name,
            f"<b>{plain(one.name)}</b><br>{plain(point_text(one, twice=twice))}",
            one.intensity,
            one.rate / _GIGA,
        )
        for one in points
        if one.intensity is not None and one.intensity > 0
    ]


def picture(found: Roofline) -> Figure | None:
    """Return the figure; None if no point has an intensity."""
    program, functions = (_drawn(part, twice=found.twice) for part in (found.points[:1], found.points[1:]))
    slopes = {"memory": found.bandwidth} if found.bandwidth else {}
    return below_roofs(found.peaks, slopes, program, functions) if program or functions else None


def roofline_parts(document: DiagnoseDocument) -> list[Part]:
    """Return the picture, and its figures in words."""
    found = document.facts.roofline
    if found is None:
        return []
    drawn = picture(found)
    says = f"Roofline of {found.threads} threads: the program and its functions; the figures are below."
    told = [line.removeprefix("roofline: ") for line in lines(found)]
    sentences = [f"{line[:1].upper()}{line[1:]}." for line in told]
    return [
        *([Picture("Roofline", drawn, says, _CAPTION)] if drawn is not None else []),
        Lines("Operations and memory traffic", sentences),
    ]
