"""Read and write rows, which are dataclasses, with SQL.

An object-relational mapper took most of a command's start-up time (decision 0025).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import cache
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

from rooftop.errors import StoreError
from rooftop.store.protocol import Insertion, Store


class Row(Protocol):
    """A row of `table`. Columns are named like the fields; the store chooses an `id` that is None, the last of them."""

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


def _from_json(text: str) -> Any:
    return json.loads(text)


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


def select(store: Store, kind: type[RowT], clause: str, *values: Any) -> list[RowT]:
    """Return the rows selected by a clause (JOIN, WHERE, ORDER BY). `values` replace its question marks."""
    changed = [(place, column.read) for place, column in enumerate(_columns(kind)) if column.read is not _as_it_is]

    def read(one: Sequence[Any]) -> RowT:
        fields = list(one)
        for place, change in changed:
            if fields[place] is not None:
                fields[place] = change(fields[place])
        return kind(*fields)

    try:
        return [read(one) for one in store.execute(f"{_selected(kind)} {clause}", values)]
    except (TypeError, ValueError, RecursionError) as error:
        raise StoreError(f"the store has a row of the table {kind.table} that no version wrote: {error}") from error


def _given(row: Row) -> tuple[_Column, ...]:
    """Return the columns that an insertion names: without the `id` that the store is to choose."""
    columns = _columns(type(row))
    return columns if getattr(row, "id") is not None else columns[:-1]  # noqa: B009


@cache
def _insertion(kind: type[Row], columns: tuple[_Column, ...]) -> Insertion:
    names = [column.name for column in columns]
    equal = " AND ".join(f'"{name}" IS NOT DISTINCT FROM ?' for name in names)
    same = f'SELECT 1 FROM "{kind.table}" WHERE id = ? AND {equal}'
    numbered = None if "id" in names else _insert_into(kind, [*names, "id"])
    return Insertion(kind.table, _insert_into(kind, names), numbered, same)


def _insert_into(kind: type[Row], names: Sequence[str]) -> str:
    columns, marks = ", ".join(f'"{name}"' for name in names), ", ".join("?" for _ in names)
    return f'INSERT INTO "{kind.table}" ({columns}) VALUES ({marks})'


def insert(store: Store, row: Row) -> int:
    """Add a row and return its number."""
    columns = _given(row)
    return store.inserted(
        _insertion(type(row), columns), [column.kept(getattr(row, column.name)) for column in columns]
    )


def insert_all(store: Store, rows: Sequence[Row]) -> None:
    """Add rows of one table."""
    _insert_all(store, rows, "")


def insert_new(store: Store, rows: Sequence[Row]) -> None:
    """Add rows of one table, without those that break a constraint of uniqueness."""
    _insert_all(store, rows, " ON CONFLICT DO NOTHING")


def _insert_all(store: Store, rows: Sequence[Row], more: str) -> None:
    if not rows:
        return
    columns = _given(rows[0])
    values = ([column.kept(getattr(row, column.name)) for column in columns] for row in rows)
    store.executemany(f"{_insertion(type(rows[0]), columns).statement}{more}", values)


def update(store: Store, row: Row, *names: str) -> None:
    """Write the named fields of the row with this `id`; all fields if none is named."""
    written = [column for column in _columns(type(row)) if column.name in names or (not names and column.name != "id")]
    texts = ", ".join(f'"{column.name}" = ?' for column in written)
    values = [column.kept(getattr(row, column.name)) for column in written]
    store.execute(f'UPDATE "{row.table}" SET {texts} WHERE id = ?', [*values, getattr(row, "id")])  # noqa: B009
