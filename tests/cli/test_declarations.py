"""An experiment that cannot be read is told; the others go on, and standard output is the command's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest_types import Write

from rooftop.cli.app import main

pytestmark = pytest.mark.usefixtures("scratch")

RUNGS = {"10-slow": "run_ns=2e6", "20-fast": "run_ns=1e6"}


def before(file: Path, line: str) -> None:
    text = file.read_text(encoding="utf-8").replace("\nexperiment =", f"\nimport sys\n{line}\nexperiment =")
    file.write_text(text, encoding="utf-8")


@pytest.mark.case("commands.H4")
@pytest.mark.parametrize("line", ["sys.exit(0)", "raise SystemExit", "quit()", "1 / 0"])
def test_experiment_that_leaves_is_told_and_the_others_are_listed(
    line: str, write_experiment: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = write_experiment("broken", RUNGS)
    write_experiment("fine", RUNGS)
    before(broken / "experiment.py", line)
    assert main(["list", "--json"]) == 2
    seen = capsys.readouterr()
    content = json.loads(seen.out)
    assert [one["name"] for one in content["experiments"]] == ["fine"]
    assert len(content["refused"]) == 1
    assert f"{broken}/experiment.py cannot be read" in seen.err
    assert main(["show", "broken"]) == 2
    assert f"{broken}/experiment.py cannot be read" in capsys.readouterr().err
    assert main(["climb", "broken"]) == 2
    assert f"{broken}/experiment.py cannot be read" in capsys.readouterr().err
    assert main(["climb", "--json", "--budget", "60s", "--no-report"]) == 0
    seen = capsys.readouterr()
    assert [one["name"] for one in json.loads(seen.out)["experiments"]] == ["fine"]
    assert f"{broken}/experiment.py" in seen.err.replace("\n", "")


@pytest.mark.case("commands.H4.alone")
def test_nothing_but_experiments_that_leave(write_experiment: Write, capsys: pytest.CaptureFixture[str]) -> None:
    before(write_experiment("broken", RUNGS) / "experiment.py", "sys.exit(0)")
    for words in (["list"], ["list", "--json"], ["climb"]):
        assert main(words) == 2
        seen = capsys.readouterr()
        assert seen.out == ""
        assert "it leaves by SystemExit(0)" in seen.err


@pytest.mark.case("commands.H4.prints")
def test_what_an_experiment_prints_is_no_part_of_the_document(
    write_experiment: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    before(write_experiment("chatty", RUNGS) / "experiment.py", "print('hello')")
    for words in (["list", "--json"], ["show", "chatty", "--json"]):
        assert main(words) == 0
        seen = capsys.readouterr()
        json.loads(seen.out)
        assert "hello" in seen.err


@pytest.mark.case("commands.I5")
@pytest.mark.parametrize("words", [["list"], ["show", "winograd"], ["lab"], ["lab", "false_sharing"], ["climb"]])
def test_where_there_are_no_experiments_it_is_said_what_to_set(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ROOFTOP_ROOT", str(tmp_path / "site-packages"))
    assert main(words) == 2
    told = capsys.readouterr().err
    assert "set ROOFTOP_ROOT to a checkout of Rooftop" in told
    assert told.count("\n") == 1
