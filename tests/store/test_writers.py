"""Processes that write to one SQLite store at the same time."""

from __future__ import annotations

from pathlib import Path

from store_writers import write_at_once, written

from rooftop.store.database import opened_database
from rooftop.store.rows import select
from rooftop.store.schema import SampleRow


def test_many_processes_write_at_once(tmp_path: Path) -> None:
    assert write_at_once(str(tmp_path / "store.sqlite"), 8, 20) == []
    with opened_database(tmp_path / "store.sqlite") as store:
        found = written(store, 8, 20)
        assert found.right
        assert found.stored == 800


def test_what_is_lost_or_twice_is_found(tmp_path: Path) -> None:
    write_at_once(str(tmp_path / "store.sqlite"), 2, 3)
    with opened_database(tmp_path / "store.sqlite") as store:
        assert written(store, 2, 3).right
        store.execute("UPDATE sample SET elapsed_ns = elapsed_ns + 1 WHERE id = (SELECT min(id) FROM sample)")
        found = written(store, 2, 3)
        assert (found.lost, found.twice, found.right) == (1, 1, False)
        store.execute("DELETE FROM sample WHERE id = (SELECT min(id) FROM sample)")
        store.execute("UPDATE campaign SET finished = NULL")
        found = written(store, 2, 3)
        assert (found.lost, found.twice, found.unfinished) == (1, 0, 2)
        assert found.stored == len(select(store, SampleRow, "")) == 29
