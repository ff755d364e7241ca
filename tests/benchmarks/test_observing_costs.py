"""The page of what observing costs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from benchmarks.observing_costs.observing_costs import LOOPS, Cost, build, parts
from rooftop.measure.compare import Spread


def test_a_cost_above_what_was_asked_is_missed() -> None:
    found = [Cost(loop, 100.0, Spread(61.0, 60.0, 62.0, 15, True)) for loop in LOOPS]
    _, asked, costs, sampler = parts(found, (0.02, 1.0))
    lines = asked.splitlines()
    assert any("MPI call" in line and line.endswith("| missed |") for line in lines)
    assert any("of one thread" in line and line.endswith("| met |") for line in lines)
    assert not any("read of" in line for line in lines)  # nothing was asked of it
    assert any("sampler" in line and line.endswith("| met |") for line in lines)
    assert "61 ns [60, 62], 15" in costs
    assert "0.02 s" in sampler


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_loops_tell_their_time_and_refuse_what_they_do_not_know(tmp_path: Path) -> None:
    programs = build(tmp_path)
    for kind in ("allocations", "reads", "regions", "functions"):
        done = subprocess.run([programs[kind], kind, "1000"], capture_output=True, text=True, check=True)
        assert float(done.stdout) > 0
    assert subprocess.run([programs["reads"], "other", "1000"], check=False).returncode == 2
