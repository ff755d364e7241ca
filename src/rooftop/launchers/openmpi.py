"""Open MPI's launcher. Source: mpirun(1) of Open MPI 4."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from rooftop.launchers.launcher import Launcher
from rooftop.launchers.team import Team

ORDER = 10
# Of a job it would take the nodes, and one slot for each task that was asked for.
_OF_NO_JOB = ("--mca", "ras", "^slurm,tm,lsf,gridengine,alps", "--mca", "plm", "isolated")


class OpenMpi(Launcher):
    """Ranks on the nodes of a job, which it knows, or on hosts by name; as root it must be told that it may."""

    title = "Open MPI"
    program = "mpirun.openmpi"
    names = ("mpirun", "mpiexec", "mpiexec.openmpi", "orterun", "prterun")
    tells = re.compile(r"\S+ \(Open ?(MPI|RTE)\) ")
    mpi = ("openmpi",)
    many_nodes = True
    named_hosts = True
    libraries = ("libmpi.so.20", "libmpi.so.40")  # of versions 2 and 3, and since 4
    of_this_tree = True
    rank_variables = ("OMPI_COMM_WORLD_RANK",)
    # Between two rules, and what it logs of itself: that it could not show a remark, showed it once for all ranks, or
    # watched a pipe that had been closed (libevent).
    remark = re.compile(
        r"^-{74}$.*?^-{74}$"
        r"|^\[[^]\s]+:\d+\] \[\[\d+,\d+\],\d+\] ORTE_ERROR_LOG: [^\n]*$"
        r"|^\[[^]\s]+:\d+\] \d+ more process(es)? ha(s|ve) sent help message [^\n]*$"
        r"|^\[[^]\s]+:\d+\] Set MCA parameter \"orte_base_help_aggregate\"[^\n]*$"
        r"|^\[warn\] Epoll [A-Z]+\(\d+\) on fd \d+ failed\.[^\n]*$",
        re.DOTALL | re.MULTILINE,
    )
    not_found = re.compile(r"^Executable: (\S+)$", re.MULTILINE)
    too_few = re.compile(r"not enough slots available in the system to satisfy the (\d+)\s+slots")
    costs = "experiments over several processes are skipped with this library"
    packages = ("openmpi-bin", "libopenmpi-dev")
    counts = ("np", "n", "c")
    placing = (
        "oversubscribe nooversubscribe bind-to-core bind-to-socket bind-to-none bycore byslot bynode bysocket "
        "use-hwthread-cpus pernode",
        "bind-to map-by rank-by rankfile rf cpu-set cpu-list cpus-per-proc cpus-per-rank npernode npersocket N ppr",
    )
    other = (
        "allow-run-as-root report-bindings tag-output timestamp-output q quiet v verbose display-map "
        "display-allocation enable-recovery",
        "x H host hostfile machinefile default-hostfile wdir wd prefix path output-filename timeout stdin am tune",
        "mca gmca pmixmca prtemca",
    )
    passing = ("x",)

    def placed(self, team: Team, bind: str | None) -> list[str]:
        """See Launcher."""
        words = [*(_OF_NO_JOB if team.here else ()), "-np", str(team.processes)]
        words += ["--oversubscribe"] if team.crowded else []
        each = team.ranks_per_node
        if team.hosts:
            words += ["--host", ",".join(f"{host}:{each}" for host in team.hosts)]
        filled = f"ppr:{each}:node" if team.nodes > 1 else None
        if bind is None:
            return [*words, *(["--map-by", filled] if filled is not None else []), "--bind-to", "none"]
        by = f"{filled or 'slot'}:"
        if bind == "spread" and (filled is None or team.of_several):
            by = "numa:"  # node by node, each as far as it has slots
            if filled is not None:
                names = [f"+n{node}" for node in range(team.nodes) for _ in range(each)]
                words += ["--host", ",".join(names)]  # "+n0:3" is refused
        elif bind == "spread":
            by = "numa:SPAN,"  # over the NUMA nodes of all of its nodes
        return [*words, "--map-by", f"{by}PE={team.threads}", "--bind-to", "core"]

    def passed(self, variables: Mapping[str, str]) -> list[str]:
        """See Launcher."""
        return [word for name, value in variables.items() for word in ("-x", f"{name}={value}")]

    def environment(self, variables: Mapping[str, str]) -> Mapping[str, str]:
        """See Launcher."""
        return {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"} if os.geteuid() == 0 else {}


launcher = OpenMpi()
