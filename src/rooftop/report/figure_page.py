"""Pages about a user's own program: figures and tables in the report's frame, as one file that works offline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from markupsafe import Markup

from rooftop.documents import Finding
from rooftop.files.atomic import write_whole
from rooftop.report.figures.style import Figure
from rooftop.report.frame import framed, templates
from rooftop.report.sections import Section

_SCRIPTS = ("figures.js", "sorting.js")


@dataclass(frozen=True)
class Picture:
    """A figure. `says` tells what it shows to those who cannot see it; `caption` how to read it."""

    title: str
    figure: Figure
    says: str
    caption: str = ""


@dataclass(frozen=True)
class Cell:
    """A table's cell; `value` is what it is sorted by where that is a number."""

    text: str
    value: float | None = None


@dataclass(frozen=True)
class Table:
    """A table that sorts by its columns. `numeric`: the columns that are numbers, by their places."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    numeric: frozenset[int] = field(default_factory=frozenset)
    note: str = ""


@dataclass(frozen=True)
class Lines:
    """Paragraphs; of `code` what is to be copied."""

    title: str
    says: Sequence[str] = ()
    code: Sequence[str] = ()


@dataclass(frozen=True)
class Findings:
    """What was found, each with its evidence and its remedy; left out where nothing is and `none` is empty."""

    title: str
    findings: Sequence[Finding]
    says: str = ""
    none: str = ""


Part = Picture | Table | Lines | Findings


def figure_page(heading: str, aside: str, parts: Sequence[Part], version: str, refresh_s: float | None = None) -> str:
    """Return the page as HTML. `aside` is the line below the heading; `version` the bench's.

    refresh_s  seconds after which a browser is to read it again; None: never
    """
    pages = templates()
    sections = []
    shown = [part for part in parts if not isinstance(part, Findings) or part.findings or part.none]
    for place, part in enumerate(shown):
        anchor = f"part-{place + 1}"
        body = pages.get_template(f"parts/{type(part).__name__.lower()}.html").render(part=part, anchor=anchor)
        sections.append(Section(anchor, part.title, Markup(body)))
    title = f"Rooftop: {heading}"
    return framed(
        pages, sections, _SCRIPTS, title=title, heading=heading, aside=aside, version=version, refresh_s=refresh_s
    )


def write_figure_page(
    path: Path, heading: str, aside: str, parts: Sequence[Part], version: str, refresh_s: float | None = None
) -> None:
    """Write the page, replacing what was there only once the new file is complete. Raises OSError."""
    write_whole(path, figure_page(heading, aside, parts, version, refresh_s))
