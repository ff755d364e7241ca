"""The page of a scaling campaign: what its figures hold, and how it looks in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from chromium import Scheme, draw_all, opened
from playwright.sync_api import Browser

from rooftop.documents import Doubt, Machine
from rooftop.scale.curve_text import curve_lines
from rooftop.scale.document import Base, Curve, PointResult, ScaleDocument
from rooftop.scale.fits import CurvePoint, Estimate, Interval, LawResult
from rooftop.scale.picture import figure
from rooftop.scale.run import KIND


def point(workers: int, speedup: float | None, *, crowded: bool = False) -> PointResult:
    found = PointResult(name=f"threads={workers}", command=["app"], outcome="ok", workers=workers, line="app")
    found.oversubscribed = crowded
    if speedup is None:
        found.outcome, found.reason = "wrong", "its </script><b>sum</b> is off"
    else:
        found.median = 1 / speedup
        found.speedup = Interval(value=speedup, lo=0.9 * speedup, hi=1.1 * speedup)
        found.efficiency = Interval(value=speedup / workers)
    return found


def document() -> ScaleDocument:
    law = LawResult(law="amdahl", title="Amdahl", source="Amdahl 1967", misfit=0.01)
    law.parameters = {"serial fraction": Estimate(value=0.1, lo=0.08, hi=0.12)}
    law.curve = [CurvePoint(workers=n, speedup=0.9 * n, lo=0.8 * n, hi=0.95 * n) for n in (1.0, 2.0, 4.0, 8.0)]
    refused = LawResult(law="usl", title="Universal Scalability Law", source="Gunther 2007", refused="too few")
    curve = Curve(mode="strong", points=[point(1, 1.0), point(2, 1.8), point(4, None), point(8, 5.0, crowded=True)])
    curve.base = Base(name="threads=1", workers=1, line="app", median=1.0)
    curve.laws = [law, refused]
    machine = Machine(
        id="x", processor="Paper", architecture="none", cores=4, threads_per_core=1, numa_nodes=1, memory_bytes=0
    )
    return ScaleDocument(
        rooftop="0",
        campaign="c",
        started="now",
        command=["app", "</script>"],
        metric="wall",
        unit="s",
        better="lower",
        curves=[curve],
        machine=machine,
    )


def test_the_figure_holds_the_points_the_ideal_and_the_law() -> None:
    drawn = figure(document().curves[0])
    assert drawn is not None
    names = [trace.get("name") for trace in drawn["data"]]
    assert [names.count(one) for one in ("ideal", "measured", "oversubscribed", "Amdahl")] == [1, 2, 2, 2]
    measured = drawn["data"][names.index("measured")]
    assert list(measured["x"]) == [1, 2]  # a wrong point has no time
    assert list(measured["error_y"]["array"]) == pytest.approx([0.1, 0.18])
    assert (drawn["layout"]["xaxis"]["type"], drawn["layout"]["yaxis"]["type"]) == ("log", "log")


def test_nothing_measured_has_no_figure() -> None:
    assert figure(Curve(mode="strong", points=[point(2, None)])) is None


def test_what_the_lines_tell() -> None:
    one = document()
    lines = curve_lines(one.curves[0], one)
    assert "threads=4: wrong: its </script><b>sum</b> is off" in lines
    assert "base: threads=1: 1 s: app" in lines
    assert "Universal Scalability Law: not fitted: too few" in lines
    assert any(
        line.startswith("Amdahl: serial fraction 0.1 [0.08, 0.12]; deviates from the points by 1.0%") for line in lines
    )


def test_doubts_are_shown(tmp_path: Path) -> None:
    one = document()
    one.doubts = [Doubt(doubt="Values come in coarse steps", evidence="threads=1 in steps", remedy="More work")]
    KIND.write_page(one, tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert all(told in text for told in ("Values come in coarse steps", "threads=1 in steps", "More work"))


def test_a_page_that_cannot_be_written_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="Is a directory"):
        KIND.write_page(document(), tmp_path)


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_draws_in_silence_without_the_network_and_fits(
    browser: Browser, tmp_path: Path, width: int, scheme: Scheme
) -> None:
    path = tmp_path / "scaling.html"
    KIND.write_page(document(), path)
    with opened(browser, path, width, scheme) as (page, seen):
        assert draw_all(page) == 1
        assert page.locator(".plot .trace").count() >= 8
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert seen.messages == []
        assert seen.requests == [path.as_uri()]
