"""Finds the kinds of campaigns: a folder of the package whose ``run.py`` has a KIND, and ``command.py`` its command."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import rooftop
from rooftop.campaign.kind import Kind
from rooftop.errors import Misuse


def kind_names() -> list[str]:
    """Return the names of all kinds, without importing them, which takes long."""
    files = Path(rooftop.__path__[0]).glob("[!_]*/run.py")
    return sorted(file.parent.name for file in files if "\nKIND = " in file.read_text(encoding="utf-8"))


def kind_named(name: str) -> Kind[Any, Any]:
    """Return a kind by its name. Raises Misuse where there is none."""
    try:
        kind: Kind[Any, Any] = import_module(f"rooftop.{name}.run").KIND
    except (ModuleNotFoundError, AttributeError) as error:
        raise Misuse(f"a campaign is of kind {name!r}, which this version of Rooftop does not know") from error
    return kind
