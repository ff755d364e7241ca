"""What was opened of a store, and how long it took."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from benchmarks.form import Asked, table

MOST_S = 2.0


@dataclass(frozen=True)
class Opened:
    """A command or a page, and its seconds: the first time, and again. `cpu_s`: of the second, its own."""

    words: str
    first_s: float
    again_s: float
    cpu_s: float


@dataclass(frozen=True)
class OpenedStore:
    """All that was opened of one store, which has so many samples."""

    HEAD: ClassVar = ["what", "first, s", "again, s", "its processor time, s"]

    kind: str
    samples: int
    opened: Sequence[Opened]

    @property
    def asked(self) -> list[Asked]:
        """Figures asked and reached."""
        return [Asked.at_most(f"{self.kind}: {one.words}", MOST_S, one.again_s, "s") for one in self.opened]

    @property
    def part(self) -> str:
        """Its part of the page."""
        rows = [(one.words, f"{one.first_s:.2f}", f"{one.again_s:.2f}", f"{one.cpu_s:.2f}") for one in self.opened]
        return f"## {self.kind}, {self.samples} samples\n\n{table(self.HEAD, rows)}"
