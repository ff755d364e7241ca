"""What was computed of finished campaigns is computed once, and lists show what they showed before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from growing_store import Growing

from rooftop.errors import StoreError
from rooftop.store.database import opened_database
from rooftop.store.digests import digests
from rooftop.store.interrupted import campaigns
from rooftop.store.sqlite import SqliteStore


class Counting:
    """Computes something of campaigns, and keeps which were asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, some: list[str]) -> dict[str, dict[str, Any]]:
        self.asked += some
        return {one: {"length": len(one)} for one in some}


def test_each_campaign_is_computed_once_by_each_name(tmp_path: Path) -> None:
    names = [f"campaign {number}" for number in range(250)]
    computed = Counting()
    with opened_database(tmp_path / "store.sqlite") as store:
        for name in names:
            Growing(store, name)
        for _ in range(2):
            assert digests(store, "lengths", names, computed) == {name: {"length": len(name)} for name in names}
        assert computed.asked == names
        digests(store, "lengths 2", names[:1], computed)
    assert computed.asked == [*names, names[0]]


def test_a_store_that_cannot_be_written_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise StoreError("no space is left")

    computed = Counting()
    with opened_database(tmp_path / "store.sqlite") as store:
        Growing(store, "first")
        monkeypatch.setattr(SqliteStore, "written", refused)
        for _ in range(2):
            assert digests(store, "lengths", ["first"], computed) == {"first": {"length": 5}}
    assert computed.asked == ["first"] * 2


def test_samples_are_counted_as_a_campaign_grows_and_not_again_once_it_is_finished(tmp_path: Path) -> None:
    with opened_database(tmp_path / "store.sqlite") as store:
        empty, growing = Growing(store, "empty"), Growing(store, "growing", cases=2)
        assert [count for _, count in campaigns(store)] == [0, 0]
        growing.measure(4)
        assert {row.id: count for row, count in campaigns(store)} == {"empty": 0, "growing": 8}
        growing.measure(1)
        for one in (empty, growing):
            one.finish()
        asked: list[str] = []
        for _ in range(2):
            assert {row.id: count for row, count in campaigns(store)} == {"empty": 0, "growing": 10}
            assert isinstance(store, SqliteStore)
            store.set_trace_callback(asked.append)
    assert not any("count(*)" in statement for statement in asked)
