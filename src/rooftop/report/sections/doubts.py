"""The doubts about the measurement: what was seen, and what to do about it."""

from __future__ import annotations

from jinja2 import Environment
from markupsafe import Markup

from rooftop.documents import ClimbDocument
from rooftop.report.figure_page import Findings
from rooftop.report.sections import Section

ORDER = 30


def render(document: ClimbDocument, pages: Environment) -> list[Section]:
    """The list of doubts, or the plain statement that there is none."""
    says = "Each of these is a reason to distrust a figure above."
    part = Findings("Doubts", document.doubts, says, none="None was raised.")
    body = pages.get_template("parts/findings.html").render(part=part)
    return [Section("doubts", "Doubts", Markup(body), count=len(document.doubts))]
