"""Figures beside the time, from the driver to the report."""

from __future__ import annotations

import math
import sqlite3
from pathlib import Path

import pytest
from conftest_types import Write
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from still_machine import StillMachine

from rooftop import report
from rooftop.climb.request import Request
from rooftop.climb.run import Climbing
from rooftop.climb.watch import Unwatched
from rooftop.documents import CaseResult, ClimbDocument, RungResult
from rooftop.driver.process import ProcessExecutor
from rooftop.driver.protocol import Facts, VerifyReply
from rooftop.driver.timeline import figures_of
from rooftop.report.merit import beside_time, title, written
from rooftop.settings import Settings

HEADING = "Figures other than the time"

ranks = st.lists(st.dictionaries(st.text(max_size=3), st.none() | st.floats(allow_nan=False), max_size=4), max_size=4)


def climbed(settings: Settings) -> ClimbDocument:
    """Climb without watching."""
    climbing = Climbing(settings, ProcessExecutor(), StillMachine(), Unwatched())
    return climbing.climb(Request(budget_s=20, seed=3)).document


def test_a_rung_that_tells_them_has_them_in_the_document_the_store_and_the_report(
    write_experiment: Write, settings: Settings, tmp_path: Path
) -> None:
    told = [{"memory_bytes": 3 * 2**20, "waiting_ns": 5e6}, {"memory_bytes": 2**20, "waiting_ns": 7e6}]
    write_experiment(rungs={"10-plain": "", "20-ranks": f"figures={told}"})
    document = climbed(settings)
    plain, by_ranks = document.experiments[0].cases[0].rungs
    assert plain.figures is None
    assert by_ranks.figures == {"memory_bytes": 3 * 2**20, "waiting_ns": 7e6}
    with sqlite3.connect(settings.home_folder / "store.sqlite") as connection:
        kept = connection.execute(
            "SELECT DISTINCT name FROM arm WHERE figures IS NOT NULL AND role = 'rung'"
        ).fetchall()
    assert kept == [("20-ranks",)]
    report.write(document, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count(HEADING) == len(document.experiments[0].cases)
    assert "3\u202fMiB" in page and "7.00\u202fms" in page


def test_where_nobody_tells_the_report_has_none(write_experiment: Write, settings: Settings, tmp_path: Path) -> None:
    write_experiment(rungs={"10-plain": "", "20-empty": "figures=[{}]"})
    report.write(climbed(settings), tmp_path / "page.html")
    assert HEADING not in (tmp_path / "page.html").read_text(encoding="utf-8")


@given(ranks)
def test_of_ranks_the_greatest_counts(told: list[dict[str, float | None]]) -> None:
    kept = figures_of([Facts(figures=dict(figures)) for figures in told]) or {}
    finite: dict[str, list[float]] = {}
    for figures in told:
        for name, value in figures.items():
            if value is not None and math.isfinite(value):
                finite.setdefault(name, []).append(value)
    assert kept == {name: max(values) for name, values in finite.items()}


@pytest.mark.parametrize("figures", [{"a": "many"}, ["a"], 3])
def test_figures_of_another_shape_are_garbage(figures: object) -> None:
    with pytest.raises(ValidationError):
        VerifyReply.model_validate({"protocol": 1, "event": "verify", "outcome": "ok", "facts": [{"figures": figures}]})


@pytest.mark.parametrize(
    ("name", "value", "called", "text"),
    [
        ("memory_bytes", 1536.0, "memory", "1.50 KiB"),
        ("serial_ns", 2.5e6, "serial", "2.50 ms"),
        ("construction_ns_per_step", 28.4, "construction per step", "28.4 ns"),
        ("excess_percent", 2.5, "excess", "2.5 %"),
        ("allocations", 123456.0, "allocations", "123 456"),
        ("share", 0.25, "share", "0.250"),
    ],
)
def test_the_name_tells_the_unit(name: str, value: float, called: str, text: str) -> None:
    assert title(name) == called
    assert written(name, value).replace("\u202f", " ") == text


def test_what_nobody_has_is_no_column() -> None:
    def rung(name: str, figures: dict[str, float] | None) -> RungResult:
        return RungResult(name=name, kind="rung", outcome="ok", figures=figures)

    rungs = [rung("a", {"serial_ns": 0, "allocations": 7}), rung("b", None), rung("c", {"serial_ns": 0})]
    found = beside_time(CaseResult(case="one", parameters={}, nominal=1, rungs=rungs))
    assert found is not None
    assert found.titles == ["allocations"]
    assert found.rows == [("a", ["7"]), ("c", ["–"])]
    assert beside_time(CaseResult(case="one", parameters={}, nominal=1, rungs=[rung("c", {"serial_ns": 0})])) is None
