"""The runs of benchmarks/jobs are kept, and the page adds them up."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from benchmarks.jobs.costs import Costs
from benchmarks.jobs.disturbed import Found
from benchmarks.jobs.jobs import parts
from benchmarks.jobs.runs_record import RECORD, keep_costs, keep_run, read_record

FOUND = Found("scancel", 8, 0, 6, 7, 7, 300, 0, 0, 0, 0, (), ())
COSTS = Costs(1000, 30.0, 4.0, 0.6, 0.7, 0.2, 3, 40.0, 1000)


def test_runs_are_added_up(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    keep_run(FOUND, "a machine", file)
    keep_run(replace(FOUND, kind="node drained"), "a machine", file)
    keep_costs(COSTS, file)
    keep_run(replace(FOUND, instants=44, lost=2, files=("tmp/left",)), "another", file)
    record = read_record(file)
    drained, cancelled = record.added_up()
    assert (drained.kind, drained.instants, drained.right) == ("node drained", 8, True)
    assert (cancelled.instants, cancelled.samples, cancelled.lost, cancelled.files) == (52, 600, 2, ("tmp/left",))
    assert record.instants("scancel") == 52
    asked, _, table, wrong = parts(record)
    assert "| instants of each kind | at least 50 | 8 | missed |" in asked
    assert "| finished samples lost | none | 2 | missed |" in asked
    assert "| at most 5 s | 3.4 s | met |" in asked
    assert "| scancel | 52 | 0 | 12 | 14 | 14 | 600 | 2 |" in table
    assert "tmp/left" in wrong


def test_a_record_that_does_not_exist_is_empty(tmp_path: Path) -> None:
    assert read_record(tmp_path / "none.json").added_up() == []


def test_the_committed_record_is_that_of_the_page() -> None:
    page = RECORD.with_suffix(".md").read_text(encoding="utf-8")
    assert all(f"| {one.kind} | {one.instants} |" in page for one in read_record().added_up())
