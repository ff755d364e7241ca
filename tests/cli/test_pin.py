"""``rooftop pin`` on real commands: what it prints and its exit codes."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from rooftop.cli.app import main

pytestmark = pytest.mark.usefixtures("scratch")

# A fixed amount of work in processor time, so that a busy machine only makes it longer.
STACKED = """
import os, time
cpu = min(os.sched_getaffinity(0))
for _ in range(2):
    if os.fork() == 0:
        os.sched_setaffinity(0, {cpu})
        while time.process_time() < 0.4: sum(range(10000))
        os._exit(0)
for _ in range(2): os.wait()
"""


def document(words: list[str], capsys: pytest.CaptureFixture[str], code: int = 0) -> dict[str, Any]:
    assert main(["pin", "--json", *words]) == code
    content: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert content["schema"] == "rooftop/pin/1"
    return content


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="only one CPU is usable here")
def test_stacked_processes_are_found_and_it_is_said_why_nothing_is_compared(
    capsys: pytest.CaptureFixture[str],
) -> None:
    content = document(["--", sys.executable, "-c", STACKED], capsys)
    assert "stacked" in [one["finding"] for one in content["findings"]]
    assert content["fixes"] == []
    assert "none of them an MPI rank" in content["no_fix"]
    assert content["cost"] is None
    assert content["sampling"]["looks"] >= 10
    assert 0 < content["sampling"]["share"] < 1
    assert {one["cpu"] for one in content["cores"]} == os.sched_getaffinity(0)
    assert sum(row["busy"] for row in content["threads"]) >= 2


def test_a_command_without_work(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pin", "true"]) == 0
    assert "no busy thread was seen" in capsys.readouterr().out


def test_a_failing_command_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pin", "--", "sh", "-c", "echo no >&2; exit 4"]) == 1
    assert "the command failed: it exited with code 4; it said: no" in capsys.readouterr().out
    assert main(["pin", "-i", "--", "sh", "-c", "exit 4"]) == 0


def test_looking_for_a_while(capsys: pytest.CaptureFixture[str]) -> None:
    content = document(["--for", "1s", "sleep 600"], capsys)
    assert (content["cut"], content["failure"], content["findings"]) == (True, None, [])


def test_a_command_that_takes_too_long_fails(capsys: pytest.CaptureFixture[str]) -> None:
    content = document(["--timeout", "1s", "sleep 600"], capsys, code=1)
    assert content["failure"] == "took longer than 1 s"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], "there is no command to observe"),
        (["--resume"], "there is no interrupted comparison of 'rooftop pin' to resume"),
        (["--resume", "true"], "leave out the command"),
        (["/nowhere/app"], "/nowhere/app cannot be started"),
        (["--for", "soon", "true"], "--for is 'soon'"),
        (["--metric", "joules", "true"], "--metric is 'joules'"),
        (["--max-pairs", "0", "true"], "--max-pairs is 0"),
    ],
)
def test_misuse_is_one_line_and_exit_code_2(
    words: list[str], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pin", *words]) == 2
    seen = capsys.readouterr()
    assert seen.out == ""
    assert seen.err.count("\n") == 1
    assert expected in seen.err
