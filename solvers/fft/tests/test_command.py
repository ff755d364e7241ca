"""``rooftop solve ft``: NPB's report and checksums from real threads and ranks, and mistakes in one line each."""

from __future__ import annotations

import json
import signal
import time
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st
from solver_command import solver_command

from rooftop.cli.app import main
from rooftop.driver.executor import DriverFailed
from rooftop.driver.process import ProcessDriver
from rooftop.driver.protocol import SampleReply
from rooftop.driver.timeline import Event, seconds_of, trace
from rooftop.errors import BUSY, INTERRUPTED, MISUSE
from rooftop.ladder.discovery import find_experiment
from rooftop.launchers.team import Team
from rooftop.machine.lock import machine_alone
from rooftop.settings import Settings
from rooftop.solvers.fft import overlap_pairs
from rooftop.solvers.fft import request as ft_request
from rooftop.solvers.fft.document import FtDocument
from rooftop.solvers.fft.npb import CLASSES, Grid, class_of

LAST_OF_S = (554.2683411902, 493.2597244941)  # NPB 3.4


def solver(name: str) -> Any:
    """Return the module, or skip what needs it."""
    settings = Settings()
    found = find_experiment(settings.root_folder / "experiments", settings.build_folder, "ft")
    module = next(one for one in found.rungs if one.name == name)
    if module.status != "built":
        pytest.skip(f"{name}: {module.reason}")
    return module


solve = partial(solver_command, "ft")


@pytest.mark.parametrize(("ranks", "threads"), [(1, 2), (2, 1), (3, 2), (8, 1)])
def test_class_s_is_right_on_threads_and_ranks(capsys: pytest.CaptureFixture[str], ranks: int, threads: int) -> None:
    solver(ft_request.SOLVER if ranks == 1 else ft_request.SOLVER_BY_RANKS)
    code, out, err = solve(capsys, "--class", "S", "--ranks", ranks, "--threads", threads, "--json")
    assert (code, err) == (0, "")
    document = FtDocument.model_validate_json(out)
    assert (document.class_, document.verified, document.ranks, document.threads) == ("S", True, ranks, threads)
    assert len(document.checksums) == 6
    assert document.checksums[-1] == pytest.approx(LAST_OF_S, rel=1e-12)
    assert document.seconds is not None
    assert document.mops == pytest.approx(CLASSES["S"].operations / document.seconds * 1e-6)
    assert [one.rank for one in document.time] == (list(range(ranks)) if ranks > 1 else [])


def test_the_report_has_npbs_lines(capsys: pytest.CaptureFixture[str]) -> None:
    solver(ft_request.SOLVER)
    code, out, _ = solve(capsys, "--class", "S")
    assert code == 0
    assert " T =    6     Checksum =     5.54268341190" in out
    for line in (" Result verification successful", " class = S", " FT Benchmark Completed."):
        assert line in out.splitlines()
    assert " Verification    =               SUCCESSFUL" in out


def test_an_uneven_size_by_messages_tells_what_is_hidden(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    solver(ft_request.SOLVER_BY_RANKS)
    file = tmp_path / "trace.json"
    words = ["--size", "30x14x21", "--iterations", 3, "--ranks", 4, "--messages", "--overlap", 2, "--trace", file]
    code, out, _ = solve(capsys, *words, "--json")
    document = FtDocument.model_validate_json(out)
    assert (code, document.class_, document.outcome) == (0, "U", "ok")
    assert document.overlap is not None
    assert document.overlap.pairs == 2
    events = json.loads(file.read_text())["traceEvents"]
    assert {one["pid"] for one in events} == {0, 1, 2, 3}
    assert {one.get("cat") for one in events} >= {"columns", "planes", "exchange", "waiting"}


def test_interrupted_pairs_are_gone_on_with(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solver(ft_request.SOLVER_BY_RANKS)
    words = ["--size", "16x16x16", "--iterations", 2, "--ranks", 2, "--messages", "--overlap", 3, "--json"]
    taken: list[SampleReply] = []
    sample = overlap_pairs.VerifiedRuns.sample

    def sample_some(driver: overlap_pairs.VerifiedRuns, iterations: int, limit_s: float) -> SampleReply:
        if len(taken) == 4:
            signal.raise_signal(signal.SIGINT)
        taken.append(sample(driver, iterations, limit_s))
        return taken[-1]

    with monkeypatch.context() as patch:
        patch.setattr(overlap_pairs.VerifiedRuns, "sample", sample_some)
        code, out, err = solve(capsys, *words)
    before = FtDocument.model_validate_json(out)
    assert (code, before.verified) == (INTERRUPTED, True)
    assert "'rooftop solve ft --resume' goes on" in err
    code, _, err = solve(capsys, "--class", "S", *words[2:], "--resume")
    assert code == MISUSE
    code, out, err = solve(capsys, *words, "--resume")
    after = FtDocument.model_validate_json(out)
    assert (code, after.campaign) == (0, before.campaign)
    assert after.overlap is not None
    assert after.overlap.pairs == 3
    page = tmp_path / "page.html"
    assert main(["report", str(after.campaign), "--out", str(page)]) == 0
    capsys.readouterr()
    assert "16x16x16, 2 ranks" in page.read_text(encoding="utf-8")


def test_overlap_is_not_measured_beside_a_campaign(capsys: pytest.CaptureFixture[str]) -> None:
    solver(ft_request.SOLVER_BY_RANKS)
    with machine_alone(Settings().locks, lambda remark: None):
        code, out, err = solve(capsys, "--size", "8x8x8", "--ranks", 2, "--overlap", 2)
    assert (code, out) == (BUSY, "")
    assert "another campaign is running on this machine" in err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "neither --class nor --size is given: expected one of them, such as --class A"),
        (["--class", "S", "--size", "4x4x4"], "both --class and --size are given"),
        (["--class", "Z"], "--class is 'Z', expected one of S, W, A"),
        (["--size", "64"], "--size is '64', expected three whole numbers such as 64x64x64"),
        (["--size", "0x8x8"], "x of --size is 0, expected a whole number from 1"),
        (["--size", "8x-1x8"], "y of --size is -1, expected a whole number from 1"),
        (["--size", "8x8x8", "--iterations", "0"], "--iterations is 0"),
        (["--class", "S", "--ranks", "0"], "--ranks is 0"),
        (["--class", "S", "--ranks", "65"], "--ranks is 65, and 64x64x64 has 64 planes of 64 rows to share"),
        (["--class", "S", "--threads", "-2"], "--threads is -2"),
        (["--class", "S", "--overlap", "3"], "--overlap is 3 with --ranks 1"),
        (["--class", "S", "--pieces", "0"], "--pieces is 0"),
        (["--class", "F"], "8192x4096x4096 needs 6.14e+03 GiB, 3 arrays of the grid; expected at most"),
        (["--class", "S", "--trace", "/nowhere/t.json"], "there is no folder /nowhere"),
    ],
)
def test_mistakes_are_one_line(capsys: pytest.CaptureFixture[str], words: list[str], says: str) -> None:
    code, out, err = solve(capsys, *words)
    assert (code, out) == (MISUSE, "")
    assert says in err
    assert len(err.strip().splitlines()) == 1


def test_what_no_transform_takes_is_refused_by_all_ranks_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    solver(ft_request.SOLVER_BY_RANKS)
    too_long = 1 << 16
    code, _, err = solve(capsys, "--size", f"{too_long}x2x2", "--ranks", 3)
    assert code == MISUSE
    assert "--ranks is 3, and 65536x2x2 has 2 planes of 2 rows to share: expected at most 2" in err


def test_a_driver_of_ranks_leaves_none_behind() -> None:
    module = solver(ft_request.SOLVER_BY_RANKS)
    driver = ProcessDriver(module, Team(ranks=2))
    case = {"nx": 8, "ny": 8, "nz": 8, "iterations": 1}
    assert driver.case(case, 1, 60).outcome == "ok"
    assert driver.sample(4, 60).ranks_ns is not None
    started = psutil.Process(driver._process.pid).children(recursive=True)
    assert len(started) >= 2
    with pytest.raises(DriverFailed):
        driver.sample(1 << 30, 1)  # silent past its limit: killed
    deadline = time.monotonic() + 300
    while any(one.is_running() and one.status() != psutil.STATUS_ZOMBIE for one in started):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_classes_are_npbs() -> None:
    assert class_of(Grid(512, 256, 256, 20)) == "B"
    assert class_of(Grid(512, 256, 256, 19)) == "U"
    # NPB 3.4 prints 0.18 billion operations for S, and 92 for B.
    assert CLASSES["S"].operations == pytest.approx(0.18e9, rel=0.05)
    assert CLASSES["B"].operations == pytest.approx(92e9, rel=0.01)


PHASES = st.sampled_from(["columns", "planes", "exchange", "waiting"])
EVENTS = st.lists(st.builds(Event, PHASES, st.integers(1, 9), st.integers(0, 10**12), st.integers(10**12, 10**13)))


@given(st.lists(EVENTS, max_size=4))
def test_a_trace_holds_every_event_once(ranks: list[list[Event]]) -> None:
    found = [one for one in trace(ranks)["traceEvents"] if one["ph"] == "X"]
    assert len(found) == sum(map(len, ranks))
    assert all(one["ts"] >= 0 and one["dur"] >= 0 for one in found)
    json.dumps(found, allow_nan=False)
    for rank, events in enumerate(ranks):
        sums = seconds_of(events)
        shown = sum(one["dur"] for one in found if one["pid"] == rank) * 1e-6
        assert shown == pytest.approx(sums.computing + sums.exchange + sums.waiting, rel=1e-9, abs=1e-9)
