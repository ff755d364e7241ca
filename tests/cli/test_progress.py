"""The line that tells what a comparison has found so far, and that someone who interrupts it is told."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from replayed import module
from rich.cells import cell_len
from rich.console import Console

from rooftop.measure.arms import Arm, Sample
from rooftop.measure.case_state import CaseState
from rooftop.measure.metric import Metric
from rooftop.terminal.progress import Progress, clipped, so_far

ROOT = Path(__file__).parents[2]


def case_of(**times_ms: list[float]) -> CaseState:
    arms = []
    for name, times in times_ms.items():
        arm = Arm(module(name), "command", outcome="ok", iterations=1)
        arm.samples = [Sample(block, 0, 1, one * 1e6, 0) for block, one in enumerate(times)]
        arms.append(arm)
    return CaseState("compare", "commands", "commands", {}, 1.0, arms)


def shown(case: CaseState, doing: str, width: int = 80, budget_s: float | None = 60.0) -> str:
    screen = io.StringIO()
    Progress(Console(file=screen, force_terminal=True, width=width), budget_s).progressed(case, doing)
    return screen.getvalue().removeprefix("\r\x1b[K")


def test_the_effect_with_its_interval() -> None:
    case = case_of(A=[10.0] * 18, B=[8.0] * 9 + [7.9] * 9)
    assert so_far(case) == "B 1.26× [1.25, 1.27] after 18 pairs"
    assert shown(case, "block 19") == "block 19, B 1.26× [1.25, 1.27] after 18 pairs, 0 s of 60 s"
    assert shown(case, "block 19", budget_s=None).endswith("pairs")


def test_too_few_pairs_have_no_interval() -> None:
    assert so_far(case_of(A=[10.0], B=[5.0])) == "B 2× after 1 pair"
    assert so_far(case_of(A=[10.0], B=[])) == ""
    assert so_far(case_of(A=[10.0])) == ""
    assert so_far(case_of()) == ""


def test_of_several_the_best() -> None:
    case = case_of(A=[10.0] * 6, B=[8.0] * 6, C=[5.0] * 6, D=[9.0] * 6)
    assert so_far(case) == "best so far C 2× [2, 2] after 6 pairs"
    case.arms[2].outcome = "failed"
    assert so_far(case) == "best so far B 1.25× [1.25, 1.25] after 6 pairs"
    case.arms[0].outcome = "wrong"
    assert so_far(case) == ""


def test_where_more_is_better_and_over_many_figures() -> None:
    case = case_of(A=[1.0] * 6, B=[1.0] * 6)
    for arm, rate in zip(case.arms, (20.0, 40.0), strict=True):
        arm.metric = Metric("output", "", "higher")
        arm.samples = [Sample(n, 0, 1, 1e6, 0, None, {"output": rate}) for n in range(6)]
    assert so_far(case) == "B 2× [2, 2] after 6 pairs"
    for arm, times in zip(case.arms, ((2.0, 8.0), (1.0, 1.0)), strict=True):
        arm.metric = Metric("t:", "s", each=True)
        arm.samples = [Sample(n, 0, 1, 1e6, 0, None, {"t:a": times[0], "t:b": times[1]}) for n in range(6)]
    assert so_far(case) == "B 4× [4, 4] after 6 pairs"


def test_a_race_tells_its_own_best() -> None:
    assert shown(case_of(A=[10.0], B=[5.0]), "9 tried, best so far N=3") == "9 tried, best so far N=3, 0 s of 60 s"


def test_nothing_where_nobody_looks_on() -> None:
    file = io.StringIO()
    progress = Progress(Console(file=file), 60.0)
    progress.progressed(case_of(A=[10.0], B=[5.0]), "block 2")
    progress.done()
    assert file.getvalue() == ""


@pytest.mark.case("commands.F31")
def test_nothing_is_drawn_where_lines_cannot_be_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    for term, drawn in (("dumb", False), ("unknown", False), ("xterm", True)):
        monkeypatch.setenv("TERM", term)
        file = io.StringIO()
        progress = Progress(Console(file=file, force_terminal=True, width=80), 60.0)
        progress.progressed(case_of(A=[10.0], B=[5.0]), "block 2")
        progress.remark("remarked")
        progress.done()
        assert ("\x1b" in file.getvalue()) == drawn
        assert "remarked\n" in file.getvalue()


@given(st.text(max_size=100), st.integers(1, 60))
def test_a_line_is_one_line_and_fits(text: str, cells: int) -> None:
    line = clipped(text, cells)
    assert cell_len(line) <= cells
    assert len(line.splitlines()) <= 1
    if text.isprintable() and cell_len(text) <= cells:
        assert line == text


def test_a_name_of_many_lines_and_letters_fits() -> None:
    case = case_of(**{"A": [10.0], "sh -c 'a\nb\x1b[31m' 比較比較比較比較比較比較比較": [5.0]})
    line = shown(case, "block 2", width=40)
    assert cell_len(line) <= 39
    assert "\n" not in line
    assert "\x1b" not in line


WOBBLE = """#!/bin/sh
n=$(cat n || echo 10)
echo $((10 + n * 31 % 89)) > n
exec sleep 0.0$n
"""  # from 0.01 to 0.098 s, in an order without a pattern: no quiet machine makes the difference sharp in a few pairs


@pytest.mark.usefixtures("scratch")
def test_at_a_terminal_an_interrupt_tells_what_is_known(tmp_path: Path) -> None:
    wobble = tmp_path / "wobble"
    wobble.write_text(WOBBLE, encoding="utf-8")
    wobble.chmod(0o755)
    ours, theirs = pty.openpty()
    words = ["-m", "rooftop", "compare", "--budget", "300s", "--max-pairs", "1000", "sleep 0.02", "./wobble"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "TERM": "xterm", "COLUMNS": "90"}
    process = subprocess.Popen(
        [sys.executable, *words],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
        cwd=tmp_path,
        start_new_session=True,
    )
    os.close(theirs)
    seen, interrupted, deadline = b"", False, time.monotonic() + 300
    try:
        while time.monotonic() < deadline:
            if not select.select([ours], [], [], 1.0)[0]:
                continue
            try:
                chunk = os.read(ours, 65536)
            except OSError:  # the terminal's other side is closed
                break
            seen += chunk
            if not interrupted and b"after 7 pairs" in seen:
                process.send_signal(signal.SIGINT)
                interrupted = True
        text = seen.decode()
        assert interrupted, text
        assert process.wait(60) == 130, text
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    assert re.search(r"block 8, \./wobble [\d.]+× \[[\d.]+, [\d.]+\] after 7 pairs, \d+ s of 300 s", text)
    assert re.search(r"\./wobble(: not resolved against| is slower than) sleep 0\.02", text)
    assert "every sample taken so far is kept: 'rooftop compare --resume' goes on" in text
