"""What the test run costs: the suite's own lines are read, samples are kept, and the page tells what is not checked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from benchmarks.test_run.test_run import SLOWEST, Sample, keep, page, read_samples, read_steps, slowest_tests

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
    text = page([CLEAN])
    assert "| clean | after | 25.0 | 49.0 | 10 passed, 0 failed | A, 2 cores |" in text
    assert "| ruff | 0.0 | – |" in text
    assert "0016-what-sanitized-builds-compile.md" in text


def test_the_slowest_tests_of_all_runners_stand_on_the_page(tmp_path: Path) -> None:
    cases = "".join(f'<testcase name="t{n}" classname="tests.a" time="{n / 10}"/>' for n in range(40))
    (tmp_path / "pytest.xml").write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>", encoding="utf-8")
    (tmp_path / "asan.xml").write_text('<testsuite><testcase name="fft/Bends" time="9"/></testsuite>', encoding="utf-8")
    slowest = slowest_tests(tmp_path)
    assert len(slowest) == SLOWEST
    assert slowest[:2] == ((9.0, "asan", "fft/Bends"), (3.9, "pytest", "tests.a::t39"))
    keep(tmp_path / "samples.json", [replace(CLEAN, slowest=slowest)])
    text = page(read_samples(tmp_path / "samples.json"))
    assert "The 30 slowest tests:" in text and "| fft/Bends | asan | 9.0 |" in text


def test_a_figure_that_is_missed_says_so() -> None:
    slow = replace(CLEAN, wall_s=1501.0, cpu_s=3060.0)
    assert "| clean | after | 25.0, missed | 51.0, missed |" in page([slow])
    assert "missed" not in page([CLEAN, replace(slow, kind="cached")])
