"""Reads the variants of a lab from its source, so that its ladder is known before it is built.

The source's last lines name them (``native/include/rooftop/lab.hpp``)::

    ROOFTOP_LAB(Counting,
                variant<Counters<8>, Counting>("10-shared-line", "All counters in one line."),
                variant<Counters<64>, Counting>("20-line-apart", "A line for each counter."));

A lab in Python ends with the same table (``src/rooftop/lab/in_python.py``)::

    VARIANTS = (
        variant("10-bus", "One wire that all share.", Bus),
    )
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

SOURCE = "lab.cpp"
PYTHON_SOURCE = "lab.py"

_TEXTS = r'(?:"(?:[^"\\\n]|\\.)*"\s*)+'
_VARIANT = re.compile(rf'\bvariant<[^;"()]*>\(\s*(?P<name>{_TEXTS}),\s*(?P<idea>{_TEXTS})\)')
_PYTHON_VARIANT = re.compile(rf"\bvariant\(\s*(?P<name>{_TEXTS}),\s*(?P<idea>{_TEXTS}),\s*[^\s)]")


@dataclass(frozen=True)
class Variant:
    """One rung of a lab's ladder: NN-idea[.isa], and the idea in a sentence."""

    name: str
    idea: str


def _text(literals: str) -> str:
    """Return what neighbouring literals say; C++ and Python join them alike."""
    return str(ast.literal_eval(f"({literals})"))


def read_variants(source: str) -> list[Variant]:
    """Return the variants that the text of a lab names, in its order."""
    _, macro, table = source.rpartition("ROOFTOP_LAB(")
    rows = _VARIANT.finditer(table) if macro else _PYTHON_VARIANT.finditer(source.rpartition("\nVARIANTS = ")[2])
    return [Variant(_text(found["name"]), _text(found["idea"])) for found in rows]
