"""The doubts about the measurement: the evidence for each, and what to do about it."""

from __future__ import annotations

from jinja2 import Environment
from markupsafe import Markup

from rooftop.documents import ClimbDocument
from rooftop.report.figure_page import Findings
from rooftop.report.sections import Section

ORDER = 30


def render(document: ClimbDocument, pages: Environment) -> list[Section]:
    """Return the list of doubts, or a sentence that there are none."""
    says = "Each of these is a reason to distrust a figure above."
    part = Findings("Doubts", document.doubts, says, none="There are none.")
    body = pages.get_template("parts/findings.html").render(part=part)
    return [Section("doubts", "Doubts", Markup(body), count=len(document.doubts))]
