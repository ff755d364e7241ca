"""Open a store and migrate it to the current schema."""

from __future__ import annotations

import fcntl
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rooftop.errors import RooftopError, StoreError
from rooftop.interrupts import uninterrupted
from rooftop.store.place import FILE_NAME, Place, Server
from rooftop.store.protocol import Store
from rooftop.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy.engine import Engine

_MIGRATIONS = Path(__file__).parent / "migrations"
_SILENT_S = 3.0  # as long as a restart takes, and no longer: most servers that do not answer are not there
_COMES_BACK_S = 30.0  # a server that answers that it stops or starts


def alembic_config() -> Config:
    """Return Alembic's configuration; there is no ini file."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.set_main_option("path_separator", "os")
    return config


def newest_revision() -> str:
    """Return the revision of the current schema, from the file names of the migrations."""
    return max(file.stem.split("_")[0] for file in (_MIGRATIONS / "versions").glob("[0-9]*.py"))


def _revision(store: SqliteStore) -> str | None:
    """Return a store's revision; None for a new store."""
    if not store.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone():
        return None
    found = store.execute("SELECT version_num FROM alembic_version").fetchone()
    return found[0] if found else None


def _require_tables(store: SqliteStore) -> None:
    """Raise ValueError for what runs when tables are read or written: a view may have rows without end."""
    found = store.execute("SELECT type, name FROM sqlite_master WHERE type NOT IN ('table', 'index')").fetchone()
    if found is not None:
        raise ValueError(f"it has a {found[0]}, {str(found[1])[:80]!r}, and stores have tables only")


def _migrate(store: SqliteStore) -> None:
    if _revision(store) == newest_revision():
        return
    from sqlalchemy import create_engine, event  # importing it and Alembic takes longer than opening a store
    from sqlalchemy.pool import StaticPool

    engine = create_engine("sqlite://", creator=lambda: store, poolclass=StaticPool)
    event.listen(engine, "begin", lambda begun: begun.exec_driver_sql("BEGIN"))
    _upgrade(engine)


def _upgrade(engine: Engine, first: str | None = None) -> None:
    """Bring a store to the current schema, in one transaction that begins with a statement."""
    from alembic import command

    with engine.begin() as beginning:
        if first is not None:
            beginning.exec_driver_sql(first)
        config = alembic_config()
        config.attributes["connection"] = beginning
        command.upgrade(config, "head")


def open_database(place: Place) -> Store:
    """Open a store; create or migrate it if needed. Raises StoreError naming it."""
    return _open_server(place) if isinstance(place, Server) else _open_file(place)


def _lock_of(file: Path) -> Path:
    """Return the lock beside a store: no name that another program's file has, such as uv.lock beside uv.sqlite."""
    return file.with_suffix(".lock") if file.name == FILE_NAME else file.with_name(f"{file.name}.lock")


def _open_file(file: Path) -> SqliteStore:
    store: SqliteStore | None = None
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with _lock_of(file).open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # two processes must not migrate at the same time
            store = SqliteStore.opened(file)
            _require_tables(store)
            _migrate(store)
    except OSError as error:
        raise StoreError(f"the store {file} cannot be opened: {error.strerror or error}") from error
    except Exception as error:  # from SQLite, or from Alembic for an unknown revision
        if store is not None:
            store.close()
        advice = "it is damaged or from a newer Rooftop: move it away to start with an empty store"
        raise StoreError(f"the store {file} cannot be read: {getattr(error, 'orig', error)}; {advice}") from error
    return store


def _open_server(server: Server) -> Store:
    from rooftop.store.postgres import is_restarting, may_come_back  # it takes longer to import than all the rest

    latest = time.monotonic() + _COMES_BACK_S
    until = time.monotonic() + _SILENT_S
    while True:
        try:
            return _opened_server(server)
        except RooftopError:
            raise
        except Exception as error:  # from psycopg, or from Alembic for an unknown revision
            original = getattr(error, "orig", error)
            if is_restarting(original):
                until = latest
            if may_come_back(original) and time.monotonic() < until:
                time.sleep(_SILENT_S / 10)
                continue
            told = server.hidden(str(original))
            advice = "is the server running, may this user create tables there, and is it of no newer Rooftop?"
            raise StoreError(f"the store {server} cannot be opened: {told}; {advice}") from error


def _opened_server(server: Server) -> Store:
    from rooftop.store.postgres import PostgresStore, migration_engine

    store = PostgresStore(server)
    try:
        if store.revision() == newest_revision():
            return store
        store.close()  # one connection at a time: many processes may open a new store at once, and a server has few
        engine, lock = migration_engine(server)
        try:
            _upgrade(engine, lock)
        finally:
            engine.dispose()
        return PostgresStore(server)
    except BaseException:
        store.close()
        raise


def _read_only(place: Place, limit_s: float) -> tuple[Store, str | None]:
    """Return a store that can only be read, and its revision."""
    if not isinstance(place, Server):
        opened = SqliteStore.opened_for_reading(place, limit_s)
        try:
            _require_tables(opened)
            return opened, _revision(opened)
        except BaseException as error:
            opened.close()
            if isinstance(error, ValueError):
                raise StoreError(f"the store {place} cannot be read: {error}") from error
            raise
    from rooftop.store.postgres import PostgresStore

    try:
        served = PostgresStore(place, read_only_s=limit_s)
        return served, served.revision()
    except RooftopError:
        raise
    except Exception as error:  # from psycopg
        told = place.hidden(str(error))
        raise StoreError(f"the store {place} cannot be read: {told}; is the server running?") from error


@contextmanager
def opened_for_reading(place: Place, limit_s: float) -> Iterator[Store]:
    """Open a store for a block that reads one state of it, for at most so many seconds.

    Nothing is created, migrated or locked. Raises StoreError where no store of this version is, or it takes longer.
    """
    store: Store | None = None
    try:
        store, revision = _read_only(place, limit_s)
        if revision != newest_revision():
            told = f"the store {place} has the tables of another version"
            raise StoreError(f"{told}: 'rooftop list --campaigns' brings older ones up to date")
        with store.snapshot():
            yield store
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_INTERRUPT:
            raise StoreError(f"the store {place} was not read within {limit_s:g} s: ask for less") from error
        raise StoreError(f"the store {place} cannot be read: {error}") from error
    finally:
        if store is not None:
            store.close()


@contextmanager
def opened_database(place: Place) -> Iterator[Store]:
    """Open a store for a block, as `open_database` does. Interrupts are held back while it is opened and closed."""
    with uninterrupted():
        store = open_database(place)
    try:
        yield store
    finally:
        with uninterrupted():
            store.close()
