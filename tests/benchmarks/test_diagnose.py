"""What the benchmark of `rooftop diagnose` makes of the findings."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import typer

from benchmarks.diagnose import diagnose, diagnose_runs
from benchmarks.diagnose import unprivileged as dropping
from benchmarks.diagnose.diagnose import asked, rows_table
from benchmarks.diagnose.diagnose_runs import Row, Told, diagnosed, row, told
from benchmarks.diagnose.fault_programs import Cured, Program
from benchmarks.diagnose.unprivileged import path_without
from rooftop.diagnose.document import Cause, DiagnoseDocument, Predicted, TriedCure
from rooftop.diagnose.facts import Facts

FAULT = Program(
    name="one", source="one.c", compiler="gcc", findings=("page faults",), cures=("keep-memory",), cured=Cured()
)
PLAIN = Program(name="two", source="two.c", compiler="gcc", findings=("false sharing",), cured=Cured())
HEALTHY = Program(name="three", source="three.c", compiler="gcc")
CURED, OTHER = (
    Told("page faults", 1.5, "keep-memory", 4.0, "2× with keep-memory: as measured"),
    Told("serial section", 0.5),
)


def document(*causes: Cause) -> DiagnoseDocument:
    return DiagnoseDocument(
        rooftop="1",
        started="2026-01-01T00:00:00",
        command=["./one"],
        status=0,
        facts=Facts(elapsed_s=2.0, cpus=2, levels=[0.0, 2.0], user_s=2.0, system_s=0.0, faults=0, threads=[]),
        findings=list(causes),
    )


@pytest.mark.parametrize(
    ("one", "right", "among", "cured"),
    [
        (Row(FAULT, told=(CURED, OTHER)), True, True, True),
        (Row(FAULT, told=(OTHER, CURED)), False, True, True),
        (Row(FAULT, told=(Told("page faults", 1.5),)), True, True, False),
        (Row(FAULT), False, False, False),
        (Row(FAULT, failed="ended with 2"), False, False, False),
        (Row(FAULT, missing="gcc is not installed"), None, None, None),
        (Row(PLAIN, told=(Told("false sharing", 1.0),)), True, True, None),
        (Row(HEALTHY), True, None, None),
        (Row(HEALTHY, told=(OTHER,)), False, None, None),
    ],
)
def test_judged(one: Row, right: bool | None, among: bool | None, cured: bool | None) -> None:
    assert (one.right, one.among, one.cured) == (right, among, cured)


def test_figures_are_counted_over_what_was_judged() -> None:
    rows = [
        Row(FAULT, told=(CURED,), gain=4.0, seconds=2.0),
        Row(PLAIN, told=(OTHER,), gain=1.1, seconds=2.0),
        Row(FAULT, missing="gcc is not installed"),
        Row(HEALTHY, seconds=2.0),
    ]
    first, among, cured, healthy, cost = asked(rows)
    assert (first.asked, first.reached, first.met) == ("2 of 2", "1", False)
    assert (among.reached, among.met) == ("1", False)
    assert (cured.asked, cured.met) == ("1 of 1", True)
    assert (healthy.asked, healthy.met) == ("1 of 1", True)
    assert (cost.reached, cost.met) == ("1.1", False)
    lines = rows_table(rows).splitlines()
    predicted = "2× with keep-memory: as measured"
    assert f"| one | 2.00 | 4× | page faults 1.5 s (keep-memory: 4×) | {predicted} | page faults | right |" in lines
    assert "| one | – | – | gcc is not installed | – | page faults | left out |" in lines
    assert "| three | 2.00 | – | none | – | none | right |" in lines
    assert [one.met for one in asked([])] == [None] * 5


def test_findings_are_told_with_the_cure_that_helped() -> None:
    cure = TriedCure(name="keep-memory", line="A=1", outcome="ok", verdict="faster", ratio=4.0, gain_s=1.5)
    found = document(
        Cause(
            finding="page faults",
            evidence="e",
            remedy="r",
            stake_s=1.0,
            cure=cure,
            predicted=Predicted(cure="keep-memory", ratio=2.0, holds=True),
        ),
        Cause(finding="serial section", evidence="e", remedy="r", stake_s=1.0),
    )
    assert told(found) == (CURED, OTHER)


def test_a_program_that_cannot_be_diagnosed_is_a_row_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Program, "build", lambda *_: ("./one",))
    monkeypatch.setattr(diagnose_runs, "gain", lambda *_: 2.0)
    monkeypatch.setattr(diagnose_runs, "diagnosed", lambda *_: "ended with 2 without a document: no")
    one = row(PLAIN, tmp_path, "1s", 1.0, 3)
    assert (one.right, one.failed, one.gain) == (False, "ended with 2 without a document: no", 2.0)


def test_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnose, "row", lambda program, *_: Row(program, seconds=1.0))
    diagnose.main(only=["skew", "healthy triad"], to=tmp_path / "page.md", samples=tmp_path)
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "| planted faults whose right finding comes first | 1 of 1 | 0 | missed |" in text
    assert "| healthy programs without a finding | 1 of 1 | 1 | met |" in text
    assert "`python benchmarks diagnose`" in text
    diagnose.main(page_only=True, to=tmp_path / "again.md", samples=tmp_path)
    assert (tmp_path / "again.md").read_text(encoding="utf-8") == text


def test_a_page_needs_measurements(tmp_path: Path) -> None:
    with pytest.raises(typer.BadParameter, match="nothing was measured"):
        diagnose.main(page_only=True, to=tmp_path / "page.md", samples=tmp_path / "none")


def fake_rooftop(folder: Path, monkeypatch: pytest.MonkeyPatch, printed: str) -> None:
    """Let a program that keeps its words, and prints this, be the bench."""
    (folder / "printed").write_text(printed, encoding="utf-8")
    program = folder / "rooftop"
    program.write_text(
        f'#!/bin/sh\necho "$@" > {folder}/words\ncat {folder}/printed\necho a >&2\necho no >&2\nexit 2\n',
        encoding="utf-8",
    )
    program.chmod(0o755)
    monkeypatch.setattr(diagnose_runs, "ROOT", folder)


def test_the_document_is_read_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = document()
    fake_rooftop(tmp_path, monkeypatch, whole.model_dump_json(by_alias=True))
    assert diagnosed(["./one", "1"], {}, "7s", tmp_path / "kept.json") == whole
    assert (tmp_path / "words").read_text(encoding="utf-8") == "diagnose --json --budget 7s -- ./one 1\n"
    assert (tmp_path / "kept.json").read_text(encoding="utf-8") == whole.model_dump_json(by_alias=True)


def test_a_diagnosis_without_a_document_or_of_a_program_that_failed_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_rooftop(tmp_path, monkeypatch, "nothing")
    assert diagnosed(["./one"], {}, "7s") == "ended with 2 without a document: no"
    failing = document().model_copy(update={"failure": "ended with 1"})
    fake_rooftop(tmp_path, monkeypatch, failing.model_dump_json(by_alias=True))
    assert diagnosed(["./one"], {}, "7s") == "the program ended with 1"


def test_another_campaign_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fake_rooftop(tmp_path, monkeypatch, document().model_dump_json(by_alias=True))
    program = tmp_path / "rooftop"
    busy = f"if ! [ -e {tmp_path}/free ]; then echo busy >&2; touch {tmp_path}/free; exit 5; fi"
    program.write_text(program.read_text(encoding="utf-8").replace("#!/bin/sh", f"#!/bin/sh\n{busy}"), encoding="utf-8")
    monkeypatch.setattr(diagnose_runs, "_BETWEEN_S", 0.0)
    assert diagnosed(["./one"], {}, "7s") == document()
    assert capsys.readouterr().out == "waiting: busy\n"


def test_what_is_found_without_privileges_is_counted_apart() -> None:
    seen = [Row(FAULT, told=(CURED,)), Row(PLAIN, told=(OTHER,)), Row(HEALTHY)]
    *others, right, sound = asked([], seen)
    assert (right.asked, right.reached, right.met) == ("2 of 2", "1", False)
    assert (sound.asked, sound.reached, sound.met) == ("1 of 1", "1", True)
    assert len(others) == len(asked([]))


def test_a_path_lacks_perf_and_nothing_else(tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("perf", "perf_5.10", "gcc"):
        (programs / name).touch()
    path = path_without(tmp_path / "bin", f"{programs}:{tmp_path / 'none'}")
    assert [one.name for one in Path(path).iterdir()] == ["gcc"]


def test_privileges_are_dropped_as_far_as_the_bench_still_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "chown", lambda *_: None)
    for place, (works, words, who) in enumerate(
        [
            ((True, True), dropping._OTHER, "another user"),
            ((False, True), dropping._BARE_ROOT, "root without capabilities"),
        ]
    ):
        answers = iter(works)
        monkeypatch.setattr(dropping, "_works", lambda _, answers=answers: next(answers))
        folder = tmp_path / str(place)
        folder.mkdir()
        found = dropping.unprivileged(folder)
        assert (found.words, found.who) == (words, who)
    monkeypatch.setattr(dropping, "_works", lambda _: False)
    last = tmp_path / "last"
    last.mkdir()
    with pytest.raises(RuntimeError, match="privileges cannot be dropped"):
        dropping.unprivileged(last)
