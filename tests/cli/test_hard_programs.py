"""``compare`` and ``tune`` on programs that crash, hang, breed and fill disks, and a bench that is ended itself."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Container, Iterator
from pathlib import Path
from typing import Any

import pytest
from running import runs

from rooftop.cli.app import main
from rooftop.store import database
from rooftop.store.protocol import Store

ROOT = Path(__file__).parents[2]
HAZARDS = Path(__file__).parents[1] / "fakes" / "hazards.py"
OUTCOMES = {
    "fine": ("ok", None),
    "segfault": ("failed", "SIGSEGV"),
    "hang": ("failed", "took longer than"),
    "stop": ("failed", "took longer than"),
    "disk": ("failed", "No space left on device"),
    "file_size": ("failed", "SIGXFSZ"),
    "daemon": ("ok", None),
    "memory": ("failed", "MemoryError"),
}

pytestmark = pytest.mark.usefixtures("scratch")


@pytest.fixture(name="noted")
def noted_fixture(tmp_path: Path) -> Path:
    """The folder in which every process of the programs leaves its pid."""
    folder = tmp_path / "noted"
    folder.mkdir()
    return folder


def words(kind: str, folder: Path) -> list[str]:
    return [sys.executable, "-I", "-S", str(HAZARDS), kind, str(folder)]


def alive(folder: Path) -> list[int]:
    return [pid for pid in (int(file.name) for file in folder.iterdir() if file.name != "0") if runs(pid)]


def check(outcomes: dict[str, tuple[str, str | None]], unasked: Container[str] = ()) -> None:
    """Check every outcome, and its reason but for kinds `unasked`."""
    for kind, (outcome, told) in OUTCOMES.items():
        assert outcomes[kind][0] == outcome, (kind, outcomes[kind])
        assert kind in unasked or (told or "") in str(outcomes[kind][1]), (kind, outcomes[kind])


def test_compare_survives_them_all(noted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    each = [word for kind in OUTCOMES for word in (*words(kind, noted), ":::")][:-1]
    limits = ["--timeout", "3s", "--memory-limit", "512M", "--budget", "2m", "--max-pairs", "2"]
    assert main(["compare", "--json", *limits, "--", *each]) == 1
    content: dict[str, Any] = json.loads(capsys.readouterr().out)
    outcomes = zip(OUTCOMES, content["commands"], strict=True)
    check({kind: (command["outcome"], command["reason"]) for kind, command in outcomes})
    assert alive(noted) == []


def test_broods_and_floods_have_figures(noted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    each = ["--", "sleep", "0.01", ":::", *words("brood", noted), ":::", *words("loud", noted)]
    assert main(["compare", "--json", "--budget", "60s", "--max-pairs", "1", *each]) == 0
    assert [one["outcome"] for one in json.loads(capsys.readouterr().out)["commands"]] == ["ok"] * 3
    assert alive(noted) == []


def test_tune_survives_them_all(noted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # A search gives none more than a second where others take less, which on a busy machine a start alone may take.
    limits = ["--timeout", "1s", "--memory-limit", "512M", "--budget", "2m", "--max-pairs", "6"]
    kinds = f"KIND={','.join(OUTCOMES)}"
    assert main(["tune", "--json", *limits, "--param", kinds, "--", *words("{KIND}", noted)]) == 0
    content: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert content["exhausted"]
    check({one["parameters"]["KIND"]: (one["outcome"], one["reason"]) for one in content["tried"]}, unasked={"memory"})
    assert alive(noted) == []


def test_a_program_that_removes_the_bench_s_folder(
    noted: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    each = ["--", *words("fine", noted), ":::", *words("folder", noted)]
    assert main(["compare", "--json", "--max-pairs", "6", *each]) == 1
    first, second = json.loads(capsys.readouterr().out)["commands"]
    assert first["outcome"] == "ok"
    assert second["outcome"] == "failed"  # its second run has no folder to remove
    assert "FileNotFoundError" in second["reason"]


# --- the bench itself is ended ----------------------------------------------------------------------------------------


@pytest.fixture(name="start")
def start_fixture() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Yield a function that starts the bench as a process of its own."""
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> subprocess.Popen[str]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        line = [sys.executable, "-m", "rooftop", *arguments]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        process = subprocess.Popen(line, env=environment, text=True, **pipes)  # type: ignore[call-overload]
        started.append(process)
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def wait_for(condition: Callable[[], object]) -> bool:
    deadline = time.monotonic() + 120.0
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return bool(condition())


@pytest.mark.parametrize(("command", "number"), [("compare", signal.SIGKILL), ("tune", signal.SIGTERM)])
def test_a_bench_that_is_ended_leaves_no_process(
    command: str, number: signal.Signals, noted: Path, start: Callable[..., subprocess.Popen[str]]
) -> None:
    if command == "compare":
        bench = start("compare", "--budget", "60s", "--", *words("hang", noted), ":::", "true")
    else:
        bench = start("tune", "--budget", "60s", "--param", "K=hang,fine", "--", *words("{K}", noted))
    assert wait_for(lambda: len(alive(noted)) == 2)
    bench.send_signal(number)
    assert bench.wait(60) == (130 if number == signal.SIGTERM else -9)
    assert wait_for(lambda: not alive(noted))
    resumed = "every sample taken so far is kept" if number == signal.SIGTERM else ""
    assert resumed in bench.communicate()[1]


def test_what_was_killed_is_gone_on_with(
    start: Callable[..., subprocess.Popen[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log"
    bench = start(
        "compare", "--max-pairs", "500", "--", "sh", "-c", f"echo >> {log}; sleep 0.01", ":::", "sleep", "0.01"
    )
    assert wait_for(lambda: log.exists() and len(log.read_text(encoding="ascii")) >= 8)
    bench.kill()
    bench.wait(60)
    assert main(["compare", "--resume", "--json", "--budget", "5s"]) == 0  # of which a busy machine has used some
    seen = capsys.readouterr()
    assert "resuming 'compare'" in seen.err
    assert len({sample["block"] for sample in json.loads(seen.out)["commands"][0]["samples"]}) >= 3


# --- a full disk ------------------------------------------------------------------------------------------------------


def test_a_store_that_is_full_is_one_clear_line_and_keeps_what_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened = database.open_database
    most_pages = 0

    def small(file: Path) -> Store:
        connection = opened(file)
        if most_pages:
            connection.execute(f"PRAGMA max_page_count={most_pages}")
        return connection

    monkeypatch.setattr("rooftop.store.database.open_database", small)
    opened(tmp_path / "home" / "store.sqlite").close()
    most_pages = (tmp_path / "home" / "store.sqlite").stat().st_size // 4096 + 2
    commands = [f"sleep 0.00{i}" for i in range(1, 6)]  # their first few rounds of samples fill what is left
    assert main(["compare", "--json", "--max-pairs", "40", "--budget", "5m", *commands]) == 1
    seen = capsys.readouterr()
    assert seen.out == ""
    assert seen.err.count("\n") == 1
    assert "the store cannot be written: database or disk is full; free some space, then resume" in seen.err
    most_pages = 0
    assert main(["compare", "--resume", "--json", "--budget", "5s"]) == 0
    seen = capsys.readouterr()
    assert "resuming 'compare'" in seen.err
    assert json.loads(seen.out)["commands"][0]["samples"]


@pytest.fixture(name="small_disk")
def small_disk_fixture(tmp_path: Path) -> Iterator[Path]:
    """A small file system."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mounting, capture_output=True, check=False).returncode != 0:
        pytest.skip("a small file system cannot be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_program_that_fills_the_store_s_own_disk(
    small_disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ROOFTOP_HOME", str(small_disk / "home"))
    ballast = small_disk / "ballast"
    runs, enough = small_disk / "runs", tmp_path / "enough"
    fill = f"test -e {enough} || test $(wc -l < {runs}) -lt 9 || cat /dev/zero > {ballast}"
    runs.touch()
    assert (
        main(["compare", "--json", "--max-pairs", "40", "--budget", "5m", "sleep 0.002", f"{fill}; echo >> {runs}"])
        == 1
    )
    seen = capsys.readouterr()
    assert "the store cannot be written" in seen.err.splitlines()[-1]
    ballast.unlink()
    enough.touch()
    assert main(["compare", "--resume", "--json", "--budget", "5s"]) == 0
    seen = capsys.readouterr()
    assert "resuming 'compare'" in seen.err
    assert len(json.loads(seen.out)["commands"][0]["samples"]) >= 6
    ballast.write_bytes(b"")
    with ballast.open("wb", buffering=0) as file:
        while file.write(b"x" * 4096) == 4096 and os.statvfs(small_disk).f_bavail:
            pass
    assert main(["compare", "--json", "sleep 0.002", "sleep 0.003"]) == 1
    seen = capsys.readouterr()
    assert seen.err.count("\n") == 1
    assert "the store" in seen.err
