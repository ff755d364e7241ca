"""The page of a run of FT: what its figure holds, and how it looks in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from chromium import Scheme, draw_all, opened
from playwright.sync_api import Browser

from rooftop.driver.timeline import Event, seconds_of
from rooftop.errors import Misuse
from rooftop.report.figures.timeline import figure
from rooftop.solvers.fft.document import FtDocument, RankSeconds
from rooftop.solvers.fft.picture import write

MS = 1_000_000
RANKS = [
    [
        Event("planes", 1, 10 * MS, 12 * MS),
        Event("exchange", 1, 11 * MS, 15 * MS),
        Event("waiting", 1, 12 * MS, 15 * MS),
        Event("columns", 1, 15 * MS, 18 * MS),
    ],
    [Event("planes", 1, 10 * MS, 14 * MS), Event("columns", 1, 15 * MS, 19 * MS)],
]


def document() -> FtDocument:
    found = FtDocument.model_validate(
        {
            "schema": "rooftop/solve-ft/1",
            "rooftop": "0",
            "class": "U",
            "nx": 8,
            "ny": 9,
            "nz": 10,
            "iterations": 1,
            "ranks": 2,
            "threads": 1,
            "outcome": "ok",
            "verified": True,
            "seconds": 0.009,
            "mops": 1.0,
            "memory_bytes": 1 << 20,
            "checksums": [(1.0, 2.0)],
        }
    )
    for rank, sums in enumerate(map(seconds_of, RANKS)):
        found.time.append(
            RankSeconds(
                rank=rank,
                columns_s=sums.columns,
                exchange_s=sums.exchange,
                planes_s=sums.planes,
                waiting_s=sums.waiting,
            )
        )
    return found


def test_bars_lie_where_the_events_were() -> None:
    drawn = figure(RANKS)
    assert drawn is not None
    bars = {one["name"]: one for one in drawn["data"]}
    assert set(bars) == {"P1 columns", "P2 messages", "P3 planes", "waiting"}
    assert list(bars["P1 columns"]["base"]) == pytest.approx([0.005, 0.005])
    assert list(bars["P1 columns"]["x"]) == pytest.approx([0.003, 0.004])
    assert list(bars["P3 planes"]["base"]) == pytest.approx([0.0, 0.0])


def test_nothing_recorded_has_no_figure() -> None:
    assert figure([]) is None
    assert figure([[], []]) is None


def test_a_page_that_cannot_be_written_is_misuse(tmp_path: Path) -> None:
    with pytest.raises(Misuse, match="cannot be written"):
        write(document(), RANKS, tmp_path)


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_draws_in_silence_without_the_network_and_fits(
    browser: Browser, tmp_path: Path, width: int, scheme: Scheme
) -> None:
    path = tmp_path / "ft.html"
    write(document(), RANKS, path)
    with opened(browser, path, width, scheme) as (page, seen):
        assert draw_all(page) == 1
        assert page.locator(".plot .trace").count() >= 4
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert seen.messages == []
        assert seen.requests == [path.as_uri()]
