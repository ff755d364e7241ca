"""The command line: one document on standard output, one line for an error, and its exit code."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest_types import Write
from still_machine import StillMachine

import rooftop
from rooftop.cli.app import main
from rooftop.probe import surroundings


@pytest.fixture(autouse=True)
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Point the bench at a scratch folder, on a machine that never changes."""
    monkeypatch.setenv("ROOFTOP_ROOT", str(tmp_path))
    monkeypatch.setenv("ROOFTOP_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("ROOFTOP_BUILD", raising=False)
    monkeypatch.delenv("ROOFTOP_DEBUG", raising=False)
    monkeypatch.setattr(surroundings, "ThisMachine", StillMachine)


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"rooftop {rooftop.__version__}\n"


_COUNTING = """
import gc, sys
from rooftop.__main__ import run
started = []
gc.callbacks.append(lambda phase, info: started.append(phase == "start"))
sys.argv = ["rooftop", "climb", "--help"]
assert run() == 0
print(sum(started), gc.get_freeze_count() > 0, file=sys.stderr)
"""


def test_a_command_starts_and_ends_with_few_collections() -> None:
    ended = subprocess.run([sys.executable, "-c", _COUNTING], capture_output=True, text=True, check=True)
    collections, frozen = ended.stderr.split()
    assert int(collections) <= 5  # about 100 with the default threshold
    assert frozen == "True"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["nosuch"], "No such command"),
        (["climb", "--threads", "none"], "--threads"),
        (["climb", "--threads", "0"], "--threads is 0"),
        (["climb", "--seed", "-1"], "--seed is -1"),
        (["climb", "--budget", "soon"], "--budget is 'soon'"),
        (["climb", "nought"], "there is no experiment 'nought'"),
        (["climb", "../fake"], "there is no experiment '../fake'"),
        (["climb", "--from", "/nowhere"], "--from: /nowhere is not a folder"),
        (["show", "nought"], "there is no experiment 'nought'"),
        (["show"], "NAME"),
        (["show", "fake", "--size", "XL"], "size 'XL' is not one of quick, S"),
    ],
)
def test_misuse_is_one_line_and_exit_code_2(
    words: list[str], expected: str, write_experiment: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    write_experiment(rungs={"10-a": ""})
    assert main(words) == 2
    seen = capsys.readouterr()
    assert seen.out == ""
    assert seen.err.count("\n") == 1
    assert expected in seen.err


def test_list_and_show(write_experiment: Write, capsys: pytest.CaptureFixture[str]) -> None:
    write_experiment(rungs={"10-a": "", "20-b": ""}, peers={"library": ""})
    write_experiment("_hidden", rungs={"10-a": ""})
    assert main(["list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert listed["schema"] == "rooftop/list/1"
    assert [experiment["name"] for experiment in listed["experiments"]] == ["fake"]
    assert main(["list", "--hidden", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["experiments"]) == 2
    assert main(["show", "fake", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [module["idea"] for module in shown["modules"]][:2] == ["The idea of 10-a", "The idea of 20-b"]
    assert [len(cases) for cases in shown["sizes"].values()] == [2, 1, 1, 2, 2]
    assert shown["sizes"]["workers"][0]["workers"] == [1, 2, 4]
    for words in (["list"], ["show", "fake"]):
        assert main(words) == 0
        assert "fake" in capsys.readouterr().out


def test_groups_are_listed_by_themselves(write_experiment: Write, capsys: pytest.CaptureFixture[str]) -> None:
    write_experiment(rungs={"10-a": ""})
    assert main(["list"]) == 0
    assert "labs" not in capsys.readouterr().out
    folder = write_experiment("labs/effect", rungs={"10-a": ""})
    with (folder / "experiment.py").open("a", encoding="utf-8") as file:
        file.write(
            "from dataclasses import replace\nfrom rooftop.ladder.experiment import Prediction\n"
            "experiment = replace(experiment, predictions=[Prediction('10-a', 'n + 1')])\n"
        )
    assert main(["list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["experiments"]
    assert [(one["name"], one["group"]) for one in listed] == [("fake", None), ("labs/effect", "labs")]
    assert main(["list"]) == 0
    assert "labs  (climbed when named: 'rooftop climb labs')" in capsys.readouterr().out
    assert main(["show", "labs/effect", "--size", "quick"]) == 0
    shown = capsys.readouterr().out
    assert "predicted 10-a = n + 1\n  case0, " in shown
    assert shown.count("predicted 10-a") == 1
    assert main(["show", "labs/effect", "--size", "quick", "--json"]) == 0
    predictions = json.loads(capsys.readouterr().out)["predictions"]
    assert [(one["case"], one["predicted"]) for one in predictions] == [("case0", 1.0), ("case1", 2.0)]


def test_a_climb_prints_one_document_and_its_exit_code(
    write_experiment: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_experiment(rungs={"10-a": "run_ns=4e6", "20-b": "run_ns=2e6"}, cases=1)
    assert main(["climb", "fake", "--budget", "30s", "--seed", "1", "--no-report", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "rooftop/climb/1"
    assert document["experiments"][0]["cases"][0]["rungs"][1]["vs_below"]["verdict"] == "faster"
    (folder / "rungs" / "20-b.py").write_text("raise SystemExit(9)\n", encoding="utf-8")
    assert main(["climb", "fake", "--no-report"]) == 1
    assert "failed: fake/case0/20-b" in capsys.readouterr().out
    (folder / "rungs" / "20-b.py").unlink()
    (folder / "rungs" / "10-a.py").write_text(
        (folder / "rungs" / "10-a.py").read_text(encoding="utf-8").replace("run_ns=4e6", "supported=False"),
        encoding="utf-8",
    )
    assert main(["climb", "fake", "--no-report"]) == 3


def test_a_broken_declaration_is_named(write_experiment: Write, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_experiment(rungs={"10-a": ""})
    for content, expected in (
        ("experiment = 3", "binds 'experiment' to int"),
        ("import nothing_of_the_kind", "cannot be read: ModuleNotFoundError"),
        ("def (", "cannot be read: SyntaxError"),
    ):
        (folder / "experiment.py").write_text(content, encoding="utf-8")
        assert main(["list"]) == 2
        seen = capsys.readouterr().err
        assert expected in seen
        assert seen.count("\n") == 1


def test_an_internal_error_leaves_its_trace_in_a_file(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("unforeseen")

    monkeypatch.setattr("rooftop.cli.list.place_of", fail)
    assert main(["list"]) == 70
    assert "internal error: ZeroDivisionError: unforeseen" in capsys.readouterr().err
    assert "Traceback" in (tmp_path / "home" / "last-error.txt").read_text(encoding="utf-8")


def test_an_interrupt_is_130(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rooftop.cli.list.place_of", interrupt)
    assert main(["list"]) == 130
    assert "interrupted" in capsys.readouterr().err


@pytest.mark.case("commands.B1", "commands.C1")
@pytest.mark.parametrize("command", ["compare", "tune", "scale", "gate", "pin", "climb", "show", "report"])
def test_words_that_are_not_utf8_are_misuse_and_leave_nothing(
    command: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main([command, os.fsdecode(b"echo \xff"), "true"]) == 2
    seen = capsys.readouterr()
    assert (seen.out, seen.err.count("\n")) == ("", 1)
    assert "argument 2 is 'echo \\xff', which is not UTF-8" in seen.err
    assert not (tmp_path / "home").exists()


@pytest.mark.case("commands.C1.home")
def test_a_variable_that_is_not_utf8_is_misuse(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROOFTOP_HOME", os.fsdecode(b"/tmp/\xff"))
    assert main(["compare", "true", "true"]) == 2
    assert "ROOFTOP_HOME is '/tmp/\\xff', which is not UTF-8" in capsys.readouterr().err


@pytest.mark.case("commands.C5.system")
def test_an_error_of_the_system_is_one_line_and_exit_code_1(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), "/a/folder")

    monkeypatch.setattr("rooftop.cli.list.place_of", fail)
    assert main(["list"]) == 1
    assert capsys.readouterr().err.startswith("rooftop: /a/folder: Read-only file system; the trace is in")
