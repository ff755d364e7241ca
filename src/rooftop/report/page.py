"""The report of a climb as one page: its sections in their frame."""

from __future__ import annotations

from markupsafe import Markup

from rooftop.documents import ClimbDocument
from rooftop.report.frame import framed, in_script, templates
from rooftop.report.sections import discover

_SCRIPTS = ("figures.js", "cases.js", "sorting.js", "downloads.js")


def render(document: ClimbDocument) -> str:
    """The report of ``document`` as one HTML page."""
    pages = templates()
    pages.globals["document_json"] = in_script(document.model_dump_json(by_alias=True))
    sections = [section for module in discover() for section in module.render(document, pages)]
    names = ", ".join(experiment.name for experiment in document.experiments) or "no experiment"
    aside = pages.from_string(
        'Campaign <span class="name">{{ document.campaign }}</span>, begun <time datetime="{{ document.started }}">'
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
