"""A store beside other programs' files, and beside other processes that write to it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from rooftop.errors import StoreError
from rooftop.store import sqlite
from rooftop.store.database import opened_database


def test_files_of_others_beside_a_store_stay_as_they_are(tmp_path: Path) -> None:
    for name in ("uv.lock", "store.lock"):
        (tmp_path / name).write_text("packages", encoding="ascii")
    for name in ("uv.sqlite", "store.sqlite", "uv"):
        with opened_database(tmp_path / name) as store:
            assert store.execute("SELECT * FROM campaign").fetchall() == []
    for name in ("uv.lock", "store.lock"):
        assert (tmp_path / name).read_text(encoding="ascii") == "packages"


def test_a_lock_is_no_store(tmp_path: Path) -> None:
    lock = tmp_path / "uv.lock"
    lock.write_text("packages" * 1000, encoding="ascii")
    with pytest.raises(StoreError, match=r"uv\.lock cannot be read: file is not a database"), opened_database(lock):
        pass
    assert lock.read_text(encoding="ascii") == "packages" * 1000


def test_a_store_that_another_process_writes_to_is_not_said_to_be_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "store.sqlite"
    with opened_database(file):
        pass
    monkeypatch.setattr(sqlite, "_BUSY_LIMIT_S", 0)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with opened_database(file) as store, pytest.raises(StoreError, match="another process has been writing"):
        store.written(lambda: None)
    other.close()
