"""A store that is made of measured campaigns holds what it is said to hold, and campaigns that can be read."""

from __future__ import annotations

from pathlib import Path

from growing_store import Growing

from benchmarks.stores.large_store import fill
from rooftop.store.database import opened_database
from rooftop.store.interrupted import campaigns, kind_of
from rooftop.store.rows import select
from rooftop.store.schema import ArmRow, CampaignRow, SampleRow


def test_a_store_is_filled(tmp_path: Path) -> None:
    with opened_database(tmp_path / "seed.sqlite") as seed, opened_database(tmp_path / "store.sqlite") as store:
        for kind in ("compare", "gate"):
            Growing(seed, kind).measure(2)
            seed.execute("UPDATE campaign SET request = replace(request, 'compare', ?) WHERE id = ?", [kind, kind])
        assert fill(seed, store, 20, 30) == 600
        found = campaigns(store)
        assert [count for _, count in found] == [30] * 20
        assert sum(kind_of(row) == "gate" for row, _ in found) == 2
        assert len({row.id for row in select(store, CampaignRow, "")}) == 20
        (arm,) = select(store, ArmRow, "ORDER BY id LIMIT 1")
        blocks = [row.block for row in select(store, SampleRow, "WHERE arm_id = ? ORDER BY id", arm.id)]
        assert blocks == list(range(1, 16))
