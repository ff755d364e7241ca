"""Processes that write to one SQLite store at the same time."""

from __future__ import annotations

from pathlib import Path

from store_writers import check_written, write_at_once

from rooftop.store.database import opened_database


def test_many_processes_write_at_once(tmp_path: Path) -> None:
    write_at_once(str(tmp_path / "store.sqlite"), 8, 100)
    with opened_database(tmp_path / "store.sqlite") as store:
        check_written(store, 8, 100)
