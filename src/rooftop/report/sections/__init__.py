"""The sections of the report. Each module here has ``ORDER``, its place on the page, and ``render``.

To add a section, add a module, and a template if it needs one. Nothing else is edited.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from jinja2 import Environment
from markupsafe import Markup

from rooftop.documents import ClimbDocument
from rooftop.plugins import modules_of


@dataclass(frozen=True)
class Section:
    """A part of the page, usually with an entry in the navigation. ``body`` is HTML without the heading."""

    anchor: str
    title: str
    body: Markup
    count: int | None = None  # shown beside the title in the navigation
    listed: bool = True  # in the navigation


class SectionModule(Protocol):
    """What a module in this folder provides."""

    ORDER: int

    def render(self, document: ClimbDocument, pages: Environment) -> list[Section]:
        """Return the sections for this document: usually one, none if there is nothing to show."""
        ...


def discover() -> list[SectionModule]:
    """Return all section modules in page order."""
    return modules_of(__name__)
