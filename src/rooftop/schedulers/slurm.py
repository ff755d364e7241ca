"""Slurm by psij, with another way to ask for states.

psij 0.9.11 asks for the reasons too, whose texts it does not expect to contain blanks: "Nodes required for job are
DOWN, DRAINED …". It then takes all jobs for failed, though they wait.
"""

from __future__ import annotations

from collections.abc import Collection

from psij import JobState, JobStatus
from psij.executors.batch.batch_scheduler_executor import check_status_exit_code
from psij.executors.batch.slurm import SlurmExecutorConfig, SlurmJobExecutor


class SlurmExecutor(SlurmJobExecutor):
    """See psij's SlurmJobExecutor.

    words  Slurm's own for the state of each job, with the reason; psij tells of a new state only, not of a new reason
    """

    _NAME_ = "slurm"

    def __init__(self, config: SlurmExecutorConfig) -> None:
        """See psij's JobExecutor."""
        super().__init__(config=config)
        self.words: dict[str, str] = {}

    def get_status_command(self, native_ids: Collection[str]) -> list[str]:
        """See psij's BatchSchedulerExecutor."""
        return ["squeue", "--me", "--noheader", "--states=all", "--format=%i %t %T %r"]

    def parse_status_output(self, exit_code: int, out: str) -> dict[str, JobStatus]:
        """See psij's BatchSchedulerExecutor."""
        check_status_exit_code("squeue", exit_code, out)
        found = {}
        for line in out.splitlines():
            native, short, long, reason = line.split(maxsplit=3)
            self.words[native] = told = long.lower().replace("_", " ") + ("" if reason == "None" else f" ({reason})")
            found[native] = JobStatus(self._STATE_MAP.get(short, JobState.ACTIVE), message=told)
        return found
