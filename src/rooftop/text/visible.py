"""Texts of users and programs as they may be shown: what a terminal would obey is spelled out."""

from __future__ import annotations

import re

# Control characters but for tabs and line feeds, and those that turn the direction of what follows.
_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    """Return a text with escapes in the place of control characters: ``\\\\x1b[2J`` clears no screen."""
    return _OBEYED.sub(lambda found: repr(found[0])[1:-1], text)


def on_one_line(text: str) -> str:
    """Return a text as a line of a list may show it: a line feed, which would begin another entry, is spelled out."""
    return visible(text).replace("\n", "\\n")


def visible_json(text: str) -> str:
    """Return JSON that a terminal may show: it means the same, with escapes of JSON for what was not escaped yet."""
    return _OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
