"""The differences of each kind of element, over the columns of a page."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

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
