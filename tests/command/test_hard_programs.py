"""Programs that crash, hang, print, breed and fill disks: a run ends, and nothing of it stays."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import psutil
import pytest

from rooftop.command.check import Check, judged_wrong
from rooftop.command.driver import CommandDriver, Held, Terms
from rooftop.command.line import from_words
from rooftop.command.measured import Measured
from rooftop.command.process import Finished, Limits, run
from rooftop.command.spec import Spec
from rooftop.driver.executor import DriverFailed

HAZARDS = Path(__file__).parents[1] / "fakes" / "hazards.py"


def words(kind: str, folder: Path) -> list[str]:
    return [sys.executable, "-I", "-S", str(HAZARDS), kind, str(folder)]


def alive(folder: Path) -> list[int]:
    """Return the noted processes that still live."""
    return [int(file.name) for file in folder.iterdir() if file.name != "0" and psutil.pid_exists(int(file.name))]


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("fine", 0),
        ("segfault", -11),
        ("disk", 1),
        ("file_size", -25),
        ("daemon", 0),
        ("brood", 0),
    ],
)
def test_a_run_ends_and_nothing_stays(kind: str, status: int, tmp_path: Path) -> None:
    done = run(words(kind, tmp_path), Limits(timeout_s=30.0), capture="first")
    assert (done.status, done.timed_out) == (status, False)
    assert alive(tmp_path) == []
    assert len(list(tmp_path.iterdir())) > {"brood": 200, "daemon": 1}.get(kind, 0)
    if kind == "disk":
        assert "No space left on device" in done.said


@pytest.mark.parametrize("kind", ["hang", "stop"])
def test_what_neither_ends_nor_listens_is_killed(kind: str, tmp_path: Path) -> None:
    ignoring = ["sh", "-c", 'trap "" TERM; exec "$@"', "sh"]  # before its first line: a busy machine comes to that late
    done = run([*ignoring, *words(kind, tmp_path)], Limits(timeout_s=2.0))
    assert (done.status, done.timed_out) == (-9, True)
    assert alive(tmp_path) == []


def test_fifty_megabytes_to_both_outputs_at_once(tmp_path: Path) -> None:
    done = run(words("loud", tmp_path), Limits(timeout_s=60.0, output_bytes=1000), capture="first")
    assert (done.status, done.truncated, len(done.output)) == (0, True, 1000)
    assert done.output.startswith(b"megabytes of nothing")
    assert done.said.endswith("...")


def test_too_much_memory(tmp_path: Path) -> None:
    done = run(words("memory", tmp_path), Limits(timeout_s=30.0, memory_bytes=256 << 20))
    assert done.status == 1
    assert "MemoryError" in done.said


def test_a_program_that_removes_the_folder_it_is_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = tmp_path / "here"
    here.mkdir()
    noted = tmp_path / "noted"
    noted.mkdir()
    monkeypatch.chdir(here)
    assert run(words("folder", noted), Limits(timeout_s=30.0)).status == 0
    assert not here.exists()
    assert run(words("fine", noted), Limits(timeout_s=30.0), capture="first").status == 0


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("daemon", "None"),
        ("loud", "None"),
        ("hang", "the check .* took longer than 0.5 s"),
        ("segfault", "the check .* was killed by signal 11"),
    ],
)
def test_a_check_is_held_as_firmly_as_what_it_checks(kind: str, told: str, tmp_path: Path) -> None:
    finished = Finished(1, 0.0, 0.0, 0, 0, b"x" * (5 << 20))
    limits = Limits(timeout_s=0.5 if kind == "hang" else 30.0)
    assert re.match(told, str(judged_wrong(finished, Check(judge=from_words(words(kind, tmp_path))), limits)))
    assert alive(tmp_path) == []


PERF = f"""#!{sys.executable} -IS
# Leaves with 0 where the command was killed by a signal, as perf does.
import subprocess, sys
file, words = sys.argv[sys.argv.index("-o") + 1], sys.argv[sys.argv.index("--") + 1 :]
code = subprocess.call(words)
open(file, "w").write("123456;;instructions:u;1;100.00;;\\n")
sys.exit(max(code, 0))
"""


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("fine", None),
        ("daemon", None),
        ("segfault", "exited with code 139"),
        ("disk", "No space left on device"),
        ("hang", "took longer than 1 s"),
        ("memory", "MemoryError"),
    ],
)
def test_counting_instructions_changes_nothing_of_it(
    kind: str, told: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted, programs = tmp_path / "noted", tmp_path / "programs"
    for folder in (noted, programs):
        folder.mkdir()
    (programs / "perf").write_text(PERF, encoding="ascii")
    (programs / "perf").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    spec = Spec(from_words(words(kind, noted)))
    terms = Terms(measured=Measured("instructions"), limits=Limits(1.0 if kind == "hang" else 30.0, 512 << 20))
    driver = CommandDriver(spec, terms, Held(spec, terms))
    if told is None:
        assert (driver.sample(1, 30.0).figures or {})["instructions"] == 123456.0
    else:
        with pytest.raises(DriverFailed, match=told):
            driver.sample(1, 30.0)
    assert alive(noted) == []
