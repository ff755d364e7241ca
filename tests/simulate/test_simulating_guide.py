"""The commands that the guide to simulating shows work as they are shown, one after the other, on a short run."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from rooftop.cli.app import main
from rooftop.launchers import named
from rooftop.simulate.record import library
from rooftop.simulate.replay import missing

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "guide" / "simulating.md").read_text(encoding="utf-8")
SHOWN = [line for line in GUIDE.splitlines() if line.startswith("./rooftop ")]
OF_RECORDING = [line for line in SHOWN if "heat.jsonl" in line]
ROOT_MAY = ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM")


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROOFTOP_HOME", str(tmp_path / "home"))
    for name in ROOT_MAY:
        monkeypatch.setenv(name, "1")
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)


@pytest.mark.skipif(missing() is not None, reason=str(missing()))
@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
def test_a_program_from_build_to_what_if(mpi: str, capsys: pytest.CaptureFixture[str]) -> None:
    launcher = named(mpi)
    if library(launcher) is None or shutil.which(f"mpicc.{mpi}") is None or shutil.which(launcher.program) is None:
        pytest.skip(f"{launcher.title} is missing")
    (build,) = (line for line in GUIDE.splitlines() if line.startswith("mpicc "))
    subprocess.run(shlex.split(build.replace("mpicc", f"mpicc.{mpi}")), check=True)
    run = f"{launcher.program} -np 4 {'--oversubscribe ' if mpi == 'openmpi' else ''}./heat 5"
    told = []
    for line in OF_RECORDING:
        assert main(shlex.split(line.replace("mpirun -np 4 ./heat 100", run))[1:]) == 0, line
        told.append(capsys.readouterr().out)
    recorded, again, replayed, changed, placed = told
    assert recorded.startswith("heat.jsonl: 140 calls of 4 ranks\n")
    assert again == recorded
    assert "on 4 ranks" in replayed
    assert "placement round-robin: " in placed
    assert all(f"{change}: " in changed for change in ("node=*2", "latency=/2", "allreduce=ring", "all of them"))


@pytest.mark.parametrize("line", [line for line in SHOWN if line not in OF_RECORDING])
def test_a_shown_command_works(line: str) -> None:
    assert main(shlex.split(line)[1:]) == 0


def test_the_guide_shows_commands() -> None:
    assert (len(OF_RECORDING), len(SHOWN)) == (5, 9)
