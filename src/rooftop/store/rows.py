"""Read and write rows, which are dataclasses, with SQL.

An object-relational mapper took most of a command's start-up time (decision 0025).
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from functools import cache
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar


class Row(Protocol):
    """A row of `table`. Columns are named like the fields; SQLite chooses an `id` that is None."""

    __dataclass_fields__: ClassVar[dict[str, Any]]
    table: ClassVar[str]


RowT = TypeVar("RowT", bound=Row)


class _Column(NamedTuple):
    name: str
    kept: Callable[[Any], Any]
    read: Callable[[Any], Any]


def _as_it_is(value: Any) -> Any:
    return value


def _to_json(value: Any) -> str | None:
    return None if value is None else json.dumps(value)


def _from_json(text: str | None) -> Any:
    return None if text is None else json.loads(text)


@cache
def _columns(kind: type[Row]) -> tuple[_Column, ...]:
    found = []
    for field in fields(kind):
        annotation = str(field.type)
        if annotation.startswith(("dict[", "list[")):
            found.append(_Column(field.name, _to_json, _from_json))
        else:
            found.append(_Column(field.name, _as_it_is, bool if annotation == "bool" else _as_it_is))
    return tuple(found)


@cache
def _selected(kind: type[Row]) -> str:
    names = ", ".join(f'"{kind.table}"."{column.name}"' for column in _columns(kind))
    return f'SELECT {names} FROM "{kind.table}"'


def select(connection: sqlite3.Connection, kind: type[RowT], clause: str, *values: Any) -> list[RowT]:
    """Return the rows selected by a clause (JOIN, WHERE, ORDER BY). `values` replace its question marks."""
    columns = _columns(kind)
    return [
        kind(**{column.name: column.read(value) for column, value in zip(columns, one, strict=True)})
        for one in connection.execute(f"{_selected(kind)} {clause}", values)
    ]


@cache
def _insertion(kind: type[Row]) -> str:
    columns = _columns(kind)
    names, marks = ", ".join(f'"{column.name}"' for column in columns), ", ".join("?" for _ in columns)
    return f'INSERT INTO "{kind.table}" ({names}) VALUES ({marks})'


def insert(connection: sqlite3.Connection, row: Row) -> int:
    """Add a row and return its number."""
    values = [column.kept(getattr(row, column.name)) for column in _columns(type(row))]
    number = connection.execute(_insertion(type(row)), values).lastrowid
    assert number is not None
    return number


def insert_all(connection: sqlite3.Connection, rows: Sequence[Row]) -> None:
    """Add rows of one table."""
    if not rows:
        return
    columns = _columns(type(rows[0]))
    values = ([column.kept(getattr(row, column.name)) for column in columns] for row in rows)
    connection.executemany(_insertion(type(rows[0])), values)


def update(connection: sqlite3.Connection, row: Row, *names: str) -> None:
    """Write the named fields of the row with this `id`; all fields if none is named."""
    written = [column for column in _columns(type(row)) if column.name in names or (not names and column.name != "id")]
    texts = ", ".join(f'"{column.name}" = ?' for column in written)
    values = [column.kept(getattr(row, column.name)) for column in written]
    connection.execute(f'UPDATE "{row.table}" SET {texts} WHERE id = ?', [*values, getattr(row, "id")])  # noqa: B009


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit what a block writes, or roll it back if the block raises.

    What the block reads is not changed by others before it writes: a later lock would be refused if it were.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite has already rolled back if the disk is full
            connection.execute("ROLLBACK")
        raise


@contextmanager
def snapshot(connection: sqlite3.Connection) -> Iterator[None]:
    """Let a block read one state of the store, whatever others write meanwhile."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")
