"""What a store can do, whichever database it is in. A statement is SQL that SQLite and PostgreSQL both read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol, TypeVar

T = TypeVar("T")


class Answer(Protocol):
    """The rows that a statement yields."""

    def __iter__(self) -> Iterator[Any]: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...


class Insertion(NamedTuple):
    """How a row is added.

    table      that it is added to
    statement  adds it; its values are those of the columns
    numbered   adds it with an id that was chosen before; its values are those of the columns and the id. None: the
               columns have the id
    same       yields a row where the row of an id has these values; its values are the id and those of the columns
    """

    table: str
    statement: str
    numbered: str | None
    same: str


class Store(Protocol):
    """An open store. Values replace a statement's question marks. Raises StoreError where it cannot be written."""

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Answer:
        """Run a statement. Outside of a transaction it is one by itself."""
        ...

    def executemany(self, statement: str, values: Iterable[Sequence[Any]], /) -> Any:
        """Run a statement that yields no rows, once for each of the values."""
        ...

    def inserted(self, insertion: Insertion, values: Sequence[Any]) -> int:
        """Add one row and return the `id` that the store has given it."""
        ...

    def written(self, change: Callable[[], T]) -> T:
        """Run a change in a transaction and return what it returns.

        Where the connection to a server is lost, a change may be run again, unless its first row from `inserted` is
        there. Updates and deletions must do no harm when they are repeated. Within a transaction or a snapshot it
        raises StoreError, and these go on.
        """
        ...

    def transaction(self) -> AbstractContextManager[None]:
        """Commit what a block writes, or roll it back if the block raises. The block is run once."""
        ...

    def snapshot(self) -> AbstractContextManager[None]:
        """Let a block, which only reads, read one state of the store, whatever others write meanwhile."""
        ...

    def claim(self, campaign: str) -> None:
        """Let nobody else copy this campaign or begin a session of it until the transaction ends."""
        ...

    def close(self) -> None: ...
