"""Finds the kinds of campaigns about commands: a folder of the package whose ``run`` has a KIND."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from rooftop.campaign.kind import Kind


def kind_named(name: str) -> Kind[Any, Any]:
    """Return a kind by its name."""
    kind: Kind[Any, Any] = import_module(f"rooftop.{name}.run").KIND
    return kind
