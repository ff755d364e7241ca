"""The share of a message that proceeds outside of calls, from what the lab measured on this machine."""

from __future__ import annotations

from pathlib import Path

from served_store import Served

from rooftop.settings import Settings
from rooftop.simulate.measured_progress import FIGURE, LAB, RUNG, MeasuredShare, measured_share, share_in
from rooftop.store.database import opened_database
from rooftop.store.protocol import Store
from rooftop.store.rows import select, update
from rooftop.store.schema import ArmRow, CaseRow

HERE, OTHER = "a" * 16, "b" * 16


def lab(store: Store, served: Served, percents: dict[int, float | None], on: str = HERE) -> str:
    """Keep a campaign of the lab: what proceeded, by bytes of the message; None: the rung failed."""
    cases = [
        (LAB, "quick", f"{size} B", {"bytes": size}, [(name, "rung", [1.0]) for name in (RUNG, "30-test-calls")])
        for size in percents
    ]
    campaign = served.campaign({"kind": "climb"}, cases, on=on)
    for case in select(store, CaseRow, "WHERE campaign = ?", campaign):
        for arm in select(store, ArmRow, "WHERE case_id = ?", case.id):
            percent = percents[case.parameters["bytes"]] if arm.name == RUNG else 100.0
            arm.figures = None if percent is None else {FIGURE: percent}
            arm.outcome = "failed" if percent is None else "ok"
            update(store, arm, "figures", "outcome")
    return campaign


def test_the_newest_of_this_machine_counts(tmp_path: Path) -> None:
    with opened_database(tmp_path / "store.sqlite") as store:
        served = Served(store)
        assert share_in(store, HERE) is None
        served.campaign({"kind": "climb"}, [("ft", "quick", "one", {"bytes": 7}, [(RUNG, "rung", [1.0])])])
        assert share_in(store, HERE) is None
        lab(store, served, {1024: 99.0, 4 << 20: 10.0})
        known = lab(store, served, {4 << 20: 41.5, 1024: 100.0})
        lab(store, served, {4 << 20: 3.0}, on=OTHER)
        lab(store, served, {4 << 20: None})
        assert share_in(store, HERE) == MeasuredShare(0.415, 4 << 20, known)


def test_without_a_store_nothing_is_known(tmp_path: Path) -> None:
    assert measured_share(HERE, Settings(home=tmp_path)) is None
    assert not list(tmp_path.iterdir())
