"""The page of fuzzing: what libFuzzer tells of a run, and what several runs add up to."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.fuzzing import fed_runs
from benchmarks.fuzzing.fed_runs import Run, keep_run, read_runs, runs_of_page
from benchmarks.fuzzing.fuzzing import counted, rows, seed


def test_inputs_are_what_the_log_counts() -> None:
    assert counted("#5\tDONE\nstat::number_of_executed_units: 1234\nstat::new_units_added: 5\n") == 1234
    assert counted("==7== ERROR: killed") == 0


def test_runs_of_a_fuzzer_add_up() -> None:
    runs = [
        Run("b", 10, 1.0, 3, "crash-1"),
        Run("a", 1_000_000, 61.4, 40, ""),
        Run("b", 2000, 2.2, 5, "", broken=7),
    ]
    assert rows(runs) == ["| `a` | 1 000 000 | 61 | 40 | none |  |", "| `b` | 2 010 | 3 | 5 | 1 | 7 |"]


def test_seeds_are_a_folder_or_the_lines_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "one").write_bytes(b"\xff")
    cases = tmp_path / "cases.jsonl"
    cases.write_text('{"n":1}\n{"n":2}\n')
    seed(tmp_path / "work", tmp_path / "corpus")
    seed(tmp_path / "work", cases)
    assert sorted(file.name for file in (tmp_path / "work").iterdir()) == ["case-0", "case-1", "one"]
    assert (tmp_path / "work" / "case-1").read_text() == '{"n":2}'


PAGE = """\
# Fuzzing: inputs fed, and what they found

Written by `python benchmarks fuzzing` on 2026-11-27. One core each of: Processor A; Processor B, model 2.

| fuzzer | inputs | seconds | kept | findings | in HDF5 |
|---|---|---|---|---|---|
| `a.deck` | 133 427 | 2458 | 5 | 4 |  |
| `b` | 47 765 | 600 | 20 | none | 812 |
"""


def test_a_page_is_taken_in_as_runs_that_add_up_to_it() -> None:
    runs = runs_of_page(PAGE)
    assert rows(runs) == PAGE.splitlines()[-2:]
    assert {run.processor for run in runs if run.processor} == {"Processor A; Processor B, model 2"}
    assert all(run.earlier for run in runs)
    old = PAGE.replace(" in HDF5 |", "").replace("  |", "").replace(" 812 |", "")
    assert sum(run.inputs for run in runs_of_page(old)) == 133_427 + 47_765
    assert runs_of_page("") == []


def test_the_committed_page_counts_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fed_runs, "KEPT", tmp_path / "fuzzing")
    monkeypatch.setattr(fed_runs, "_committed_page", lambda: PAGE)
    keep_run(Run("b", 235, 5.0, 21, ""))
    for _ in range(2):  # the page as committed may have those runs by now
        assert sum(run.inputs for run in read_runs() if run.fuzzer == "b") == 48_000
    assert rows(read_runs()) == ["| `a.deck` | 133 427 | 2458 | 5 | 4 |  |", "| `b` | 48 000 | 605 | 21 | none | 812 |"]
