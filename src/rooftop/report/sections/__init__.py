"""The sections of the report, found by their files: each module has ``ORDER``, its place on the page, and ``render``.

A new section is one new module (and a template, where it wants one); nothing else is edited.
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
    """A part of the page with its place in the navigation. ``body`` is HTML without the heading."""

    anchor: str
    title: str
    body: Markup
    count: int | None = None  # shown beside the title in the navigation


class SectionModule(Protocol):
    """What a module in this folder provides."""

    ORDER: int

    def render(self, document: ClimbDocument, pages: Environment) -> list[Section]:
        """Return the sections that this document calls for: usually one, none where there is nothing to say."""
        ...


def discover() -> list[SectionModule]:
    """Return all section modules in the order of the page."""
    return modules_of(__name__)
