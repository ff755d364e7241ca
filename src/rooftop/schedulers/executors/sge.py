"""Grid Engine: Sun's, and those that came of it. Sources: qsub(1), qstat(1) of Son of Grid Engine 8.1.9."""

from __future__ import annotations

import getpass
import os
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar
from xml.etree import ElementTree

from psij import Job, JobState, JobStatus
from psij.executors.batch.batch_scheduler_executor import check_status_exit_code

from rooftop.schedulers.batch import BatchSystem

if TYPE_CHECKING:
    from rooftop.schedulers.options import JobOptions


class Executor(BatchSystem):
    """Jobs of one slot; a parallel environment, whose name is the site's, is a template's to ask for."""

    deleting = "qdel"
    template: ClassVar[str] = """\
#!/bin/bash
#$ -S /bin/bash
#$ -N rooftop
#$ -V
#$ -r y
#$ -o /dev/null
#$ -e /dev/null
{{#formatted_job_duration}}
#$ -l h_rt={{.}}
{{/formatted_job_duration}}
{{#job.spec.attributes}}
{{#queue_name}}
#$ -q {{.}}
{{/queue_name}}
{{#account}}
#$ -A {{.}}
{{/account}}
{{/job.spec.attributes}}
"""

    @staticmethod
    def refusal(options: JobOptions) -> str | None:
        """Return why options cannot be met: slots on several nodes are in environments that each site names itself."""
        if options.template is None and (options.nodes or 1) * (options.tasks_per_node or 1) > 1:
            told = "Grid Engine has slots of parallel environments, which sites name"
            return f"{told}: give --template FILE with the line '#$ -pe NAME SLOTS' and psij.launch_command"
        return None

    def present_cluster(self) -> str | None:
        """Return the host of the cell's master; None where its file cannot be read."""
        cell = Path(os.environ.get("SGE_ROOT", "/var/lib/gridengine")) / os.environ.get("SGE_CELL", "default")
        try:
            return (cell / "common" / "act_qmaster").read_text(encoding="utf-8").strip() or None
        except OSError:
            return None

    def get_submit_command(self, job: Job, submit_file_path: Path) -> list[str]:
        """See psij's BatchSchedulerExecutor."""
        return ["qsub", "-terse", str(submit_file_path.absolute())]

    def job_id_from_submit_output(self, out: str) -> str:
        """See psij's BatchSchedulerExecutor."""
        return out.strip().splitlines()[-1]

    def get_status_command(self, native_ids: Collection[str]) -> list[str]:
        """See psij's BatchSchedulerExecutor. It is asked about all jobs of the user that have not ended."""
        return ["qstat", "-xml", "-u", getpass.getuser()]

    def parse_status_output(self, exit_code: int, out: str) -> dict[str, JobStatus]:
        """See psij's BatchSchedulerExecutor. A job in an error state waits until somebody clears that."""
        check_status_exit_code("qstat", exit_code, out)
        found = {}
        for one in ElementTree.fromstring(out).iter("job_list"):
            letters, word = one.findtext("state", ""), one.get("state", "")
            state = JobState.QUEUED if "q" in letters else JobState.ACTIVE
            found[one.findtext("JB_job_number", "")] = JobStatus(state, message=f"{word} ({letters})")
        return found
