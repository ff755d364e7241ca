"""A store in an SQLite file, by Python's own connection: a sample is kept between two runs of a measured program."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from rooftop.errors import StoreError
from rooftop.store.protocol import Insertion

T = TypeVar("T")

_BUSY_LIMIT_S = 30
_LOOK_EVERY = 100_000  # instructions of SQLite's machine, some milliseconds


def _advice(error: sqlite3.Error) -> str:
    if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
        return f"another process has been writing for {_BUSY_LIMIT_S} s, such as a sync or a collect: wait for its end"
    return "free some space"


class SqliteStore(sqlite3.Connection):
    """A `Store`."""

    @classmethod
    def opened(cls, file: Path) -> SqliteStore:
        """Open a file, or create it."""
        # Python's own transactions do not cover table definitions: a kill would leave half a migration.
        store = sqlite3.connect(file, isolation_level=None, factory=cls)
        # WAL: readers (a report, a second shell) do not block writers, and what a killed writer committed stays.
        for one in (
            "journal_mode=WAL",
            "synchronous=NORMAL",
            "foreign_keys=ON",
            f"busy_timeout={_BUSY_LIMIT_S * 1000}",
        ):
            store.execute(f"PRAGMA {one}")
        return store

    @classmethod
    def opened_for_reading(cls, file: Path, limit_s: float) -> SqliteStore:
        """Open a file that is there; nothing of it can be changed. Statements are ended that run after so many seconds.

        In WAL mode a reader takes no lock that a writer waits for.
        """
        store = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None, factory=cls)
        for one in ("query_only=ON", f"busy_timeout={round(limit_s * 1000)}"):
            store.execute(f"PRAGMA {one}")
        until = time.monotonic() + limit_s
        store.set_progress_handler(lambda: time.monotonic() > until, _LOOK_EVERY)
        return store

    def inserted(self, insertion: Insertion, values: Sequence[Any]) -> int:
        """See `Store`."""
        number = self.execute(insertion.statement, values).lastrowid
        assert number is not None
        return number

    def written(self, change: Callable[[], T]) -> T:
        """See `Store`."""
        with self.transaction():
            return change()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """See `Store`."""
        try:
            # The lock is taken at once: one that is taken after reading is refused if others have written meanwhile.
            self.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.execute("COMMIT")
            except BaseException:
                if self.in_transaction:  # SQLite has already rolled back if the disk is full
                    self.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise StoreError(f"the store cannot be written: {error}; {_advice(error)}, then resume") from error

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """See `Store`."""
        self.execute("BEGIN")
        try:
            yield
        finally:
            self.execute("ROLLBACK")

    def claim(self, campaign: str) -> None:
        """See `Store`: a transaction has the whole file."""
