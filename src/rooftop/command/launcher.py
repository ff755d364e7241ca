"""Turns a program into the words and the environment that start it on so many ranks and threads, as launchers spell it.

Sources: mpirun(1) of Open MPI 4 (``--map-by``, ``--bind-to``, ``-x``), the manual of MPICH's Hydra (``-bind-to``,
``-genv``), srun(1) of Slurm (``--cpu-bind``, ``--distribution``, ``--overcommit``), OpenMP 5.2 chapter 21 (``OMP_…``).
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from rooftop.errors import Misuse
from rooftop.machine.identity import cores_now

Launcher = Literal["openmpi", "mpich", "srun"]
LAUNCHERS: tuple[Launcher, ...] = ("openmpi", "mpich", "srun")
_PROGRAMS: dict[Launcher, str] = {"openmpi": "mpirun.openmpi", "mpich": "mpirun.mpich", "srun": "srun"}


@dataclass(frozen=True)
class Launch:
    """How a program is started: the words that are executed, and variables beside those inherited."""

    words: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def line(self) -> str:
        """The line to copy into a shell."""
        variables = [f"{name}={shlex.quote(value)}" for name, value in self.environment.items()]
        return " ".join([*variables, shlex.join(self.words)])


@cache
def usable_cores() -> int:
    """Count the cores that this process can keep busy."""
    return cores_now()


def available_launcher(option: str = "--ranks") -> Launcher:
    """Return the first launcher that this machine has. Raises Misuse naming the option that needs one."""
    for launcher in LAUNCHERS:
        if shutil.which(_PROGRAMS[launcher]):
            return launcher
    raise Misuse(f"{option} needs one of {', '.join(_PROGRAMS.values())}, and none is here: see rooftop doctor")


def missing(launcher: Launcher) -> str | None:
    """Return the reason why this launcher starts nothing here; None where it is installed."""
    program = _PROGRAMS[launcher]
    return None if shutil.which(program) else f"needs {program}, which is not installed: see rooftop doctor"


def openmp(threads: int | None = None, bind: str | None = None) -> dict[str, str]:
    """Return OpenMP's variables for its threads and their binding (close, spread, none); None leaves one unset."""
    found: dict[str, str] = {}
    if threads is not None:
        found["OMP_NUM_THREADS"] = str(threads)
    if bind is not None:
        found["OMP_PROC_BIND"] = "false" if bind == "none" else bind
        if bind != "none":
            found["OMP_PLACES"] = "cores"
    return found


def crowded(ranks: int, threads: int) -> bool:
    """Whether so many ranks of so many threads each are more than the cores."""
    return ranks * threads > usable_cores()


def job_size(ranks: int, threads: int) -> tuple[int, int]:
    """Return how many tasks of how many cores a job asks Slurm for: as many cores as here where ranks share them."""
    return (1, usable_cores()) if crowded(ranks, threads) else (ranks, threads)


def _placement(launcher: Launcher, ranks: int, threads: int, bind: str | None) -> list[str]:
    """Return the launcher's words for ranks of so many threads. Nothing is bound where they exceed the cores."""
    over = crowded(ranks, threads)
    if launcher == "openmpi":
        words = ["-np", str(ranks)]
        if over:
            return [*words, "--oversubscribe", "--bind-to", "none"]
        if bind is None or bind == "none":
            return [*words, "--bind-to", "none"]
        return [*words, "--map-by", f"{'numa' if bind == 'spread' else 'slot'}:PE={threads}", "--bind-to", "core"]
    if launcher == "mpich":
        words = ["-np", str(ranks)]
        if over or bind is None or bind == "none":
            return [*words, "-bind-to", "none"]
        return [*words, "-bind-to", f"core:{threads}", *(["-map-by", "numa"] if bind == "spread" else [])]
    words = ["--ntasks", str(ranks), "--cpus-per-task", str(threads)]
    if over:
        return [*words, "--overcommit", "--cpu-bind=none"]
    if bind is None or bind == "none":
        return [*words, "--cpu-bind=none"]
    return [*words, "--cpu-bind=cores", f"--distribution=block:{'cyclic' if bind == 'spread' else 'block'}"]


def _unbound(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the variables without OpenMP's binding."""
    return {name: value for name, value in variables.items() if name != "OMP_PLACES"} | openmp(bind="none")


def started(
    launcher: Launcher,
    program: Sequence[str],
    variables: Mapping[str, str],
    ranks: int,
    threads: int,
    bind: str | None,
    *,
    in_job: bool | None = None,
) -> Launch:
    """Return how a launcher starts a program on so many ranks of so many threads each, bound as OpenMP's threads are.

    `in_job`: whether Slurm has allocated the cores already; None where that is to be seen in the environment.
    """
    over = crowded(ranks, threads)
    if over and ranks > 1 and bind not in (None, "none"):
        # Ranks that no launcher binds would each bind their first thread to the first core.
        variables = _unbound(variables)
    head = [_PROGRAMS[launcher], *_placement(launcher, ranks, threads, bind)]
    if launcher == "srun":
        if over and not ("SLURM_JOB_ID" in os.environ if in_job is None else in_job):
            # Without a job, --overcommit has one core allocated for all ranks (srun(1)).
            tasks, cores = job_size(ranks, threads)
            head = ["salloc", "--nodes=1", f"--ntasks={tasks}", f"--cpus-per-task={cores}", *head]
        return Launch((*head, *program), variables)
    if launcher == "openmpi":
        passed = [word for name, value in variables.items() for word in ("-x", f"{name}={value}")]
        root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"} if os.geteuid() == 0 else {}
        return Launch((*head, *passed, *program), root)
    passed = [word for name, value in variables.items() for word in ("-genv", name, value)]
    return Launch((*head, *passed, *program))
