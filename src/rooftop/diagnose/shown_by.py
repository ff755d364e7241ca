"""Which lab shows what a finding names on this machine, and which rung of a ladder got rid of it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from pydantic import TypeAdapter

from rooftop.files.document import Document

FILE = Path("experiments") / "findings.toml"


class Shown(Document):
    """Where a finding is explained.

    lab   for `rooftop lab`
    rung  of a ladder, or of a lab where no ladder had the fault; None: there is none
    """

    lab: str
    rung: str | None = None


def shown_by(root: Path) -> Mapping[str, Shown]:
    """Return what shows each finding, by its name; nothing where there is no tree with labs."""
    try:
        text = (root / FILE).read_text(encoding="utf-8")
    except OSError:
        return {}
    return TypeAdapter(dict[str, Shown]).validate_python(tomllib.loads(text))
