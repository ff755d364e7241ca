"""Find what is one file each: the modules of a folder, so that no list of them is kept."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules
from typing import Any


def modules_of(package: str) -> list[Any]:
    """Import the modules of a package; return them by their ORDER, those without one by their names."""
    found: list[Any] = [import_module(f"{package}.{one.name}") for one in iter_modules(sys.modules[package].__path__)]
    return sorted(found, key=lambda module: getattr(module, "ORDER", 0))


def found(package: str, evidence: Any, wanted: Callable[[Any], bool] = lambda module: True) -> list[Any]:
    """Return what the function ``find`` of each module of a package finds in the evidence; `wanted` selects modules."""
    return [one for module in modules_of(package) if wanted(module) for one in module.find(evidence)]
