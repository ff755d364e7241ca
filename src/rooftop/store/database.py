"""Opens the store's file, and brings it to the present schema."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect
from sqlalchemy.exc import SQLAlchemyError

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


def _prepare(connection: Any, _record: Any) -> None:
    # Python's own handling of transactions leaves table definitions outside of them; a kill would tear a migration.
    connection.isolation_level = None
    # WAL: a reader (a report, a second shell) never holds up a sample, and a killed writer leaves what it committed.
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", f"busy_timeout={_BUSY_LIMIT_S * 1000}"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def newest_revision() -> str:
    """Return the revision of the present schema: migrations' files begin with theirs."""
    return max(file.stem.split("_")[0] for file in (_MIGRATIONS / "versions").glob("[0-9]*.py"))


def _revision(connection: Connection) -> str | None:
    """Return a store's revision; None for a new one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return revision


def _migrate(engine: Engine) -> None:
    with engine.begin() as connection:
        if _revision(connection) == newest_revision():
            return
        from alembic import command  # it takes longer to import than a store to open

        config = alembic_config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def open_database(file: Path) -> Engine:
    """Open the store, made or migrated as needed. Raises StoreError naming the file."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        engine = create_engine(f"sqlite:///{file}")
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", _begin)
        with file.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # two that start at once must not both migrate
            _migrate(engine)
    except OSError as error:
        raise StoreError(f"the store {file} cannot be opened: {error.strerror or error}") from error
    except Exception as error:  # SQLAlchemy's, or Alembic's for a revision it does not know
        detail = error.orig if isinstance(error, SQLAlchemyError) and hasattr(error, "orig") else error
        advice = "it is damaged or of a newer Rooftop: move it away to start anew"
        raise StoreError(f"the store {file} cannot be read: {detail}; {advice}") from error
    return engine


@contextmanager
def opened_database(file: Path) -> Iterator[Engine]:
    """Open the store for a block, as `open_database` does.

    Interrupts wait while it is opened and closed: SQLAlchemy tells of one that comes as it closes a connection with a
    traceback, and drops it.
    """
    with uninterrupted():
        engine = open_database(file)
    try:
        yield engine
    finally:
        with uninterrupted():
            engine.dispose()
