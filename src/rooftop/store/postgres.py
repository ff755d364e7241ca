"""A store in a PostgreSQL database, by psycopg 3. A connection that is lost is made again, and the change with it."""

from __future__ import annotations

import logging
import math
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, cast

from rooftop.errors import Misuse, StoreError
from rooftop.store.place import Server
from rooftop.store.protocol import Insertion
from rooftop.store.reserved_numbers import ReservedNumbers

try:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict
except ImportError as missing:
    raise Misuse(
        f"a store on PostgreSQL needs psycopg, which is not there ({missing}): pip install 'rooftop[team]'"
    ) from missing

if TYPE_CHECKING:
    from sqlalchemy.engine import Engine

T = TypeVar("T")

_AGAIN_LIMIT_S = 30  # as long as SQLite waits for a lock; a server is restarted within seconds
_AGAIN_EVERY_S = 0.2
_SYNC_LOCK = 0x726F6F66  # an advisory lock of this number: one copy at a time, and one migration
_AGAIN = ("08", "57P", "40")  # lost, shut down or starting, deadlock: SQLSTATEs that begin so


# What it would warn of is raised here as an error, which the user is told in one line.
logging.getLogger("psycopg").addHandler(logging.NullHandler())

# A server that has vanished without a word, or packets that are dropped on the way, is an error within half a minute.
# The user's URL has the last word.
_PATIENCE: dict[str, Any] = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}

# A failed connection has no SQLSTATE. What a server says that is there and not yet, or no longer, at work:
_RESTARTS = re.compile(r"starting up|shutting down|recovery|not yet accepting|terminating connection")


def is_restarting(error: Exception) -> bool:
    """Return whether the server of an error has answered that it stops or starts."""
    if not isinstance(error, psycopg.OperationalError):
        return False
    return (error.sqlstate or "").startswith(_AGAIN) or bool(_RESTARTS.search(str(error)))


def may_come_back(error: Exception) -> bool:
    """Return whether the server of an error on connecting may be one that is restarted, and not one that refuses."""
    return is_restarting(error) or (isinstance(error, psycopg.OperationalError) and "FATAL" not in str(error))


def patience(url: str) -> dict[str, Any]:
    """Return how long a connection waits for an answer, as far as a URL, or PGCONNECT_TIMEOUT, does not say it.

    Raises psycopg.Error for a URL that cannot be read.
    """
    said = set(conninfo_to_dict(url)) | ({"connect_timeout"} if "PGCONNECT_TIMEOUT" in os.environ else set())
    return {name: value for name, value in _PATIENCE.items() if name not in said}


def _connected(server: Server, *, autocommit: bool = True) -> psycopg.Connection[Any]:
    """Return a new connection. Raises psycopg.Error."""
    more = patience(server.url)
    return psycopg.connect(server.url, autocommit=autocommit, fallback_application_name="rooftop", **more)


@cache
def _translated(statement: str) -> str:
    """Return a statement with psycopg's marks for values."""
    return statement.replace("%", "%%").replace("?", "%s")


class PostgresStore:
    """A `Store`."""

    def __init__(self, server: Server, read_only_s: float | None = None) -> None:
        """Connect. Raises psycopg.Error.

        read_only_s  nothing can be changed, and statements are ended that run for longer; None: all may be done
        """
        self._server, self._read_only_s = server, read_only_s
        self._first: tuple[Insertion, list[Any]] | None = None  # what the present change has added first
        self._changing = False
        self._numbers = ReservedNumbers(self._drawn)
        self._connect()

    def _connect(self) -> None:
        self._numbers.forget()
        self._connection = _connected(self._server)
        if self._read_only_s is not None:
            self._connection.execute("SET default_transaction_read_only = on")
            self._connection.execute(f"SET statement_timeout = {round(self._read_only_s * 1000)}")
        asked = "SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()"
        self._process = self._connection.execute(asked).fetchone()

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> psycopg.Cursor[Any]:
        """See `Store`."""
        alone = self._connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
        try:
            return self._run(statement, values)
        except psycopg.Error as error:
            if not alone or not self._is_lost(error):
                raise
        return self._again(lambda: self._run(statement, values))

    def _run(self, statement: str, values: Sequence[Any]) -> psycopg.Cursor[Any]:
        return self._connection.execute(_translated(statement), [_plain(value) for value in values])

    def executemany(self, statement: str, values: Iterable[Sequence[Any]], /) -> None:
        """See `Store`."""
        with self._connection.cursor() as cursor:
            cursor.executemany(_translated(statement), [[_plain(value) for value in one] for one in values])

    def inserted(self, insertion: Insertion, values: Sequence[Any]) -> int:
        """See `Store`."""
        if insertion.numbered is None:
            found = self.execute(f"{insertion.statement} RETURNING id", values).fetchone()
            assert found is not None
            number = cast(int, found[0])
        else:
            number = self._numbers.next(insertion.table)
            self.execute(insertion.numbered, [*values, number])
        if self._first is None:
            self._first = insertion, [number, *values]
        return number

    def _drawn(self, table: str, count: int) -> list[int]:
        asked = "SELECT nextval(pg_get_serial_sequence(?, 'id')) FROM generate_series(1, ?)"
        return sorted(number for (number,) in self.execute(asked, [f'"{table}"', count]))

    def written(self, change: Callable[[], T]) -> T:
        """See `Store`."""
        if self._changing or self._connection.info.transaction_status == psycopg.pq.TransactionStatus.INTRANS:
            # An error within it would end it: a snapshot must go on.
            raise StoreError(f"the store {self._server} cannot be written: a transaction is open already")
        until = time.monotonic() + _AGAIN_LIMIT_S
        while True:
            self._first = None
            done: list[T] = []
            self._changing = True
            try:
                with self._in_one_go():
                    self._connection.execute("BEGIN")
                    done.append(change())
                    self._connection.execute("COMMIT")
            except psycopg.Error as error:
                self._undone()
                if not self._is_lost(error) or time.monotonic() > until:
                    raise self._not_written(error) from error
                if self._again(self._is_there) and done:
                    return done[0]
            except BaseException:
                self._undone()
                raise
            else:
                return done[0]
            finally:
                self._changing = False

    def _in_one_go(self) -> AbstractContextManager[object]:
        """Send what a block executes without waiting, until it asks for rows or ends: one round trip for a sample.

        The block raises the first error of what was sent, at its end at the latest.
        """
        return self._connection.pipeline() if psycopg.Pipeline.is_supported() else nullcontext()

    def _is_there(self) -> bool:
        """Return whether a change was committed whose connection was lost meanwhile: all of it, or nothing of it is.

        A number of the transaction would not tell: after a crash the server gives it to another one.
        """
        if self._first is None:
            return False
        insertion, values = self._first
        return self._run(insertion.same, values).fetchone() is not None

    def _is_lost(self, error: psycopg.Error) -> bool:
        # An error without a state is not the server's: psycopg may notice a lost connection before libpq closes it.
        of_client = error.sqlstate is None and isinstance(error, psycopg.OperationalError)
        return self._connection.closed or of_client or (error.sqlstate or "").startswith(_AGAIN)

    def _again(self, ask: Callable[[], T]) -> T:
        """Connect anew as soon as the server is back, and return what is asked of it then. Raises StoreError."""
        before = self._process
        until = time.monotonic() + _AGAIN_LIMIT_S
        while True:
            told = "it does not end a connection that was lost"
            try:
                self._connection.close()
                self._connect()
                if self._ended(before):
                    return ask()
            except psycopg.OperationalError as error:  # it starts, or stops again
                told = self._server.hidden(str(error))
            if time.monotonic() > until:
                raise StoreError(f"the store {self._server} cannot be reached: {told}; see to the server, then resume")
            time.sleep(_AGAIN_EVERY_S)

    def _ended(self, process: Any) -> bool:
        """End what a lost connection has left on the server, which may yet commit. Return whether it is gone."""
        asked = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = %s AND backend_start = %s"
        return self._connection.execute(asked, process).fetchone() is None

    def _undone(self) -> None:
        if self._connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
            try:
                self._connection.execute("ROLLBACK")
            except psycopg.Error:  # with the connection
                self._connection.close()

    def _not_written(self, error: psycopg.Error) -> StoreError:
        told = self._server.hidden(str(error))
        return StoreError(f"the store {self._server} cannot be written: {told}; see to the server, then resume")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """See `Store`."""
        try:
            self.execute("BEGIN")
            yield
            self._connection.execute("COMMIT")
        except psycopg.Error as error:
            self._undone()
            raise self._not_written(error) from error
        except BaseException:
            self._undone()
            raise

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """See `Store`."""
        try:
            self.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield
        except psycopg.Error as error:
            told = self._server.hidden(str(error))
            raise StoreError(f"the store {self._server} cannot be read: {told}; see to the server") from error
        finally:
            self._undone()

    def claim(self, campaign: str) -> None:
        """See `Store`. A session refers to its campaign, whose lock it waits for."""
        self._connection.execute("SELECT pg_advisory_xact_lock(%s)", [_SYNC_LOCK])
        self._connection.execute("SELECT id FROM campaign WHERE id = %s FOR UPDATE", [campaign])

    def revision(self) -> str | None:
        """Return the revision of the schema; None for a new database."""
        if self._connection.execute("SELECT to_regclass('alembic_version')").fetchone() == (None,):
            return None
        found = self._connection.execute("SELECT version_num FROM alembic_version").fetchone()
        return found[0] if found else None

    def close(self) -> None:
        """See `Store`."""
        self._connection.close()


def migration_engine(server: Server) -> tuple[Engine, str]:
    """Return an engine with a connection of its own, and the statement by which one migration waits for another."""
    from sqlalchemy import create_engine
    from sqlalchemy.pool import NullPool

    def connect() -> psycopg.Connection[Any]:
        return _connected(server, autocommit=False)

    engine = create_engine("postgresql+psycopg://", creator=connect, poolclass=NullPool)
    return engine, f"SELECT pg_advisory_xact_lock({_SYNC_LOCK})"


def _plain(value: Any) -> Any:
    """Return a value as both databases take it: PostgreSQL's texts have no NUL, and NaN is NULL on SQLite."""
    if isinstance(value, str):
        return value.replace("\0", "\ufffd")
    return None if isinstance(value, float) and math.isnan(value) else value
