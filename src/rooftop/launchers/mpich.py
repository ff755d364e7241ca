"""MPICH's launcher, Hydra. Source: the manual of Hydra (``-bind-to``, ``-genv``, ``-hosts``, ``-ppn``)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rooftop.launchers.launcher import Launcher
from rooftop.launchers.team import Team

ORDER = 20


class Mpich(Launcher):
    """Ranks on the nodes of a job, which it knows, or on hosts by name."""

    title = "MPICH"
    program = "mpirun.mpich"
    names = ("mpirun", "mpiexec", "mpiexec.mpich", "mpiexec.hydra", "hydra_mpiexec")
    tells = re.compile(r"HYDRA build details")
    mpi = ("mpich",)
    many_nodes = True
    named_hosts = True
    libraries = ("libmpich.so.10", "libmpich.so.12", "libmpi.so.12")  # the last is the name in MPICH's ABI initiative
    rank_variables = ("PMI_RANK",)
    not_found = re.compile(r"execvp error on file (\S+)")
    costs = "the comparison of the two MPI libraries is skipped"
    packages = ("mpich", "libmpich-dev")
    counts = ("np", "n")
    placing = ("", "bind-to map-by ppn binding membind")
    other = (
        "l prepend-rank genvall genvnone v verbose",
        "f hostfile hosts wdir genvlist launcher iface",
        "genv env",
    )
    passing = ("genv", "env")

    def placed(self, team: Team, bind: str | None) -> list[str]:
        """See Launcher."""
        words = ["-np", str(team.processes), *(["-hosts", ",".join(team.hosts)] if team.hosts else [])]
        words += ["-ppn", str(team.ranks_per_node)] if team.nodes > 1 or team.here else []
        if bind is None:
            return [*words, "-bind-to", "none"]
        return [*words, "-bind-to", f"core:{team.threads}", *(["-map-by", "numa"] if bind == "spread" else [])]

    def passed(self, variables: Mapping[str, str]) -> list[str]:
        """See Launcher."""
        return [word for name, value in variables.items() for word in ("-genv", name, value)]


launcher = Mpich()
