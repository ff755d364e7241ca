"""The commands that the guide to diagnosing shows work as they are shown."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from rooftop.cli.app import main

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "guide" / "diagnosing.md").read_text(encoding="utf-8")
_OVER_OPENBLAS = "import numpy; assert 'openblas' in open('/proc/self/maps').read()"
SHOWN = [line for line in GUIDE.splitlines() if line.startswith("./rooftop ")]


def no_openblas() -> str | None:
    """Return why the system's Python has no NumPy on OpenBLAS; None if it has."""
    try:
        done = subprocess.run(["/usr/bin/python3", "-c", _OVER_OPENBLAS], capture_output=True, check=False)
    except OSError as error:
        return f"no Python of the system: {error}"
    return "no NumPy on OpenBLAS for /usr/bin/python3: packages/install programs" if done.returncode else None


def on_a_busy_machine(words: list[str]) -> list[str]:
    """Return a command with time for a comparison however slow the machine is just now, and few pairs in it."""
    if words[0] != "compare":
        return words
    rest = words[3:] if words[1] == "--budget" else words[1:]
    return ["compare", "--budget", "600s", "--max-pairs", "6", *rest]


@pytest.mark.parametrize("line", SHOWN)
def test_a_shown_command_works(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "chunk_cache.py" in line:
        pytest.importorskip("h5py")
    if "small_solves.py" in line and (reason := no_openblas()) is not None:
        pytest.skip(reason)
    monkeypatch.setenv("ROOFTOP_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(ROOT)
    assert main(on_a_busy_machine(shlex.split(line)[1:])) == 0


def test_the_guide_shows_commands() -> None:
    assert len(SHOWN) >= 8
