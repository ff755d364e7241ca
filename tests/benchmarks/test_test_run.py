"""What the test run costs: the suite's own lines are read, samples are kept, and the page tells what is not checked."""

from __future__ import annotations

from pathlib import Path

from test_run import Sample, keep, page, read_samples, read_steps

OUTPUT = """\
== ruff
== ruff: 1 passed, 0 failed (0 s, 1 CPU s)
== mypy: 1 passed, 0 failed (unchanged since then)
== C++ tests, release: 1159 passed, 2 failed, 4 skipped (300 s)
1160 passed, 2 failed
"""
CLEAN = Sample(
    "clean", "after", 1500.0, 2940.0, "10 passed, 0 failed", (("ruff", 1.0, None), ("mypy", 30.0, 60.0)), "A, 2 cores"
)


def test_steps_are_read_with_and_without_processor_time() -> None:
    assert read_steps(OUTPUT.splitlines()) == (("ruff", 0.0, 1.0), ("C++ tests, release", 300.0, None))


def test_newer_sample_replaces_the_older_of_its_kind(tmp_path: Path) -> None:
    file = tmp_path / "kept" / "samples.json"
    assert read_samples(file) == []
    before = Sample("clean", "before", 2400.0, 4740.0, "9 passed, 0 failed", ())
    keep(file, [before, CLEAN])
    newer = Sample("clean", "after", 1400.0, 2800.0, "10 passed, 0 failed", CLEAN.steps, "A, 2 cores")
    assert keep(file, [newer]) == [before, newer]
    elsewhere = Sample("clean", "after", 1800.0, 3600.0, "10 passed, 0 failed", CLEAN.steps, "B, 2 cores")
    keep(file, [elsewhere])
    assert read_samples(file) == [before, newer, elsewhere]


def test_page_has_each_run_its_steps_and_what_is_left_out() -> None:
    text = page([CLEAN], "2026-01-01")
    assert "| clean | after | 25.0 | 49.0 | 10 passed, 0 failed | A, 2 cores |" in text
    assert "| ruff | 0.0 | – |" in text
    assert "0016-what-sanitized-builds-compile.md" in text
