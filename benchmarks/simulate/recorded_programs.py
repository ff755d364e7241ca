"""Record whole programs on this machine, replay them on hosts with shaped links, and time them there."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

from benchmarks.form import ROOT
from benchmarks.overlap.hosts import Hosts
from rooftop.launchers import of_this_tree
from rooftop.launchers.team import Team
from rooftop.simulate.record import record
from rooftop.simulate.recording import Recording

_SAMPLES = 5
_MELT = """\
units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 10 0 10 0 10
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify every 20 delay 0 check no
fix 1 all nve
run ${steps}
"""


def prepare(folder: Path) -> None:
    """Build and write what the programs need. Raises CalledProcessError."""
    source = ROOT / "docs" / "guide" / "programs" / "heat.c"
    subprocess.run(["mpicc.openmpi", "-O2", "-o", folder / "heat", source, "-lm"], check=True)
    (folder / "melt.in").write_text(_MELT, encoding="ascii")


def missing(program: dict[str, Any]) -> str | None:
    """Return why a program cannot be run; None where it can."""
    word = program["words"][0]
    return None if "{" in word or shutil.which(word) else f"{word} is not installed"


def _launched(program: dict[str, Any], steps: int, folder: Path) -> tuple[list[str], dict[str, str]]:
    words = [one.format(folder=folder, steps=steps) for one in program["words"]]
    launch = of_this_tree().started(words, {"OMP_NUM_THREADS": "1"}, Team(ranks=2), "close")
    return list(launch.words), dict(launch.environment)


def recordings(program: dict[str, Any], folder: Path) -> list[Recording]:
    """Return recordings of few and of many steps. Raises Misuse and NotBuilt."""
    found = []
    for steps in program["steps"]:
        words, environment = _launched(program, steps, folder)
        os.environ.update(environment)
        found.append(record(words))
    return found


def times_on(hosts: Hosts, program: dict[str, Any], folder: Path) -> list[float]:
    """Return samples of the seconds that the many steps take beyond the few. Raises CalledProcessError."""
    found = []
    for _ in range(_SAMPLES):
        few_s, many_s = (_seconds(hosts, program, steps, folder) for steps in program["steps"])
        found.append(many_s - few_s)
    return found


def _seconds(hosts: Hosts, program: dict[str, Any], steps: int, folder: Path) -> float:
    words, environment = _launched(program, steps, folder)
    began_s = time.monotonic()
    subprocess.run(
        hosts.words(words),
        env=os.environ | hosts.environment() | environment,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return time.monotonic() - began_s
