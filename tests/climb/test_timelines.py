"""What ranks did when, from the driver to the report."""

from __future__ import annotations

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
from rooftop.documents import ClimbDocument
from rooftop.driver.process import ProcessExecutor
from rooftop.driver.protocol import Facts, VerifyReply
from rooftop.driver.timeline import events_in, events_of, timeline_of
from rooftop.settings import Settings

HEADING = "Timeline of the ranks"
TRACES = 'data-download="traces"'
EVENTS = [[["columns", 2, 1000, 3000], ["exchange", 2, 2000, 9000]], [["odd jobs", 2, 500, 4000]]]

times = st.integers(0, 2**50)
ranks = st.lists(st.lists(st.tuples(st.text(max_size=3), st.integers(1, 9), times, times)), max_size=4)


def climbed(settings: Settings) -> ClimbDocument:
    """Climb without watching."""
    climbing = Climbing(settings, ProcessExecutor(), StillMachine(), Unwatched())
    return climbing.climb(Request(budget_s=20, seed=3)).document


def test_a_rung_that_tells_them_has_them_in_the_document_the_store_and_the_report(
    write_experiment: Write, settings: Settings, tmp_path: Path
) -> None:
    write_experiment(rungs={"10-plain": "", "20-ranks": f"events={EVENTS}"})
    document = climbed(settings)
    plain, by_ranks = document.experiments[0].cases[0].rungs
    assert plain.timeline is None
    assert by_ranks.timeline == [
        [("columns", 2, 5e-7, 2.5e-6), ("exchange", 2, 1.5e-6, 8.5e-6)],
        [("odd jobs", 2, 0, 3.5e-6)],
    ]
    with sqlite3.connect(settings.home_folder / "store.sqlite") as connection:
        kept = connection.execute(
            "SELECT DISTINCT name FROM arm WHERE timeline IS NOT NULL AND role = 'rung'"
        ).fetchall()
    assert kept == [("20-ranks",)]
    report.write(document, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count(HEADING) == len(document.experiments[0].cases)
    assert TRACES in page
    assert "odd jobs" in page


def test_where_nobody_tells_the_report_has_none(write_experiment: Write, settings: Settings, tmp_path: Path) -> None:
    write_experiment(rungs={"10-plain": "", "20-empty": "events=[[], []]"})
    report.write(climbed(settings), tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert HEADING not in page
    assert TRACES not in page


@given(ranks)
def test_documents_keep_what_was_told(told: list[list[tuple[str, int, int, int]]]) -> None:
    facts = [Facts(events=events) for events in told]
    kept = timeline_of(facts)
    if not any(told):
        assert kept is None
        return
    assert kept is not None
    start = min(begin for events in told for _, _, begin, _ in events)
    for before, after in zip(map(events_of, facts), events_in(kept), strict=True):
        assert [(one.phase, one.transform) for one in before] == [(one.phase, one.transform) for one in after]
        for one, other in zip(before, after, strict=True):
            assert abs(one.begin_ns - start - other.begin_ns) <= 1
            assert abs(one.end_ns - start - other.end_ns) <= 1


@pytest.mark.parametrize("events", [[["columns", 1, 2]], [["columns", "one", 2, 3]], "columns", [None]])
def test_events_of_another_shape_are_garbage(events: object) -> None:
    with pytest.raises(ValidationError):
        VerifyReply.model_validate({"protocol": 1, "event": "verify", "outcome": "ok", "facts": [{"events": events}]})
