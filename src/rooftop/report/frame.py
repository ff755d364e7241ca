"""The frame of every page: head, navigation, styles, scripts and Plotly. All is inline, so nothing is loaded."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from plotly.offline import get_plotlyjs

from rooftop.documents import ClimbDocument
from rooftop.measure.comparison_text import where
from rooftop.report import palette
from rooftop.report.sections import Section, discover
from rooftop.text import quantities
from rooftop.text.plural import plural
from rooftop.text.visible import visible

_HERE = Path(__file__).parent
_ASSETS = _HERE / "assets"
_SCRIPTS = ("figures.js", "cases.js", "sorting.js", "downloads.js")
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')


@dataclass(frozen=True)
class Link:
    """A link in the navigation. `here`: it leads to the page itself, or to the list that the page belongs to."""

    text: str
    address: str
    here: bool = False


_site: ContextVar[Sequence[Link]] = ContextVar("site", default=())


@contextmanager
def within_site(links: Sequence[Link]) -> Iterator[None]:
    """Add a site's navigation to pages rendered within the block."""
    before = _site.set(links)
    try:
        yield
    finally:
        _site.reset(before)


def in_script(json_text: str) -> Markup:
    """Return JSON in which nothing can end the script element around it."""
    for character in "<>&\u2028\u2029":
        json_text = json_text.replace(character, f"\\u{ord(character):04x}")
    return Markup(json_text)


def templates() -> Environment:
    """Return the templates with their filters."""
    pages = Environment(
        finalize=lambda value: visible(value) if type(value) is str else value,  # not Markup, a subclass of str
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for name in ("number", "percent", "quantity", "seconds", "size", "ratio"):
        pages.filters[name] = getattr(quantities, name)
    pages.filters["plural"] = plural
    pages.filters["where"] = where
    pages.globals["interval"] = quantities.interval
    return pages


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8").strip()


def _policy(scripts: list[str], *, live: bool) -> str:
    """Return a content security policy that allows these scripts alone, and no loading from elsewhere.

    live  the page may be fetched again from where it came
    """
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    policy = f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data: blob:"
    return f"{policy}; connect-src 'self'" if live else policy


def policy_of(page: str) -> str:
    """Return the content security policy that a page made here states; one that forbids everything if it has none."""
    found = _POLICY.search(page, 0, page.find("</head>") + 1)
    return found[1] if found is not None else "default-src 'none'; sandbox"


def framed(
    pages: Environment,
    sections: Sequence[Section],
    scripts: Sequence[str],
    *,
    drawn: bool = True,
    live_s: float | None = None,
    **head: object,
) -> str:
    """Return one HTML page. `scripts` are assets to add to the theme's; `head` has title, heading, aside, version.

    drawn   it has figures, and needs Plotly
    live_s  seconds after which the page's parts are fetched again from where it came; None: never
    """
    styles = [palette.css(), *(path.read_text(encoding="utf-8").strip() for path in sorted(_ASSETS.glob("*.css")))]
    early = _asset("theme_early.js")
    colours = f"window.lightToDark = {json.dumps(palette.light_to_dark())};"
    late = "\n".join([colours, *(_asset(name) for name in ("theme.js", *scripts, *(["live.js"] if live_s else [])))])
    plotly = get_plotlyjs() if drawn else ""
    return pages.get_template("frame.html").render(
        sections=sections,
        site=_site.get(),
        drawn=drawn,
        live_s=live_s,
        policy=Markup(_policy([early, *([plotly] if drawn else []), late], live=bool(live_s))),
        styles=Markup("\n".join(styles)),
        early=Markup(early),
        plotly=Markup(plotly),
        late=Markup(late),
        **head,
    )


def render(document: ClimbDocument) -> str:
    """Return the report of ``document`` as one HTML page."""
    pages = templates()
    pages.globals["document_json"] = in_script(document.model_dump_json(by_alias=True))
    sections = [section for module in discover() for section in module.render(document, pages)]
    names = ", ".join(experiment.name for experiment in document.experiments) or "no experiment"
    aside = pages.from_string(
        'Campaign <span class="name">{{ document.campaign }}</span>, started <time datetime="{{ document.started }}">'
        '{{ document.started | replace("T", " ") }}</time>,\n'
        '      on {{ document.machine.processor or "an unknown processor" }}, with rooftop {{ document.rooftop }}'
    ).render(document=document)
    return framed(
        pages,
        sections,
        _SCRIPTS,
        title=f"Rooftop: {names}, {document.campaign}",
        heading="Rooftop report",
        aside=Markup(aside),
        version=document.rooftop,
    )
