"""The real probes, where they are built: their lines, their options, and figures that physics allows."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from rooftop.probe.launch import find_probes, run_probe
from rooftop.settings import Settings

FOLDER = Settings().build_folder / "probes"
PROBES = find_probes(FOLDER)
SOURCES = sorted((Path(__file__).resolve().parents[2] / "probes").glob("*.cpp"))
built = pytest.mark.skipif(not PROBES, reason=f"no probes built in {FOLDER}")


@built
def test_every_source_has_its_executable() -> None:
    assert {file.stem for file in SOURCES} <= {file.name for file in PROBES}


@built
@pytest.mark.parametrize("probe", PROBES, ids=lambda file: file.name)
@pytest.mark.parametrize("options", [["--thread", "1"], ["--threads", "0"], ["--threads"], ["--threads", "1x"]])
def test_wrong_options_are_one_line_and_exit_code_2(probe: Path, options: list[str]) -> None:
    done = subprocess.run([probe, *options], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "expected [--quick]" in done.stderr


@built
@pytest.mark.parametrize(
    "name",
    ["fma_peak", "bandwidth", "latency", "core_to_core", "page_fault", "timer", "core_clock", "branch_miss"],
)
def test_a_brief_run_gives_figures_that_are_positive_and_named(name: str) -> None:
    threads = len(os.sched_getaffinity(0))
    figures = run_probe(FOLDER / name, ["--brief", "--threads", str(threads)], 60)
    assert not [line for line in figures.missing if "printed" in line or "exit" in line or "killed" in line]
    assert figures.roofs or figures.missing
    for roof in figures.roofs:
        assert roof.value > 0
        assert 1 <= roof.threads <= max(2, threads)
        if roof.metric in ("read", "write", "copy", "triad", "latency"):
            assert roof.level in ("L1", "L2", "L3", "L4", "memory")
        if roof.level == "memory" and roof.metric != "aa_noise":
            assert roof.detail["over_level_below"] >= 2
