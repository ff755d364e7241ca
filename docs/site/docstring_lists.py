"""Docstrings as Markdown: columns of names and meanings become lists, a closing "::" a colon, shapes no links."""

from __future__ import annotations

import re
from typing import Any

import griffe

_SHAPE = re.compile(r"(`[^`]*`|^ {4}.*$)|\]\[", re.MULTILINE)  # of arrays, as in [rows][columns], but for code
_ENTRY = re.compile(r"([\w*][\w*., \[\]`]*?)\s{2,}(\S.*)")


def as_list(paragraph: str) -> str:
    """Return a paragraph of ``name  meaning`` lines as a list; any other one as it is.

    A line that is indented continues the meaning above it.
    """
    entries: list[tuple[str, str]] = []
    for line in paragraph.splitlines():
        if (found := _ENTRY.fullmatch(line)) is not None:
            entries.append((found[1], found[2]))
        elif line.startswith("  ") and entries:
            entries[-1] = (entries[-1][0], f"{entries[-1][1]} {line.strip()}")
        else:
            return paragraph
    return "\n".join(f"- `{name.strip('`')}`: {meaning}" for name, meaning in entries)


def as_markdown(docstring: str) -> str:
    """Return a docstring as Markdown has it."""
    docstring = _SHAPE.sub(lambda found: found[1] or "]\\[", docstring)
    paragraphs = [as_list(one) for one in docstring.split("\n\n")]
    return re.sub(r"::(?=\n\n {4})", ":", "\n\n".join(one for one in paragraphs if one.strip() != "::"))


class DocstringLists(griffe.Extension):
    """Rewrites each docstring as it is read."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """See griffe.Extension."""
        if obj.docstring is not None:
            obj.docstring.value = as_markdown(obj.docstring.value)
