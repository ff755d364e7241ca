"""Histories: gates chain by what they measured, and are read from the store without changing it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from served_store import Served
from still_place import Place, Watching

from rooftop.campaign.bench import Bench
from rooftop.campaign.run import run_campaign
from rooftop.command.measurement import Measurement
from rooftop.driver.replay import Recording, ReplayExecutor
from rooftop.errors import NothingMeasured, StoreError
from rooftop.gate.change_points import change_points
from rooftop.gate.history import Found, Point, Series, chained, history, read_history
from rooftop.gate.options import Benchmark, Options
from rooftop.gate.revision import Revision
from rooftop.gate.run import KIND
from rooftop.gate.text import history_lines
from rooftop.settings import Settings
from rooftop.store.database import opened_database
from rooftop.store.place import place_of

ABOUT: dict[str, Any] = {
    "benchmark": "a", "machine": "m", "processor": "p", "metric": "wall", "unit": "s", "better": "lower",
}  # fmt: skip


def found(base: str, head: str, ratio: float) -> Found:
    point = Point(
        campaign="c", started=f"at {head}", base=base, head=head, ratio=ratio, lo=ratio, hi=ratio, pairs=20,
        head_median=1.0, level=ratio,
    )  # fmt: skip
    return Found(("a", "m", "wall"), base, head, ABOUT, point)


def levels(series: Series) -> list[float]:
    return [point.level for point in series.points]


def test_ratios_chain() -> None:
    (series,) = chained([found("1", "2", 0.5), found("2", "3", 0.5), found("1", "4", 0.9), found("3", "5", 2.0)])
    assert levels(series) == pytest.approx([0.5, 0.25, 0.9, 0.5])


def test_what_does_not_link_is_a_chain_of_its_own() -> None:
    first, second = chained([found("1", "2", 0.5), found("8", "9", 0.5), found("2", "3", 0.5), found("9", "10", 0.5)])
    assert levels(first) == levels(second) == pytest.approx([0.5, 0.25])
    assert not first.analysed


def test_a_step_is_named_with_its_commits() -> None:
    rng = np.random.default_rng(1)
    gates = []
    for place in range(20):
        ratio = float(np.exp(rng.normal(0, 0.003))) * (0.8 if place == 12 else 1.0)
        gates.append(found(f"c{place}", f"c{place + 1}", ratio))
    (series,) = chained(gates)
    (change,) = series.change_points
    assert (change.last, change.first) == ("c12", "c13")
    assert change.ratio == pytest.approx(0.8, rel=0.03)


def test_change_points_are_found_once_for_a_chain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sought: list[int] = []

    def counted(links: Sequence[float], parents: Sequence[int | None]) -> list[int]:
        sought.append(len(links))
        return change_points(links, parents)

    monkeypatch.setattr("rooftop.gate.history.change_points", counted)
    with opened_database(tmp_path / "store.sqlite") as store:
        served = Served(store)
        for number in range(10):
            served.gate(number, 0.8 if number == 5 else 1.0)
        first = history(store)
        assert len(first.series[0].change_points) == 1
        assert history(store) == first
        assert sought == [10]
        served.gate(10, 1.0)
        assert len(history(store).series[0].points) == 11
        assert history(store) == history(store)
        assert sought == [10, 11]
        served.gate(11, 1.0, finished=False)
        assert [len(history(store).series[0].points) for _ in range(2)] == [12, 12]
        assert sought == [10, 11, 12, 12]


@pytest.mark.parametrize("places", ["[0]", "[12]", "[5, 5]", "[6, 4]", '["5"]', "[true]", "5", "null"])
def test_change_points_that_no_version_kept_are_refused(places: str, tmp_path: Path) -> None:
    with opened_database(tmp_path / "store.sqlite") as store:
        served = Served(store)
        for number in range(10):
            served.gate(number, 0.8 if number == 5 else 1.0)
        history(store)
        store.execute("UPDATE digest SET value = ? WHERE name LIKE 'gate changes%'", [f'{{"places": {places}}}'])
        with pytest.raises(StoreError, match="that no version kept"):
            history(store)


def test_it_is_read_from_the_store(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NothingMeasured, match="no gate has measured anything"):
        read_history(place_of(settings))
    how = Measurement(seed=7, budget_s=60.0, max_pairs=30)
    side = (("a",), "a")
    for place in range(10):
        rng = np.random.default_rng(place)
        head_ms = 20.0 if place < 5 else 30.0
        recordings = {
            f"a at {name}": Recording([float(ms * 1e6 * np.exp(x)) for x in rng.normal(0, 0.002, 97)])
            for name, ms in (("base", 20.0), ("head", head_ms))
        }
        bench = Bench(settings, Place(), Watching(), ReplayExecutor(recordings))
        revisions = [Revision(name, name * 40, f"tree {name}") for name in ("0", "123456789a"[place])]
        options = Options((Benchmark("a", side, side, 0.02, how),), how=how)
        options = replace(options, base=revisions[0], head=revisions[1])
        assert run_campaign(bench, KIND, options).document.outcome == ("fine" if place < 5 else "regression")
    monkeypatch.setattr("rooftop.gate.history._cases", lambda *_: pytest.fail("samples of finished gates are read"))
    (series,) = read_history(place_of(settings)).series
    assert len(series.points) == 10
    assert series.analysed
    assert [(change.last[0], change.first[0]) for change in series.change_points] == [("5", "6")]
    assert series.points[9].head_median == pytest.approx(0.03, rel=0.01)
    assert series.points[9].level == pytest.approx(2 / 3, rel=0.01)
    lines = history_lines(read_history(place_of(settings)))
    assert "git log 555555555555..666666666666" in lines[2]
