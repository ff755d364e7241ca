"""PJM, the job operation software of Fujitsu's Technical Computing Suite. It was not tried: no such machine was there.

Sources: pjsub, pjstat and pjdel in the user guides of Fugaku, and Fujitsu's End-user's Guide of the software.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection
from pathlib import Path
from typing import ClassVar

from psij import Job, JobState, JobStatus, SubmitException
from psij.executors.batch.batch_scheduler_executor import check_status_exit_code

from rooftop.schedulers.batch import BatchSystem

_SUBMITTED = re.compile(r"Job (\d+) submitted")
_ENDED = {"EXT": JobState.COMPLETED, "CCL": JobState.CANCELED, "RJT": JobState.FAILED}
_RUNNING = frozenset({"RNP", "RUN", "RNE", "RNO", "SPP", "SPD", "RSM"})


class Executor(BatchSystem):
    """Jobs on whole nodes."""

    deleting = "pjdel"
    template: ClassVar[str] = """\
#!/bin/bash
#PJM -N rooftop
#PJM -X
#PJM -o /dev/null
#PJM -e /dev/null
{{#job.spec.resources}}
#PJM -L node={{computed_node_count}}
#PJM --mpi max-proc-per-node={{computed_processes_per_node}}
{{/job.spec.resources}}
{{#formatted_job_duration}}
#PJM -L elapse={{.}}
{{/formatted_job_duration}}
{{#job.spec.attributes}}
{{#queue_name}}
#PJM -L rscgrp={{.}}
{{/queue_name}}
{{#account}}
#PJM -g {{.}}
{{/account}}
{{/job.spec.attributes}}
"""

    def get_submit_command(self, job: Job, submit_file_path: Path) -> list[str]:
        """See psij's BatchSchedulerExecutor."""
        return ["pjsub", str(submit_file_path.absolute())]

    def job_id_from_submit_output(self, out: str) -> str:
        """See psij's BatchSchedulerExecutor: "[INFO] PJM 0000 pjsub Job 238 submitted."."""
        if (match := _SUBMITTED.search(out)) is None:
            raise SubmitException(out)
        return match[1]

    def get_status_command(self, native_ids: Collection[str]) -> list[str]:
        """See psij's BatchSchedulerExecutor. It is asked about all jobs of the user that have not ended."""
        return ["pjstat", "--data", "--choose=jid,st"]

    def parse_status_output(self, exit_code: int, out: str) -> dict[str, JobStatus]:
        """See psij's BatchSchedulerExecutor. The head is a line "H,JOB_ID,ST", each job a line ",238,RUN".

        A job that is held, or in error, waits.
        """
        check_status_exit_code("pjstat", exit_code, out)
        lines = list(csv.reader(line for line in out.splitlines() if line.strip()))
        head = next((line for line in lines if line[0] == "H"), None)
        if head is None:
            if lines:
                raise ValueError(f"pjstat printed {out!r}, expected a head and jobs")
            return {}
        number, state = head.index("JOB_ID"), head.index("ST")
        found = {}
        for line in lines:
            if line[0] != "":
                continue
            word = line[state]
            running = JobState.ACTIVE if word in _RUNNING else JobState.QUEUED
            found[line[number]] = JobStatus(_ENDED.get(word, running), message=word)
        return found
