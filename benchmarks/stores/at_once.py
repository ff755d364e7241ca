"""Processes that write to one store at the same time, 64 on PostgreSQL and 8 on SQLite."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from benchmarks.form import ROOT, Asked
from rooftop.store.database import opened_database
from rooftop.store.place import read_place

if TYPE_CHECKING:
    from store_writers import Written

_ON_SERVER, _ON_FILE = 64, 8


@dataclass(frozen=True)
class AtOnce:
    """What came of so many processes. `said`: what they said, which is nothing where all went well."""

    HEAD: ClassVar = ["store", "processes", "samples", "commits", "commits a second"]

    store: str
    processes: int
    written: Written
    said: list[str]

    @property
    def asked(self) -> list[Asked]:
        """Figures asked and reached."""
        told = f"{self.processes} processes on {self.store}"
        counts = {"lost": self.written.lost, "twice": self.written.twice}
        return [
            *(Asked.at_most(f"{told}: samples {name}", 0, count) for name, count in counts.items()),
            Asked.at_most(f"{told}: not finished, or with an error", 0, max(self.written.unfinished, len(self.said))),
        ]

    @property
    def row(self) -> list[str]:
        """Its row of the table."""
        rate = self.written.commits / self.written.seconds if self.written.seconds else 0.0
        counts = (self.processes, self.written.stored, self.written.commits)
        return [self.store, *map(str, counts), f"{rate:.0f}"]


def at_once(samples: int) -> list[AtOnce]:
    """Write so many samples at least to each kind of store; to PostgreSQL where a server can be started."""
    # The tests' own writers and server: they are no part of the bench.
    sys.path[:0] = [str(ROOT / "tests" / "fakes")]
    from postgres_server import running_server, why_not

    with tempfile.TemporaryDirectory(prefix="rooftop-stores-") as folder:
        found = [_written("SQLite", str(Path(folder) / "store.sqlite"), _ON_FILE, samples)]
    if (reason := why_not()) is not None:
        print(f"without PostgreSQL: {reason}", file=sys.stderr)
        return found
    with running_server() as server:
        return [*found, _written("PostgreSQL", server.new_store().url, _ON_SERVER, samples)]


def _written(store: str, place: str, processes: int, samples: int) -> AtOnce:
    from store_writers import OF_BLOCK, write_at_once, written

    blocks = -(-samples // processes // OF_BLOCK)
    said = write_at_once(place, processes, blocks)
    for one in said:
        print(one, file=sys.stderr)
    with opened_database(read_place(place)) as connection:
        return AtOnce(store, processes, written(connection, processes, blocks), said)
