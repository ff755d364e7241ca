"""The overlap benchmark, on real hosts: two network namespaces, a rank in each, messages by TCP between them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rooftop.discover import find_experiment
from rooftop.settings import Settings
from rooftop.solve import ft_run

ROOT = Path(__file__).resolve().parents[2]


def _namespaces_can_be_made() -> bool:
    try:
        made = subprocess.run(["ip", "netns", "add", "rooftop-probe"], capture_output=True, check=False)
        subprocess.run(["ip", "netns", "del", "rooftop-probe"], capture_output=True, check=False)
    except OSError:
        return False
    return made.returncode == 0


def test_ranks_on_two_hosts_are_right_and_told_apart(tmp_path: Path) -> None:
    settings = Settings()
    found = find_experiment(settings.root_folder / "experiments", settings.build_folder, "ft")
    module = next(one for one in found.rungs if one.name == ft_run.SOLVER_BY_RANKS)
    if module.status != "built":
        pytest.skip(f"{module.name}: {module.reason}")
    if os.geteuid() != 0 or not _namespaces_can_be_made():
        pytest.skip("network namespaces cannot be made here")
    page = tmp_path / "page.md"
    words = ["--size", "32x24x20", "--iterations", "2", "--pairs", "1", "--hosts", "2", "--page", str(page)]
    delays = Path("/dev/net/tun").exists()
    words += [] if delays else ["--delay", "0"]
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "overlap" / "overlap.py"), *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    told = page.read_text(encoding="utf-8")
    assert "| 2 hosts, 1600mbit |" in told
    assert ("| 2 hosts, 3200mbit, 1000 µs |" in told) == delays
    assert "rooftop1" not in subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=True).stdout
