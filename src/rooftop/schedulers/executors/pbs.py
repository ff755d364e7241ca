"""PBS Professional and OpenPBS by psij, with another way to ask for states.

psij 0.9.11 asks `qstat -x -f -F json`. A server refuses -x unless it keeps a history, which it does not by default, and
qstat exits with another code than 0 where it does not know one of the jobs: psij then reads nothing. Its JSON may lack
jobs, or hold unescaped variables of theirs. The text for people is asked for instead, without -x: of a job that has
ended qstat says so, or that it does not know it.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from psij import JobState, JobStatus
from psij.executors.batch.pbs import PBSJobExecutor

_JOB = re.compile(r"^Job Id: ", re.MULTILINE)
# Variables of a job, which may hold anything, follow later.
_STATE = re.compile(r"^    job_state = (\w)\s*$", re.MULTILINE)
_COMMENT = re.compile(r"^    comment = (.*)$", re.MULTILINE)
_NOT_KNOWN = re.compile(r"Unknown Job Id (\S+)|(\S+) Job has finished")


class Executor(PBSJobExecutor):
    """See psij's PBSJobExecutor."""

    _asked: Collection[str] = ()

    def get_status_command(self, native_ids: Collection[str]) -> list[str]:
        """See psij's BatchSchedulerExecutor."""
        self._asked = list(native_ids)
        return ["qstat", "-f", *native_ids]

    def parse_status_output(self, exit_code: int, out: str) -> dict[str, JobStatus]:
        """See psij's BatchSchedulerExecutor. A job that is neither listed nor unknown has no known end."""
        unknown = {one or other for one, other in _NOT_KNOWN.findall(out)}
        found = {}
        for told in _JOB.split(out)[1:]:
            if (state := _STATE.search(told)) is not None:
                comment = _COMMENT.search(told)
                message = comment[1] if comment is not None else None
                found[told.split(maxsplit=1)[0]] = JobStatus(self._get_state(state[1]), message=message)
        if not found and not unknown:
            raise RuntimeError(f"qstat exited with {exit_code} and output {out!r}")
        for native in self._asked:
            if native not in found and native not in unknown:
                found[native] = JobStatus(JobState.QUEUED, message="qstat does not list it")
        return found
