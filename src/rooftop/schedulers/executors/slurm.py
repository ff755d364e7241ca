"""Slurm by psij, with another way to ask for states, and the names of clusters.

psij 0.9.11 asks for the reasons too, whose texts it does not expect to contain blanks: "Nodes required for job are
DOWN, DRAINED …". It then takes all jobs for failed, though they wait. Of "Submitted batch job 7 on cluster other" it
takes "other" for the job's number.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Collection
from functools import cached_property
from pathlib import Path

from psij import Job, JobState, JobStatus
from psij.executors.batch.batch_scheduler_executor import check_status_exit_code
from psij.executors.batch.slurm import SlurmJobExecutor

_CLUSTER = re.compile(r"^ClusterName\s*=\s*(\S+)", re.MULTILINE)


class Executor(SlurmJobExecutor):
    """See psij's SlurmJobExecutor.

    submitted_to  the cluster that the last job went to, where it was not the present one
    """

    submitted_to: str | None = None

    @cached_property
    def _present(self) -> str | None:
        told = subprocess.run(["scontrol", "show", "config"], capture_output=True, text=True, check=True).stdout
        found = _CLUSTER.search(told)
        return found[1] if found is not None else None

    def present_cluster(self) -> str | None:
        """Return the name of the cluster whose controller answers. Raises CalledProcessError, OSError where none does.

        Slurm has names in small letters.
        """
        return self._present

    def get_submit_command(self, job: Job, submit_file_path: Path) -> list[str]:
        """See psij's BatchSchedulerExecutor."""
        return ["sbatch", "--parsable", str(submit_file_path.absolute())]

    def job_id_from_submit_output(self, out: str) -> str:
        """See psij's BatchSchedulerExecutor. The output is the number, and behind a semicolon another cluster."""
        native, _, cluster = out.strip().splitlines()[-1].partition(";")
        self.submitted_to = cluster or None
        return native

    def get_status_command(self, native_ids: Collection[str]) -> list[str]:
        """See psij's BatchSchedulerExecutor. It is asked about all jobs of the user, however many there are."""
        return ["squeue", "--me", "--noheader", "--states=all", "--format=%i %t %T %r"]

    def parse_status_output(self, exit_code: int, out: str) -> dict[str, JobStatus]:
        """See psij's BatchSchedulerExecutor."""
        check_status_exit_code("squeue", exit_code, out)
        found = {}
        for line in out.splitlines():
            native, short, long, reason = line.split(maxsplit=3)
            told = long.lower().replace("_", " ") + ("" if reason == "None" else f" ({reason})")
            found[native] = JobStatus(self._STATE_MAP.get(short, JobState.ACTIVE), message=told)
        return found
