"""``rooftop scale`` on real commands: what it prints and its exit codes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rooftop.cli.app import main

QUICK = ["--budget", "60s", "--max-pairs", "6"]
SOURCES = Path(__file__).parents[2] / "src"
WORK = "sleep $((4 / OMP_NUM_THREADS))e-2; echo done"

pytestmark = pytest.mark.usefixtures("scratch")


def document(words: list[str], capsys: pytest.CaptureFixture[str], code: int = 0) -> dict[str, Any]:
    assert main(["scale", "--json", *words]) == code
    content: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert content["schema"] == "rooftop/scale/1"
    return content


def test_a_curve_of_threads(capsys: pytest.CaptureFixture[str]) -> None:
    content = document([*QUICK, "--threads", "1,2,4", "--expect-regex", "^done$", "--", "sh", "-c", WORK], capsys)
    (curve,) = content["curves"]
    assert [point["workers"] for point in curve["points"]] == [1, 2, 4]
    assert [point["outcome"] for point in curve["points"]] == ["ok"] * 3
    assert curve["base"]["name"] == "threads=1"
    assert curve["base"]["median"] >= 0.04
    assert all(len(point["samples"]) == 6 for point in curve["points"])
    assert curve["no_factors"] is None


def test_what_is_printed_for_people(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    page = tmp_path / "scaling.html"
    words = [*QUICK, "--threads", "1,2", "--picture", str(page), "--", "sh", "-c", WORK]
    assert main(["scale", *words]) == 0
    out = capsys.readouterr().out
    assert "strong scaling" in out
    assert "base: threads=1:" in out
    assert "Amdahl: not fitted: " in out
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_sizes_stand_in_the_command_and_what_is_beside_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    words = ["--threads", "1,2", "--size", "m=7", "--weak", "n=m*workers", "--strong", *QUICK]
    words += ["--prepare", f"echo {{n}} >> {seen}", "--serial", "sleep 0.0{m}"]
    content = document([*words, "--", "sh", "-c", "sleep 0.0{m}; echo {n}"], capsys)
    strong, weak = content["curves"]
    assert [point["sizes"] for point in strong["points"]] == [{"m": 7, "n": 7}] * 2
    assert [point["sizes"] for point in weak["points"]] == [{"m": 7, "n": 7}, {"m": 7, "n": 14}]
    assert set(seen.read_text(encoding="utf-8").split()) == {"7", "14"}
    assert strong["base"]["name"] == "serial: sleep 0.0{m}"


def test_a_point_that_fails_is_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    words = [*QUICK, "--threads", "1,2", "--", "sh", "-c", "exit $((OMP_NUM_THREADS - 1))"]
    content = document(words, capsys, code=1)
    assert [point["outcome"] for point in content["curves"][0]["points"]] == ["ok", "failed"]


def test_nothing_usable_is_exit_code_3(capsys: pytest.CaptureFixture[str]) -> None:
    document([*QUICK, "--threads", "1,2", "--", "false"], capsys, code=3)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--threads", "1,2"], "no command to scale"),
        (["--", "true"], "nothing to scale over"),
        (["--threads", "0", "--", "true"], "expected whole numbers from 1"),
        (["--threads", "1,x", "--", "true"], "expected whole numbers from 1"),
        (["--threads", "1,1", "--", "true"], "names a value twice"),
        (["--threads", "1,2", "--weak", "workers*2", "--", "true"], "expected NAME=VALUE"),
        (["--threads", "1,2", "--weak", "n=workers", "--", "true"], "expected {n} in the command"),
        (["--threads", "1,2", "--size", "threads=2", "--", "true"], "expected another name"),
        (["--threads", "1,2", "--size", "n=1,2", "--", "true", "{n}"], "has 2 values, expected one"),
        (["--threads", "1,2", "--size", "n=1", "--size", "n=2", "--", "true", "{n}"], "names 'n' twice"),
        (["--threads", "1,2", "--weak", "n=__import__('os')", "--", "true", "{n}"], "has no value"),
        (["--threads", "1,2", "--metric", "cpu", "--", "true"], "expected wall"),
        (["--ranks", "1,2", "--launcher", "ssh", "--", "true"], "--launcher is 'ssh'"),
        (["--threads", "1,2", "--picture", "/nowhere/at/all.html", "--", "true"], "there is no folder"),
        (["--threads", "1,2", "--budget", "soon", "--", "true"], "--budget"),
    ],
)
def test_misuse_is_one_line_and_exit_code_2(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["scale", *words]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert len(err.strip().splitlines()) == 1
    assert not (tmp_path / "home").exists()


def test_an_interrupt_prints_what_is_known_and_resuming_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["scale", "--json", "--threads", "1,2", "--budget", "5m", "--max-pairs", "20"]
    # The program ends the bench's first session itself, at its twelfth run.
    program = "echo x >> $ROOFTOP_HOME.runs; test $(wc -l < $ROOFTOP_HOME.runs) -ne 12 || kill -INT $BENCH; sleep 0.02"
    started = "import os, sys; os.environ['BENCH'] = str(os.getpid()); from rooftop.cli.app import main; "
    started += "sys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", started, *words, "--", "sh", "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(SOURCES)},
    )
    assert done.returncode == 128 + signal.SIGINT
    assert "'rooftop scale --resume' goes on" in done.stderr
    known = json.loads(done.stdout)
    kept = known["curves"][0]["points"][0]["samples"]
    assert kept
    content = document(["--resume", "--budget", "30s"], capsys)
    assert content["campaign"] == known["campaign"]
    assert content["curves"][0]["points"][0]["samples"][: len(kept)] == kept


@pytest.mark.case("commands.H8")
def test_serial_program_that_fails_is_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--serial", "false", "--threads", "1,2", "--budget", "3s", "--max-pairs", "1", "--", "true"]
    assert main(["scale", *words]) == 1
    assert "exited with code 1" in capsys.readouterr().out
