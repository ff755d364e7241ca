"""Asks a scheduler for the states of jobs: once in a while for all jobs of a home, whoever wants to know of them.

An answer is kept in a file, so that commands that wait beside each other, or follow each other, share it. It holds for
one host and one configuration: a home may be seen from several clusters.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import socket
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ValidationError

from rooftop.errors import StoreError
from rooftop.files.atomic import write_whole

if TYPE_CHECKING:
    import psij
    from psij.executors.batch.batch_scheduler_executor import BatchSchedulerExecutor

State = Literal["not submitted", "never submitted", "queued", "running", "ended", "unknown"]

_FOLDER = "asked"
_ANSWER_S, _LOOK_S = 20.0, 0.05
_PROGRAM_S = 60.0  # that of LSF waits for a master that is away without end
# What decides which cluster the programs of a scheduler speak with.
_OF_HERE = (
    *("SLURM_CONF", "SLURM_CLUSTERS", "PBS_DEFAULT", "PBS_SERVER", "FLUX_URI", "LSF_ENVDIR"),
    *("SGE_ROOT", "SGE_CELL", "SGE_QMASTER_PORT"),
)
NO_SCHEDULER = "there is no such scheduler on this machine"


def in_words(state: str, word: str) -> str:
    """Return a state as it is shown: the scheduler's word for it, where there is one."""
    return f"unknown: {word}" if state == "unknown" else word or state


class Answer(BaseModel):
    """What a scheduler has said.

    asked_s  when it was asked, since the epoch
    about    what it calls the jobs that it was asked about
    known    state, and its word for it, of each that it knows; None: it cannot be asked
    cluster  name of the cluster that was asked; None: not known
    absent   whether its programs are not installed here
    """

    asked_s: float
    about: frozenset[str]
    known: dict[str, tuple[State, str]] | None
    cluster: str | None = None
    absent: bool = False

    def of(self, native: str) -> tuple[State, str]:
        """Return the state of a job. One submitted since is queued, one that is not known any more has ended."""
        if self.known is None:
            return "unknown", NO_SCHEDULER if self.absent else "the scheduler cannot be asked"
        return self.known.get(native, ("ended" if native in self.about else "queued", ""))


def answered(
    on: str,
    executor: Callable[[], psij.JobExecutor],
    folder: Path,
    about: Callable[[], Iterable[str]],
    every_s: float,
) -> Answer:
    """Return what a scheduler says of jobs, asked no more often than `every_s` by all processes of this host.

    on        its name
    executor  returns what asks it, if it is asked: psij takes long to be imported
    folder    of all jobs
    about     returns what the scheduler calls the jobs that it is asked about, if it is

    Raises StoreError, and what `executor` raises.
    """
    here = [socket.gethostname(), *(os.environ.get(name, "") for name in _OF_HERE)]
    place = hashlib.sha256("\0".join(here).encode("utf-8", "replace")).hexdigest()[:12]
    file = folder / _FOLDER / f"{on}-{place}.json"
    if (kept := _kept(file, every_s)) is not None:
        return kept
    try:
        with _held(file.with_suffix(".lock")):
            if (kept := _kept(file, every_s)) is not None:  # another process has asked meanwhile
                return kept
            answer = _asked(executor(), sorted(about()))
            write_whole(file, answer.model_dump_json() + "\n")
            return answer
    except OSError as error:
        raise StoreError(f"{file} cannot be written: {error.strerror or error}") from error


@contextmanager
def _held(file: Path) -> Iterator[None]:
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a") as opened:
        fcntl.flock(opened, fcntl.LOCK_EX)
        yield


def _kept(file: Path, every_s: float) -> Answer | None:
    """Return the last answer while it is fresh."""
    try:
        answer = Answer.model_validate_json(file.read_bytes())
    except (OSError, ValidationError):
        return None
    return answer if 0 <= time.time() - answer.asked_s < every_s else None


def _asked(executor: psij.JobExecutor, about: list[str]) -> Answer:
    from psij.executors.batch.batch_scheduler_executor import BatchSchedulerExecutor

    asked_s, cluster = time.time(), None
    try:
        if isinstance(executor, BatchSchedulerExecutor):
            cluster = cluster_of(executor)
            told = _of_batch_system(executor, about)
        else:
            told = _attached(executor, about)
    except FileNotFoundError:
        return Answer(asked_s=asked_s, about=frozenset(about), known=None, absent=True)
    except Exception:  # readers of output raise whatever comes where they do not expect it
        return Answer(asked_s=asked_s, about=frozenset(about), known=None)
    known = {native: (_state(status), (status.message or "").strip()) for native, status in told.items()}
    return Answer(asked_s=asked_s, about=frozenset(about), known=known, cluster=cluster)


def cluster_of(executor: psij.JobExecutor) -> str | None:
    """Return the name of the cluster that a scheduler's programs speak with; None where it is not known."""
    present: Callable[[], str | None] | None = getattr(executor, "present_cluster", None)
    return present() if present is not None else None


def _of_batch_system(executor: BatchSchedulerExecutor, about: list[str]) -> Mapping[str, psij.JobStatus]:
    """Return what the program of a batch system that lists jobs says. psij's own thread takes a failure for an end."""
    words = executor.get_status_command(about)
    asked = subprocess.run(words, capture_output=True, text=True, check=False, timeout=_PROGRAM_S)
    out = asked.stdout if asked.returncode == 0 else asked.stdout + asked.stderr
    return executor.parse_status_output(asked.returncode, out)


def _attached(executor: psij.JobExecutor, about: list[str]) -> Mapping[str, psij.JobStatus]:
    """Return what a scheduler says that psij does not ask by a program."""
    import psij

    found = {native: psij.Job() for native in about}
    for native, job in found.items():
        executor.attach(job, native)
    until = time.monotonic() + _ANSWER_S
    while any(job.status.state == psij.JobState.NEW for job in found.values()) and time.monotonic() < until:
        time.sleep(_LOOK_S)
    return {native: job.status for native, job in found.items()}


def _state(status: psij.JobStatus) -> State:
    import psij

    if status.state.final:
        return "ended"
    return "running" if status.state == psij.JobState.ACTIVE else "queued"
