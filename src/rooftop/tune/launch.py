"""Turns a configuration into the words and the environment that start it, as each launcher spells them.

Sources: mpirun(1) of Open MPI 4 (``--map-by``, ``--bind-to``, ``-x``), the manual of MPICH's Hydra (``-bind-to``,
``-genv``), srun(1) of Slurm (``--cpu-bind``, ``--distribution``), OpenMP 5.2 chapter 21 (``OMP_…``).
"""

from __future__ import annotations

import ctypes.util
import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rooftop.errors import Misuse
from rooftop.tune.parameters import Configuration, Space, usable_cores

Launcher = Literal["openmpi", "mpich", "srun"]
LAUNCHERS: tuple[Launcher, ...] = ("openmpi", "mpich", "srun")
_PROGRAMS: dict[Launcher, str] = {"openmpi": "mpirun.openmpi", "mpich": "mpirun.mpich", "srun": "srun"}
_ALLOCATORS = {"tbb": "tbbmalloc_proxy", "mimalloc": "mimalloc", "jemalloc": "jemalloc"}


@dataclass(frozen=True)
class Launch:
    """How a configuration is started: the words that are executed, and variables beside those inherited."""

    words: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def line(self) -> str:
        """The line to copy into a shell."""
        variables = [f"{name}={shlex.quote(value)}" for name, value in self.environment.items()]
        return " ".join([*variables, shlex.join(self.words)])


def available_launcher() -> Launcher:
    """Give the first launcher that this machine has. Raises Misuse."""
    for launcher in LAUNCHERS:
        if shutil.which(_PROGRAMS[launcher]):
            return launcher
    raise Misuse(f"--ranks needs one of {', '.join(_PROGRAMS.values())}, and none is here: see rooftop doctor")


def allocator_library(name: str) -> str | None:
    """Give what LD_PRELOAD names for an allocator: "" for the C library's own, None where it is not installed."""
    return "" if name == "glibc" else ctypes.util.find_library(_ALLOCATORS[name])


def substituted(words: Sequence[str], configuration: Configuration) -> tuple[str, ...]:
    """Give the words with {name} replaced by values. Braces around anything else stay."""
    result = []
    for word in words:
        filled = word
        for name, value in configuration.items():
            filled = filled.replace(f"{{{name}}}", str(value))
        result.append(filled)
    return tuple(result)


def _variables(space: Space, configuration: Configuration) -> dict[str, str]:
    """Give what the configuration sets in the environment of the program itself."""
    found: dict[str, str] = {}
    for name, value in configuration.items():
        kind, text = space.kind(name), str(value)
        if kind == "threads":
            found["OMP_NUM_THREADS"] = text
        elif kind == "bind":
            found["OMP_PROC_BIND"] = "false" if text == "none" else text
            if text != "none":
                found["OMP_PLACES"] = "cores"
        elif kind == "schedule":
            found["OMP_SCHEDULE"] = text.replace(":", ",")
        elif kind == "malloc" and (library := allocator_library(text)):
            found["LD_PRELOAD"] = library
        elif kind == "env":
            found[name] = text
    return found


def _placement(launcher: Launcher, ranks: int, threads: int, bind: str | None) -> list[str]:
    """Give the launcher's words for ranks of so many threads. Nothing is bound where they exceed the cores."""
    crowded = ranks * threads > usable_cores()
    if launcher == "openmpi":
        words = ["-np", str(ranks)]
        if crowded:
            return [*words, "--oversubscribe", "--bind-to", "none"]
        if bind is None or bind == "none":
            return [*words, "--bind-to", "none"]
        return [*words, "--map-by", f"{'numa' if bind == 'spread' else 'slot'}:PE={threads}", "--bind-to", "core"]
    if launcher == "mpich":
        words = ["-np", str(ranks)]
        if crowded or bind is None or bind == "none":
            return [*words, "-bind-to", "none"]
        return [*words, "-bind-to", f"core:{threads}", *(["-map-by", "numa"] if bind == "spread" else [])]
    words = ["--ntasks", str(ranks), "--cpus-per-task", str(threads)]
    if crowded:
        return [*words, "--overcommit", "--cpu-bind=none"]
    if bind is None or bind == "none":
        return [*words, "--cpu-bind=none"]
    return [*words, "--cpu-bind=cores", f"--distribution=block:{'cyclic' if bind == 'spread' else 'block'}"]


def launch(space: Space, configuration: Configuration, words: Sequence[str], launcher: Launcher | None) -> Launch:
    """Give how a configuration is started, with a launcher where ranks are among its parameters."""
    program = substituted(words, configuration)
    variables = _variables(space, configuration)
    by_kind = {space.kind(name): value for name, value in configuration.items()}
    if "ranks" not in by_kind or launcher is None:
        return Launch(program, variables)
    bind = by_kind.get("bind")
    head = [
        _PROGRAMS[launcher],
        *_placement(
            launcher, int(by_kind["ranks"]), int(by_kind.get("threads", 1)), None if bind is None else str(bind)
        ),
    ]
    if launcher == "srun":
        return Launch((*head, *program), variables)
    if launcher == "openmpi":
        passed = [word for name, value in variables.items() for word in ("-x", f"{name}={value}")]
        root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"} if os.geteuid() == 0 else {}
        return Launch((*head, *passed, *program), root)
    passed = [word for name, value in variables.items() for word in ("-genv", name, value)]
    return Launch((*head, *passed, *program))
