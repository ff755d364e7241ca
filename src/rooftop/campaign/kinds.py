"""Finds the kinds of campaigns: a folder of the package whose ``run`` has a KIND."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from rooftop.campaign.kind import Kind
from rooftop.errors import Misuse


def kind_named(name: str) -> Kind[Any, Any]:
    """Return a kind by its name. Raises Misuse where there is none."""
    try:
        kind: Kind[Any, Any] = import_module(f"rooftop.{name}.run").KIND
    except (ModuleNotFoundError, AttributeError) as error:
        raise Misuse(f"a campaign is of kind {name!r}, which this version of Rooftop does not know") from error
    return kind
