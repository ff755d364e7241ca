"""Open the store's file and migrate it to the current schema."""

from __future__ import annotations

import fcntl
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rooftop.errors import StoreError
from rooftop.interrupts import uninterrupted

if TYPE_CHECKING:
    from alembic.config import Config

_BUSY_LIMIT_S = 30
_MIGRATIONS = Path(__file__).parent / "migrations"


def alembic_config() -> Config:
    """Return Alembic's configuration; there is no ini file."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.set_main_option("path_separator", "os")
    return config


def _connect(file: Path) -> sqlite3.Connection:
    # Python's own transactions do not cover table definitions: a kill would leave half a migration.
    connection = sqlite3.connect(file, isolation_level=None)
    # WAL: readers (a report, a second shell) do not block writers, and what a killed writer committed stays.
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", f"busy_timeout={_BUSY_LIMIT_S * 1000}"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def newest_revision() -> str:
    """Return the revision of the current schema, from the file names of the migrations."""
    return max(file.stem.split("_")[0] for file in (_MIGRATIONS / "versions").glob("[0-9]*.py"))


def _revision(connection: sqlite3.Connection) -> str | None:
    """Return a store's revision; None for a new store."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone():
        return None
    found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return found[0] if found else None


def _migrate(connection: sqlite3.Connection) -> None:
    if _revision(connection) == newest_revision():
        return
    from alembic import command  # importing it and SQLAlchemy takes longer than opening a store
    from sqlalchemy import create_engine, event
    from sqlalchemy.pool import StaticPool

    engine = create_engine("sqlite://", creator=lambda: connection, poolclass=StaticPool)
    event.listen(engine, "begin", lambda begun: begun.exec_driver_sql("BEGIN"))
    with engine.begin() as beginning:
        config = alembic_config()
        config.attributes["connection"] = beginning
        command.upgrade(config, "head")


def open_database(file: Path) -> sqlite3.Connection:
    """Open the store; create or migrate it if needed. Raises StoreError naming the file."""
    connection: sqlite3.Connection | None = None
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # two processes must not migrate at the same time
            connection = _connect(file)
            _migrate(connection)
    except OSError as error:
        raise StoreError(f"the store {file} cannot be opened: {error.strerror or error}") from error
    except Exception as error:  # from SQLite, or from Alembic for an unknown revision
        if connection is not None:
            connection.close()
        advice = "it is damaged or from a newer Rooftop: move it away to start with an empty store"
        raise StoreError(f"the store {file} cannot be read: {getattr(error, 'orig', error)}; {advice}") from error
    return connection


@contextmanager
def opened_database(file: Path) -> Iterator[sqlite3.Connection]:
    """Open the store for a block, as `open_database` does. Interrupts are held back while it is opened and closed."""
    with uninterrupted():
        connection = open_database(file)
    try:
        yield connection
    finally:
        with uninterrupted():
            connection.close()
