"""What an address shows: the parts of a page, and the same as a JSON document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import rooftop
from rooftop.report.figure_page import Part, figure_page
from rooftop.report.frame import Link, within_site

_PAGES = (
    ("Campaigns", "/campaigns"),
    ("Machines", "/machines"),
    ("History", "/history"),
    ("Side by side", "/sides"),
    ("Jobs", "/jobs"),
)
_COMMIT = re.compile(r"[0-9a-f]{40,64}")
LONGEST = 300  # characters of a user's text in a table


@dataclass(frozen=True)
class View:
    """A page and its JSON.

    live_s  seconds after which its parts are fetched again; None: never
    """

    heading: str
    aside: str
    parts: Sequence[Part]
    content: dict[str, Any] = field(default_factory=dict)
    live_s: float | None = None

    def page(self, address: str) -> str:
        """Return the page, with the site's navigation."""
        with within_site(site_links(address)):
            return figure_page(self.heading, self.aside, self.parts, rooftop.__version__, live_s=self.live_s)


def site_links(address: str) -> list[Link]:
    """Return the navigation of the page at an address."""
    return [Link(text, to, here=address == to or address.startswith(f"{to}/")) for text, to in _PAGES]


def shortened(text: str, longest: int = LONGEST) -> str:
    """Return a user's text as a table shows it."""
    flat = " ".join(text.split())
    return flat if len(flat) <= longest else f"{flat[: longest - 1]}…"


def cut(name: str) -> str:
    """Return an id, or another word of Rooftop's own, which is short unless somebody has made it up."""
    return shortened(name, 24)


def clock(iso: str) -> str:
    """Return a time in ISO 8601, UTC, to the minute."""
    return iso[:16].replace("T", " ")


def revision(name: str) -> str:
    """Return a commit as it is usually cut, and a command as a table shows it."""
    return name[:12] if _COMMIT.fullmatch(name) else shortened(name, 60)
