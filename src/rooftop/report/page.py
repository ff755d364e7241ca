"""The page: the sections in their frame, with styles, scripts and Plotly written into it; nothing is loaded."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from plotly.offline import get_plotlyjs

from rooftop.documents import ClimbDocument
from rooftop.report import palette, quantities
from rooftop.report.sections import discover

_HERE = Path(__file__).parent
_ASSETS = _HERE / "assets"


def _in_script(json_text: str) -> Markup:
    """JSON that cannot end the script element it stands in."""
    for character in "<>&\u2028\u2029":
        json_text = json_text.replace(character, f"\\u{ord(character):04x}")
    return Markup(json_text)


def _environment(document: ClimbDocument) -> Environment:
    pages = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for name in ("number", "percent", "quantity", "seconds", "size", "ratio", "plural"):
        pages.filters[name] = getattr(quantities, name)
    pages.globals["interval"] = quantities.interval
    pages.globals["document_json"] = _in_script(document.model_dump_json(by_alias=True))
    return pages


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8").strip()


def _policy(scripts: list[str]) -> str:
    """A content security policy that lets these scripts run, and nothing else, and loads nothing from anywhere."""
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data: blob:"


def render(document: ClimbDocument) -> str:
    """The report of ``document`` as one HTML page."""
    pages = _environment(document)
    sections = [section for module in discover() for section in module.render(document, pages)]
    styles = [palette.css(), *(path.read_text(encoding="utf-8").strip() for path in sorted(_ASSETS.glob("*.css")))]
    early = _asset("theme_early.js")
    colours = f"window.lightToDark = {json.dumps(palette.light_to_dark())};"
    names = ("theme.js", "figures.js", "cases.js", "sorting.js", "downloads.js")
    late = "\n".join([colours, *(_asset(name) for name in names)])
    plotly = get_plotlyjs()
    return pages.get_template("page.html").render(
        document=document,
        sections=sections,
        policy=Markup(_policy([early, plotly, late])),
        styles=Markup("\n".join(styles)),
        early=Markup(early),
        plotly=Markup(plotly),
        late=Markup(late),
    )
