"""The commands and the program that the guide to elasticity shows work as they are shown."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from rooftop.cli.app import main
from rooftop.errors import NotBuilt
from rooftop.settings import Settings
from rooftop.solvers.elasticity import library
from rooftop.solvers.elasticity import run as elasticity_run
from rooftop.solvers.elasticity.ranks import PROGRAM as PROGRAM_OF_RANKS

GUIDE = (Path(__file__).parents[3] / "docs" / "guide" / "solving-elasticity.md").read_text(encoding="utf-8")
README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
[SHOWN] = re.findall(r"```sh\n(.*?)```", GUIDE, re.DOTALL)
[PROGRAM] = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    """Skip all where the solver is not built."""
    try:
        library.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))


def test_shown_commands_work_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elasticity_run, "elapsed_s", lambda: 0.1)
    monkeypatch.chdir(tmp_path)
    for line in SHOWN.splitlines():
        if "--ranks" in line and not (Settings().build_folder / "solvers/elasticity" / PROGRAM_OF_RANKS).is_file():
            continue
        if line.startswith("./rooftop "):
            assert main(shlex.split(line)[1:]) == 0, line
        else:
            subprocess.run(["sh", "-ec", line], check=True)
    written = {path.name for path in tmp_path.iterdir()}
    assert written - {"parts.pvtu", "parts_0.vtu", "parts_1.vtu"} == {"mesh.inp", "u.vtu", "u.png", "bent.html"}


def test_the_program_prints_a_stress() -> None:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(PROGRAM, "solving-elasticity.md", "exec"), {})
    assert 1e6 < float(said.getvalue()) < 1e8


def test_the_programs_of_a_mesh() -> None:
    """The second one goes on from the first."""
    programs = [text for text in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if "solve_mesh" in text]
    assert len(programs) == 2
    exec(compile("".join(programs), "README.md", "exec"), {})
