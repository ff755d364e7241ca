"""Pages about a user's own program: figures and tables in the frame of the report, as one file that works offline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from markupsafe import Markup

from rooftop.documents import Finding
from rooftop.files.atomic import write_whole
from rooftop.report.figures.style import Figure
from rooftop.report.frame import Link, framed, templates
from rooftop.report.sections import Section

_SCRIPTS = ("figures.js", "sorting.js")


@dataclass(frozen=True)
class Picture:
    """A figure with its text alternative (`says`) and an explanation of how to read it (`caption`)."""

    title: str
    figure: Figure
    says: str
    caption: str = ""


@dataclass(frozen=True)
class Cell:
    """A cell of a table. Numeric columns are sorted by `value`; `address` is where the text leads."""

    text: str
    value: float | None = None
    address: str = ""


@dataclass(frozen=True)
class Table:
    """A sortable table. `numeric` has the indices of the columns with numbers, `long` of those whose texts wrap."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    numeric: frozenset[int] = field(default_factory=frozenset)
    note: str = ""
    long: frozenset[int] = field(default_factory=frozenset)


@dataclass(frozen=True)
class Lines:
    """Paragraphs (`says`), then lines to copy (`code`)."""

    title: str
    says: Sequence[str] = ()
    code: Sequence[str] = ()


@dataclass(frozen=True)
class Findings:
    """Findings with evidence and remedy. Without any, `none` is shown; if that is empty too, the part is left out."""

    title: str
    findings: Sequence[Finding]
    says: str = ""
    none: str = ""


@dataclass(frozen=True)
class Field:
    """A field of a form: a choice where there are `choices`, by value with the text shown, else a text."""

    name: str
    label: str
    value: str = ""
    choices: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Form:
    """Fields to ask the site for a page at `address`. `kept` are values that are asked with them."""

    title: str
    address: str
    fields: Sequence[Field]
    button: str
    kept: Sequence[tuple[str, str]] = ()
    says: str = ""


@dataclass(frozen=True)
class Links:
    """Links to other pages of the site."""

    title: str
    links: Sequence[Link]
    says: str = ""


Part = Picture | Table | Lines | Findings | Form | Links


def figure_page(
    heading: str,
    aside: str,
    parts: Sequence[Part],
    version: str,
    refresh_s: float | None = None,
    live_s: float | None = None,
) -> str:
    """Return the page as HTML. `aside` is the line below the heading, `version` that of the bench.

    refresh_s  seconds after which a browser reloads the page; None: never
    live_s     seconds after which the parts of a page of a site are fetched again; None: never
    """
    pages = templates()
    sections = []
    shown = [part for part in parts if not isinstance(part, Findings) or part.findings or part.none]
    for place, part in enumerate(shown):
        anchor = f"part-{place + 1}"
        body = pages.get_template(f"parts/{type(part).__name__.lower()}.html").render(part=part, anchor=anchor)
        sections.append(Section(anchor, part.title, Markup(body), listed=not isinstance(part, Form | Links)))
    title = f"Rooftop: {heading}"
    drawn = any(isinstance(part, Picture) for part in shown)
    return framed(
        pages,
        sections,
        _SCRIPTS if drawn else ("sorting.js",),
        drawn=drawn,
        live_s=live_s,
        title=title,
        heading=heading,
        aside=aside,
        version=version,
        refresh_s=refresh_s,
    )


def write_figure_page(
    path: Path, heading: str, aside: str, parts: Sequence[Part], version: str, refresh_s: float | None = None
) -> None:
    """Write the page; an existing file is replaced atomically. Raises OSError."""
    write_whole(path, figure_page(heading, aside, parts, version, refresh_s))
