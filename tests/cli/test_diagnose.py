"""``rooftop diagnose`` on real commands: the files that it writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rooftop.cli.app import main

pytestmark = pytest.mark.usefixtures("scratch")

LOOP = "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done"


def test_the_page_and_the_trace_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, trace = tmp_path / "page.html", tmp_path / "trace.json"
    words = ["diagnose", "--json", "--budget", "1s", "--picture", str(page), "--trace", str(trace)]
    assert main([*words, "--", "sh", "-c", LOOP]) == 0
    printed = capsys.readouterr()
    document = json.loads(printed.out)
    assert document["timeline"]["lanes"]
    assert f"page: {page}" in printed.err
    assert "Threads over time" in page.read_text(encoding="utf-8")
    events = json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
    assert {one["args"]["name"] for one in events if one["name"] == "thread_name"} >= {"sh"}
    assert any(one["ph"] == "X" and one["dur"] > 0 for one in events)


def test_a_command_with_an_accepted_exit_code_is_observed(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["diagnose", "--json", "--without", "all", "--budget", "1s", "--ignore-failure=3"]
    assert main([*words, "--", "sh", "-c", f"{LOOP}; exit 3"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["status"], document["failure"]) == (3, None)
    assert document["passes"][1:] or document["facts"]["missing"]  # made, or told why not
    assert not any("the observed run" in one for one in document["facts"]["missing"])


@pytest.mark.parametrize("option", ["--trace", "--picture"])
def test_a_file_that_cannot_be_written_is_told_before_anything_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    ran = tmp_path / "ran"
    assert main(["diagnose", option, str(tmp_path / "no" / "file"), "--", "touch", str(ran)]) == 2
    told = capsys.readouterr().err.strip().splitlines()
    assert len(told) == 1
    assert f"{option} is {tmp_path}/no/file, and there is no folder" in told[0]
    assert not ran.exists()


@pytest.mark.parametrize(
    ("option", "value"),
    [("--try", "A=1"), ("--try-command", "true"), ("--without", "bind"), ("--reduced", "true 1")],
)
def test_a_resumed_diagnosis_has_the_cures_that_it_began_with(
    option: str, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diagnose", "--resume", option, value]) == 2
    told = capsys.readouterr().err
    assert f"{option} is {value!r}, but --resume goes on with what the diagnosis was begun with: leave it out" in told


def test_a_resumed_diagnosis_has_no_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diagnose", "--resume", "--trace", str(tmp_path / "trace.json")]) == 2
    assert "--trace is written when a command is observed" in capsys.readouterr().err
