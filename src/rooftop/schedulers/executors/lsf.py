"""LSF by psij, with another way to submit, and to read what bjobs says.

psij 0.9.11 gives bsub the script as a command, whose directives LSF reads only where a site has set that
(LSB_BSUB_PARSE_SCRIPT); it reads those of its standard input everywhere. psij stumbles over the reason of a job's end.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
from pathlib import Path
from typing import Any

from psij import Job, JobStatus
from psij.executors.batch.lsf import LsfJobExecutor

_REASONS = ("EXIT_REASON", "KILL_REASON", "SUSPEND_REASON")


class Executor(LsfJobExecutor):
    """See psij's LsfJobExecutor."""

    def __init__(self, config: Any) -> None:
        """See psij's JobExecutor."""
        super().__init__(None, config)

    def get_submit_command(self, job: Job, submit_file_path: Path) -> list[str]:
        """See psij's BatchSchedulerExecutor. Raises FileNotFoundError without LSF, as where no shell stands between."""
        if shutil.which("bsub") is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "bsub")
        return ["/bin/sh", "-c", 'exec bsub < "$0"', str(submit_file_path.absolute())]

    def parse_status_output(self, exit_code: int, out: str) -> dict[str, JobStatus]:
        """See psij's BatchSchedulerExecutor. bjobs fails if it does not know one of the jobs, and lists the others."""
        records = json.loads(out[: out.rindex("}") + 1])["RECORDS"]
        found = {}
        for one in records:
            if "ERROR" not in one:
                message = next((one[reason] for reason in _REASONS if one.get(reason)), None)
                found[one["JOBID"]] = JobStatus(self._STATE_MAP[one["STAT"]], message=message)
        return found
