"""PBS Professional and OpenPBS by psij, with another way to read what qstat says.

qstat exits with another code than 0 where it does not know one of the jobs, which is so for each that has ended unless
the server keeps a history: psij 0.9.11 then reads nothing. Some versions of qstat leave jobs out of their JSON.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from json import JSONDecoder

from psij import JobState, JobStatus
from psij.executors.batch.pbs import PBSJobExecutor

_NOT_KNOWN = re.compile(r"Unknown Job Id (\S+)|(\S+) Job has finished")


class Executor(PBSJobExecutor):
    """See psij's PBSJobExecutor."""

    _asked: Collection[str] = ()

    def get_status_command(self, native_ids: Collection[str]) -> list[str]:
        """See psij's BatchSchedulerExecutor."""
        self._asked = list(native_ids)
        words: list[str] = super().get_status_command(native_ids)
        return words

    def parse_status_output(self, exit_code: int, out: str) -> dict[str, JobStatus]:
        """See psij's BatchSchedulerExecutor. Of a job that is neither told of nor unknown nobody knows the end."""
        unknown = {one or other for one, other in _NOT_KNOWN.findall(out)}
        begin = out.find("{")
        if begin < 0 and not unknown:
            raise RuntimeError(f"qstat exited with {exit_code} and output {out!r}")
        # Variables of jobs may hold control characters, which strict JSON has none of.
        told = JSONDecoder(strict=False).raw_decode(out[begin:])[0].get("Jobs", {}) if begin >= 0 else {}
        found = {}
        for native, one in told.items():
            found[native] = JobStatus(self._get_state(one["job_state"]), message=one.get("comment"))
        for native in self._asked:
            if native not in found and native not in unknown:
                found[native] = JobStatus(JobState.QUEUED, message="qstat does not tell of it")
        return found
