"""The catalogue of inputs that once failed: every case has a test, and the page tells how each ended."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tree import ROOT, files

from benchmarks.cases.cases import (
    Case,
    Outcomes,
    Section,
    ctest_outcomes,
    join,
    marked_outcomes,
    parts,
    read_catalogue,
    read_reports,
    read_section,
)

_MARK = re.compile(r"mark\.case\(([^)]*)\)")
A1 = Case("commands.A1", "a | b", "both")
GATE = Case("commands.A1.gate", "the same of gate", "both", looked="in tune: right already")
SECTION = Section("commands.A", "Wrong in silence", (A1, GATE))


def marked() -> set[str]:
    tests = [ROOT / file for file in files() if file.suffix == ".py" and file.name.startswith("test_")]
    texts = [file.read_text(encoding="utf-8") for file in tests if file.name != Path(__file__).name]
    return {name for text in texts for mark in _MARK.findall(text) for name in re.findall(r'"([^"]+)"', mark)}


def test_every_case_has_a_test_and_every_mark_a_case() -> None:
    cases = [case for section in read_catalogue() for case in section.cases]
    assert {case.id for case in cases if not case.ctest} - marked() == set()
    assert marked() - {case.id for case in cases} == set()


def test_what_is_wrong_in_a_section_is_told(tmp_path: Path) -> None:
    file = tmp_path / "commands-A.toml"
    file.write_text('title = "T"\n[[case]]\nid = "solvers.B1"\ngiven = ""\nright = ""\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"solvers\.B1 belongs into another file"):
        read_section(file)
    file.write_text('title = "T"\n[[case]]\nid = "commands.A1"\ngiven = ""\nwrong = ""\n', encoding="utf-8")
    with pytest.raises(ValueError, match="unknown keys"):
        read_section(file)


def test_worst_outcome_of_a_case_counts() -> None:
    marked_tests = {"commands.A1": Outcomes({"t::a": "passed", "t::b": "failed"}), "commands.A1.gate": Outcomes()}
    joined = join([SECTION], marked_tests, {})
    assert joined["commands.A1"].outcome == "failed"
    assert joined["commands.A1.gate"].outcome == "no test"


def test_named_native_test_that_did_not_run_is_a_failure() -> None:
    native = Section("commands.A", "T", (Case("commands.A1", "", "", ctest=("x/Y.Z",)),))
    assert join([native], {}, {"x/Y.Z": "passed"})["commands.A1"].outcome == "passed"
    assert join([native], {}, {})["commands.A1"].outcome == "failed"


def test_mark_of_an_unknown_case_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"commands\.B9"):
        join([SECTION], {"commands.B9": Outcomes()}, {})


def test_outcomes_are_read_from_reports(tmp_path: Path) -> None:
    file = tmp_path / "report.xml"
    file.write_text(
        '<testsuites><testsuite name="s"><testcase classname="t" name="a"><properties><property name="case" '
        'value="commands.A1"/></properties></testcase><testcase classname="t" name="b"><properties><property '
        'name="case" value="commands.A1"/></properties><failure message="no"/></testcase></testsuite></testsuites>',
        encoding="utf-8",
    )
    assert marked_outcomes(file)["commands.A1"].tests == {"t::a": "passed", "t::b": "failed"}
    file.write_text('<testsuite name="s"><testcase name="x/Y.Z"/></testsuite>', encoding="utf-8")
    assert ctest_outcomes(file) == {"x/Y.Z": "passed"}


def test_page_shows_each_case_with_its_tests_and_outcome() -> None:
    text = "\n".join(parts([SECTION], join([SECTION], {"commands.A1": Outcomes({"t::a[1]": "passed"})}, {})))
    assert "| A1 | a \\| b | both | `t::a` | passed |" in text
    assert "| A1.gate | the same of gate | both | – | no test |" in text
    assert "| reported | 1 | 1 |" in text
    assert "- A1.gate: in tune: right already" in text


def test_reports_of_a_test_run_are_enough(tmp_path: Path) -> None:
    (tmp_path / "pytest.xml").write_text(
        '<testsuites><testsuite name="s"><testcase classname="t" name="a"><properties><property name="case" '
        'value="commands.A1"/></properties></testcase></testsuite></testsuites>',
        encoding="utf-8",
    )
    (tmp_path / "release.xml").write_text('<testsuite name="s"><testcase name="x/Y.Z"/></testsuite>', encoding="utf-8")
    native = Case("commands.A2", "", "", ctest=("x/Y.Z",))
    joined = read_reports([Section("commands.A", "T", (A1, native))], tmp_path)
    assert {name: one.outcome for name, one in joined.items()} == {"commands.A1": "passed", "commands.A2": "passed"}
