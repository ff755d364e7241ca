"""Takes a launcher's command line apart: who launches, on how many ranks, which program.

Sources: mpirun(1) of Open MPI 4, the manual of MPICH's Hydra, srun(1) of Slurm. An option that is not listed here may
take the next word or not, so that nobody can tell where the program begins.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rooftop.command.launcher import Launcher

_BY_NAME: dict[str, Launcher] = {
    "orterun": "openmpi",
    "prterun": "openmpi",
    "mpirun.openmpi": "openmpi",
    "mpiexec.openmpi": "openmpi",
    "mpirun.mpich": "mpich",
    "mpiexec.mpich": "mpich",
    "mpiexec.hydra": "mpich",
    "hydra_mpiexec": "mpich",
    "srun": "srun",
}
_EITHER = ("mpirun", "mpiexec")

_RANKS: dict[Launcher, tuple[str, ...]] = {
    "openmpi": ("np", "n", "c"),
    "mpich": ("np", "n"),
    "srun": ("n", "ntasks"),
}
# Options about placement, which a fix says anew, and how many words each takes.
_PLACING: dict[Launcher, dict[int, str]] = {
    "openmpi": {
        0: "oversubscribe nooversubscribe bind-to-core bind-to-socket bind-to-none bycore byslot bynode bysocket "
        "use-hwthread-cpus pernode",
        1: "bind-to map-by rank-by rankfile rf cpu-set cpu-list cpus-per-proc cpus-per-rank npernode npersocket N ppr",
    },
    "mpich": {0: "", 1: "bind-to map-by ppn binding membind"},
    "srun": {
        0: "O overcommit",
        1: "c cpus-per-task cpu-bind m distribution ntasks-per-node ntasks-per-core ntasks-per-socket hint "
        "threads-per-core B extra-node-info",
    },
}
# All others that are known: they stay as they are.
_OTHER: dict[Launcher, dict[int, str]] = {
    "openmpi": {
        0: "allow-run-as-root report-bindings tag-output timestamp-output q quiet v verbose display-map "
        "display-allocation enable-recovery",
        1: "x H host hostfile machinefile default-hostfile wdir wd prefix path output-filename timeout stdin am tune",
        2: "mca gmca pmixmca prtemca",
    },
    "mpich": {
        0: "l prepend-rank genvall genvnone v verbose",
        1: "f hostfile hosts wdir genvlist launcher iface",
        2: "genv env",
    },
    "srun": {
        0: "l label u unbuffered exclusive overlap v verbose Q quiet K kill-on-bad-exit",
        1: "N nodes w nodelist x exclude p partition A account t time J job-name o output e error i input mpi mem "
        "mem-per-cpu mem-bind q qos chdir D export gres gpus jobid reservation C constraint",
    },
}


@dataclass(frozen=True)
class Launched:
    """A launched program.

    head     the launcher, as it was written
    kept     its options that say nothing of ranks or placement
    ranks    as told; None where they are not
    """

    launcher: Launcher
    head: str
    kept: tuple[str, ...]
    ranks: int | None
    program: tuple[str, ...]


class Unclear(Exception):
    """A launcher's words that cannot be taken apart; its text says why."""


def launcher_of(word: str, seen: Launcher | None = None) -> Launcher | None:
    """Return which launcher a command's first word is, None where it is none.

    seen  who started the ranks that were seen: several launchers are called mpirun
    """
    name = Path(word).name
    if name not in _EITHER:
        return _BY_NAME.get(name)
    if seen is not None and seen != "srun":
        return seen
    real = Path(os.path.realpath(shutil.which(word) or word)).name
    return _BY_NAME.get(real, "openmpi")


def _words_of(launcher: Launcher, name: str) -> tuple[int, bool] | None:
    """Return how many words follow an option, and whether it is about placement; None where it is not known."""
    if name in _RANKS[launcher]:
        return 1, True
    for table, placing in ((_PLACING, True), (_OTHER, False)):
        for count, names in table[launcher].items():
            if name in names.split():
                return count, placing
    return None


def taken_apart(words: Sequence[str], launcher: Launcher) -> Launched:
    """Take a launcher's words apart. Raises Unclear."""
    if ":" in words:
        raise Unclear(f"{words[0]} starts several programs")
    kept: list[str] = []
    ranks: int | None = None
    place = 1
    while place < len(words) and words[place].startswith("-"):
        option, equals, value = words[place].partition("=")
        name = option.lstrip("-")
        if launcher == "srun" and not option.startswith("--") and len(name) > 1 and not equals:  # -n4
            name, equals, value = name[0], "=", name[1:]
        known = _words_of(launcher, name)
        if known is None:
            raise Unclear(f"{words[place]} is not known: it cannot be told where the program begins")
        count, placing = known
        following = 0 if equals else count
        end = place + 1 + following
        if name in _RANKS[launcher]:
            told = value if equals else "".join(words[place + 1 : end])
            if not (told.isdecimal() and told.isascii() and int(told) > 0):
                raise Unclear(f"{words[place]} does not tell the number of ranks")
            ranks = int(told)
        elif not placing:
            kept += words[place:end]
        place = end
    if place >= len(words):
        raise Unclear(f"{words[0]} starts no program")
    return Launched(launcher, words[0], tuple(kept), ranks, tuple(words[place:]))
