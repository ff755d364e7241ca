"""The commands that the guide to diagnosing shows work as they are shown."""

from __future__ import annotations

import re
import shlex
import shutil
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
    return re.sub(r"(\w+\.py|small_calls) [\d.]+", rf"\1 {_SCALE}", line).replace("00000)", "0000)")


def compiled(line: str, folder: Path) -> str:
    """Return a command whose program the guide compiles, compiled as it does, into a folder."""
    (how,) = (one for one in GUIDE.splitlines() if one.startswith("gcc "))
    program = re.search(r"-o (\S+)", how)
    assert program is not None
    place = folder / program[1]
    subprocess.run(shlex.split(how.replace(program[0], f"-o {place}")), cwd=ROOT, check=True)
    return line.replace(f"./{program[1]}", str(place))


@pytest.mark.parametrize("line", SHOWN)
def test_a_shown_command_works(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "chunk_cache.py" in line:
        pytest.importorskip("h5py")
    if "small_solves.py" in line and (reason := no_openblas()) is not None:
        pytest.skip(reason)
    if "./small_calls" in line:
        if shutil.which("gcc") is None:
            pytest.skip("no gcc: install gcc")
        line = compiled(line, tmp_path)
    monkeypatch.setenv("ROOFTOP_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path if str(tmp_path) in line else ROOT)  # what is compiled with -pg writes gmon.out
    assert main(shlex.split(brief(line))[1:]) == 0


def test_the_guide_shows_commands() -> None:
    assert len(SHOWN) >= 8
