"""The differences of each kind of element to CalculiX, and the page that shows them by load case or material."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from benchmarks.form import page, table
from rooftop.solvers.elasticity import KINDS, Kind

Column = TypeVar("Column")


def differences_of_kinds(
    difference: Callable[[Kind, Column, Path], float], columns: Sequence[Column]
) -> dict[Kind, Sequence[float]]:
    """Return each kind's differences in the order of the columns, and print them as they come."""
    found: dict[Kind, Sequence[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            found[kind] = [difference(kind, column, Path(folder)) for column in columns]
            print(f"{kind}: {' '.join(f'{one:.1e}' for one in found[kind])}", flush=True)
    return found


def differences_page(
    title: str,
    command: str,
    text: str,
    columns: Mapping[str, str],
    found: Mapping[tuple[str, ...], Sequence[float]],
    asked: float,
    release: str,
) -> tuple[str, bool]:
    """Return a page of differences and whether all of them are small enough.

    columns  the title of each column of differences, with what it stands for
    found    differences by the first cells of their row, of which the last is CalculiX's name of the element
    asked    the largest difference that is accepted
    release  of CalculiX
    """
    rows = [
        [*names, *(f"{one:.1e}" for one in row), "met" if max(row) <= asked else "missed"]
        for names, row in found.items()
    ]
    head = [*("element", "CalculiX")[: len(next(iter(found)))], *columns, ""]
    notes = "\n".join(f"- *{name}*: {meaning}." for name, meaning in columns.items())
    shown = page(title, command, text, table(head, rows), notes, on=f"CalculiX {release}")
    return shown, max(map(max, found.values())) <= asked
