"""Climbs and diagnoses in jobs of psij's local executor: their documents are those of this machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rooftop.cli.app import main
from rooftop.schedulers.job import jobs
from rooftop.settings import own_tree

pytest.importorskip("psij", reason="psij-python is not installed")


@pytest.fixture(name="home", autouse=True)
def home_fixture(tmp_path: Path, scratch: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ROOFTOP_ROOT", str(own_tree()))
    return tmp_path / "home"


def test_a_climb(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["climb", "_template", "--size", "quick", "--budget", "4s", "--seed", "1", "--on", "local", "--json"]
    assert main(words) == 0
    told = capsys.readouterr()
    document = json.loads(told.out)
    assert document["schema"].startswith("rooftop/climb/") and document["experiments"][0]["name"] == "_template"
    assert (home / "campaigns" / f"{document['campaign']}.html").is_file()
    (job,) = jobs(home)
    assert job.record.kind == "climb" and job.record.collected is not None
    assert main(["report", document["campaign"]]) == 0


def test_a_climb_of_nothing_is_told_as_the_job_told_it(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["climb", "_template", "--only", "no-such-rung", "--on", "local"]) == 2
    assert "--only no-such-rung matches no rung or peer" in capsys.readouterr().err


def test_a_diagnosis(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["sh", "-c", "sleep 0.3"]
    assert main(["diagnose", "--without", "all", "--budget", "5s", "--on", "local", "--json", "--", *command]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["command"] == command and document["facts"]["elapsed_s"] >= 0.3
    (job,) = jobs(home)
    assert job.record.kind == "diagnose" and job.record.collected is not None
    assert main(["diagnose", "--resume", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["started"] == document["started"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--try", "no variable"], "--try is 'no variable'"),
        (["--without", "no-such-cure"], "--without is 'no-such-cure'"),
    ],
)
def test_what_is_asked_wrongly_is_told_before_a_job_is_submitted(
    words: list[str], message: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diagnose", *words, "--on", "local", "--", "true"]) == 2
    assert message in capsys.readouterr().err
    assert not jobs(home)
