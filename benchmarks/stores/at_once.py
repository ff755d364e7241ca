"""Processes that write to one store at the same time, 64 on PostgreSQL and 8 on SQLite."""

from __future__ import annotations

import sys
import tempfile
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from benchmarks.form import ROOT, Asked
from rooftop.store.database import opened_database
from rooftop.store.place import read_place

if TYPE_CHECKING:
    from postgres_server import PostgresServer
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
    with tempfile.TemporaryDirectory(prefix="rooftop-stores-") as folder:
        found = [_written("SQLite", str(Path(folder) / "store.sqlite"), _ON_FILE, samples)]
    server = server_of_tests()
    if server is None:
        return found
    with server as running:
        return [*found, _written("PostgreSQL", running.new_store().url, _ON_SERVER, samples)]


def server_of_tests() -> AbstractContextManager[PostgresServer] | None:
    """Start a PostgreSQL server for a block; None, with a message, where that is not possible."""
    _find_fakes()
    from postgres_server import running_server, why_not

    if (reason := why_not()) is None:
        return running_server()
    print(f"without PostgreSQL: {reason}", file=sys.stderr)
    return None


def _find_fakes() -> None:
    """Let the tests' own writers and server be imported: they are no part of the bench."""
    if (fakes := str(ROOT / "tests" / "fakes")) not in sys.path:
        sys.path[:0] = [fakes]


def _written(store: str, place: str, processes: int, samples: int) -> AtOnce:
    _find_fakes()
    from store_writers import OF_BLOCK, write_at_once, written

    blocks = -(-samples // processes // OF_BLOCK)
    said = write_at_once(place, processes, blocks)
    for one in said:
        print(one, file=sys.stderr)
    with opened_database(read_place(place)) as connection:
        return AtOnce(store, processes, written(connection, processes, blocks), said)
