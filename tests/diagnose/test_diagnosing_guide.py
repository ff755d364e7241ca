"""The commands that the guide to diagnosing shows work as they are shown."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from rooftop.cli.app import main

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "guide" / "diagnosing.md").read_text(encoding="utf-8")
_OVER_OPENBLAS = "import numpy; assert 'openblas' in open('/proc/self/maps').read()"
_SCALE = 0.02  # of the programs
SHOWN = [line for line in GUIDE.splitlines() if line.startswith("./rooftop ")]


def no_openblas() -> str | None:
    """Return why the system's Python has no NumPy on OpenBLAS; None if it has."""
    try:
        done = subprocess.run(["/usr/bin/python3", "-c", _OVER_OPENBLAS], capture_output=True, check=False)
    except OSError as error:
        return f"no Python of the system: {error}"
    return "no NumPy on OpenBLAS for /usr/bin/python3: packages/install programs" if done.returncode else None


def brief(line: str) -> str:
    """Return a command on short runs, of which few pairs end it: it ends by itself, however slow the machine is."""
    line, budgets = re.subn(r" --budget \w+ ", " --budget 600s --max-pairs 6 ", line)
    assert budgets == 1
    return re.sub(r"(\w+\.py) [\d.]+", rf"\1 {_SCALE}", line).replace("00000)", "0000)")


@pytest.mark.parametrize("line", SHOWN)
def test_a_shown_command_works(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "chunk_cache.py" in line:
        pytest.importorskip("h5py")
    if "small_solves.py" in line and (reason := no_openblas()) is not None:
        pytest.skip(reason)
    monkeypatch.setenv("ROOFTOP_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(ROOT)
    assert main(shlex.split(brief(line))[1:]) == 0


def test_the_guide_shows_commands() -> None:
    assert len(SHOWN) >= 8
