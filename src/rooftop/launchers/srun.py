"""Slurm's launcher.

Sources: srun(1) of Slurm (``--cpu-bind``, ``--distribution``, ``--overcommit``), salloc(1), sbatch(1).
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from rooftop.launchers.launcher import Launcher
from rooftop.launchers.team import Team, usable_cores

ORDER = 30


class Srun(Launcher):
    """Ranks of either MPI library in a job of Slurm; they inherit the variables."""

    title = "Slurm"
    program = "srun"
    mpi = ("openmpi", "mpich")
    many_nodes = True
    rank_variables = ("SLURM_PROCID", "SLURM_STEP_ID")
    batch = "sbatch"
    not_found = re.compile(r"execve\(\): (\S+): ")
    counts = ("n", "ntasks")
    placing = (
        "O overcommit",
        "c cpus-per-task cpu-bind m distribution ntasks-per-node ntasks-per-core ntasks-per-socket hint "
        "threads-per-core B extra-node-info",
    )
    other = (
        "l label u unbuffered exclusive overlap v verbose Q quiet K kill-on-bad-exit",
        "N nodes w nodelist x exclude p partition A account t time J job-name o output e error i input mpi mem "
        "mem-per-cpu mem-bind q qos chdir D export gres gpus jobid reservation C constraint",
    )
    joined = True

    def placed(self, team: Team, bind: str | None) -> list[str]:
        """See Launcher."""
        # In a job of several nodes few ranks would be spread over all of them.
        words = ["--nodes", str(team.nodes)] if team.nodes > 1 or team.of_several or team.here else []
        words += ["--ntasks", str(team.processes)]
        words += ["--ntasks-per-node", str(team.ranks_per_node)] if team.nodes > 1 else []
        words += ["--cpus-per-task", str(team.threads), *(["--overcommit"] if team.crowded else [])]
        if bind is None:
            return [*words, "--cpu-bind=none"]
        return [*words, "--cpu-bind=cores", f"--distribution=block:{'cyclic' if bind == 'spread' else 'block'}"]

    def environment(self, variables: Mapping[str, str]) -> Mapping[str, str]:
        """See Launcher."""
        return variables

    def allocating(self, team: Team) -> list[str]:
        """See Launcher. Without a job, --overcommit has one core allocated for all ranks (srun(1))."""
        return ["salloc", *_asked(team)] if team.crowded and "SLURM_JOB_ID" not in os.environ else []

    def job_lines(self, team: Team) -> list[str]:
        """See Launcher."""
        return [f"#SBATCH {option}" for option in ("--job-name=rooftop", *_asked(team))]


def _asked(team: Team) -> tuple[str, str, str]:
    """Return what a job asks for: whole nodes' cores where ranks share them."""
    tasks, cores = (team.nodes, usable_cores()) if team.crowded else (team.processes, team.threads)
    return f"--nodes={team.nodes}", f"--ntasks={tasks}", f"--cpus-per-task={cores}"


launcher = Srun()
