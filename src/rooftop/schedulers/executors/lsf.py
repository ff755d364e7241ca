"""LSF by psij, with another way to read what bjobs says: psij 0.9.11 stumbles over the reason of a job's end."""

from __future__ import annotations

import json
from typing import Any

from psij import JobStatus
from psij.executors.batch.lsf import LsfJobExecutor

_REASONS = ("EXIT_REASON", "KILL_REASON", "SUSPEND_REASON")


class Executor(LsfJobExecutor):
    """See psij's LsfJobExecutor."""

    def __init__(self, config: Any) -> None:
        """See psij's JobExecutor."""
        super().__init__(None, config)

    def parse_status_output(self, exit_code: int, out: str) -> dict[str, JobStatus]:
        """See psij's BatchSchedulerExecutor. bjobs fails where it does not know a job, and tells of others."""
        records = json.loads(out[: out.rindex("}") + 1])["RECORDS"]
        found = {}
        for one in records:
            if "ERROR" not in one:
                message = next((one[reason] for reason in _REASONS if one.get(reason)), None)
                found[one["JOBID"]] = JobStatus(self._STATE_MAP[one["STAT"]], message=message)
        return found
