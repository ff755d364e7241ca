"""A verdict reaches its reader whatever standard output is: of another encoding, full, closed, or left."""

from __future__ import annotations

import errno
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rooftop.cli.app import main
from rooftop.terminal.streams import steady_streams

pytestmark = pytest.mark.usefixtures("scratch")
ROOT = Path(__file__).parents[2]
COMPARE = ["compare", "--max-pairs", "6", "--budget", "60s", "--seed", "1", "sleep 0.01", "sleep 0.05"]


def stream_of(monkeypatch: pytest.MonkeyPatch, encoding: str) -> io.BytesIO:
    """Make standard output one of an encoding that knows few characters."""
    content = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(content, encoding=encoding, write_through=True))
    return content


class Full(io.StringIO):
    """Cannot be written."""

    def __init__(self, number: int = errno.ENOSPC) -> None:
        super().__init__()
        self.number = number

    def write(self, text: str) -> int:
        raise OSError(self.number, os.strerror(self.number))


@pytest.mark.case("commands.C2")
def test_a_verdict_is_told_in_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    content = stream_of(monkeypatch, "ascii")
    assert main(["compare", "--max-pairs", "6", "--metric-regex", "([0-9]+)", "echo 10", "echo 50"]) == 0
    assert b"echo 50 is slower than echo 10: 0." in content.getvalue()
    assert b"x [0." in content.getvalue()


@pytest.mark.case("commands.C2.json")
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_document_is_json_in_any_encoding(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    content = stream_of(monkeypatch, encoding)
    assert main(["compare", "--json", *COMPARE[1:], "echo 'é × 漢'"]) == 0
    assert json.loads(content.getvalue())["commands"][2]["name"] == "echo 'é × 漢'"


@pytest.mark.case("commands.C2.text")
def test_texts_of_the_user_are_told_in_any_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    content = stream_of(monkeypatch, "ascii")
    assert main([*COMPARE[:-2], "true é漢", "true"]) == 0
    assert rb"true \xe9\u6f22  " in content.getvalue()


@pytest.mark.case("commands.C6")
def test_a_full_disk_behind_standard_output_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "stdout", Full())
    export = tmp_path / "h.json"
    assert main([*COMPARE, "--export", f"hyperfine:{export}"]) == 1
    said = capsys.readouterr().err
    assert said == "rooftop: standard output cannot be written: No space left on device\n"
    assert len(json.loads(export.read_text(encoding="utf-8"))["results"]) == 2  # what is written elsewhere is


@pytest.mark.case("commands.C6.json")
def test_a_document_that_cannot_be_written_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", Full())
    for words in (["doctor", "--json"], ["--version"], ["--help"]):
        assert main(words) == 1
        assert capsys.readouterr().err == "rooftop: standard output cannot be written: No space left on device\n"


@pytest.mark.case("commands.C6.code")
def test_what_a_command_found_is_its_exit_code_all_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = ["--metric-regex", "([0-9]+)", "--max-pairs", "30", "--budget", "60s"]
    gate = ["gate", *printed, "--", "echo", "10", ":::", "echo", "50"]
    monkeypatch.setattr(sys, "stdout", Full())
    assert main(gate) == 6
    monkeypatch.setattr(sys, "stdout", Full(errno.EPIPE))
    assert main(gate) == 6
    assert "cannot be written: Broken" not in capsys.readouterr().err


@pytest.mark.case("commands.C6.stderr")
def test_messages_that_cannot_be_written_change_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stderr", Full())
    printed = ["--metric-regex", "([0-9]+)", "--max-pairs", "6", "echo 10", "echo 50"]
    assert main(["compare", "--json", *printed, "--cleanup", "false"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "slower"
    assert main(["nosuch"]) == 2


@pytest.mark.case("commands.C6.closed")
def test_a_closed_standard_output_is_one_line_and_what_was_measured_is_kept(tmp_path: Path) -> None:
    rooftop: dict[str, Any] = {"env": {**os.environ, "PYTHONPATH": str(ROOT / "src")}, "stderr": subprocess.PIPE}
    words = [sys.executable, "-m", "rooftop", *COMPARE]
    done = subprocess.run(["/bin/sh", "-c", 'exec "$@" <&- >&-', "sh", *words], text=True, check=False, **rooftop)
    assert (done.returncode, done.stderr) == (1, "rooftop: standard output cannot be written: it is closed\n")
    assert (tmp_path / "home" / "store.sqlite").is_file()
    with Path("/dev/full").open("w", encoding="utf-8") as full:  # which Python complains of once more where it is let
        done = subprocess.run([*words[:3], "doctor", "--json"], text=True, check=False, stdout=full, **rooftop)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)


def test_streams_are_as_before_when_a_command_has_ended() -> None:
    before = sys.stdout, sys.stderr, sys.stdout.errors
    with steady_streams():
        assert sys.stdout is not before[0]
    assert (sys.stdout, sys.stderr, sys.stdout.errors) == before
