"""Speaks with schedulers by way of psij-python: submits jobs, and asks for their states."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rooftop.errors import Misuse, RooftopError
from rooftop.interrupts import uninterrupted
from rooftop.schedulers.job import Job, JobRecord, job_of_home, jobs_folder
from rooftop.schedulers.options import JobOptions

if TYPE_CHECKING:
    import psij

State = Literal["not submitted", "never submitted", "queued", "running", "ended", "unknown"]

POLL_S = 10.0  # between two questions to a scheduler, which all its users share
_FIRST_POLL_S = 2.0
# A scheduler that is being restarted does not answer: the jobs are still there.
_NEVER = 10**9
_LEFT_OUT = frozenset({"rp"})  # needs a service of its own
_ANSWER_S = 20.0  # beyond the first question
_LOOK_S = 0.05
_SUBMISSION_S = 300.0  # schedulers' programs give up before
# How psij's messages begin where its question to a scheduler failed: it then takes all jobs for failed.
_NOT_ASKED = ("Failed to poll", "Failed to update", "Error updating")


def _psij(on: str) -> None:
    """Raise Misuse where psij is not installed, or does not know a scheduler."""
    try:
        from psij import JobExecutor
    except ImportError as error:
        raise Misuse(f"--on {on} needs psij-python: pip install 'rooftop[cluster]' ({error})") from error
    known = sorted(JobExecutor.get_executor_names() - _LEFT_OUT)
    if on not in known:
        raise Misuse(f"--on is {on!r}, expected one of {', '.join(known)}")


@cache
def _executor(on: str, work: Path, template: Path | None) -> psij.JobExecutor:
    """Return what speaks with a scheduler; one of each asks for all jobs at once."""
    logging.getLogger("psij").addHandler(logging.NullHandler())  # what it cannot do is told as the state of a job
    from psij import JobExecutor, JobExecutorConfig
    from psij.executors.batch.batch_scheduler_executor import BatchSchedulerExecutorConfig
    from psij.executors.batch.script_generator import TemplatedScriptGenerator

    if on == "local":
        from rooftop.schedulers.local import LocalExecutor

        return LocalExecutor(JobExecutorConfig(work_directory=work))
    asked: dict[str, Any] = {
        "work_directory": work,
        "queue_polling_interval": POLL_S,
        "initial_queue_polling_delay": min(POLL_S, _FIRST_POLL_S),
        "queue_polling_error_threshold": _NEVER,
        "keep_files": True,  # the exit code is read more than once
    }
    config = BatchSchedulerExecutorConfig(**asked)
    if on == "slurm":
        from psij.executors.batch.slurm import SlurmExecutorConfig

        from rooftop.schedulers.slurm import SlurmExecutor

        executor: psij.JobExecutor = SlurmExecutor(SlurmExecutorConfig(**asked))
    else:
        executor = JobExecutor.get_instance(on, config=config)
    if template is not None:
        try:
            executor.generator = TemplatedScriptGenerator(config, template)  # type: ignore[attr-defined]
        except Exception as error:  # pystache has several that share no base
            raise Misuse(f"--template {template} is no Mustache template: {error}") from error
    return executor


def require_scheduler(options: JobOptions, home: Path) -> None:
    """Raise Misuse where jobs cannot be submitted as asked, before anything is written."""
    assert options.on is not None
    if (job := job_of_home(home)) is not None:
        raise Misuse(f"--on {options.on} is given in job {job}, whose campaign is measured here: leave it out")
    _psij(options.on)
    _executor(options.on, jobs_folder(home) / "psij", Path(options.template) if options.template else None)


def submit(job: Job, options: JobOptions, limit_s: float) -> psij.Job:
    """Submit a job that runs the script of its folder once. Raises Misuse where the scheduler refuses it.

    An interrupt comes when the record has what the scheduler calls it: without that nobody would find it again.
    """
    import psij

    assert options.on is not None
    spec = psij.JobSpec(
        name="rooftop",
        executable="/bin/sh",
        arguments=[str(job.script)],
        stdout_path=job.output,
        stderr_path=job.messages,
        launcher="single",
        resources=psij.ResourceSpecV1(
            node_count=options.nodes or 1,
            processes_per_node=options.tasks_per_node or 1,
            exclusive_node_use=True,  # another user's program on the node would be measured with ours
        ),
        attributes=psij.JobAttributes(
            duration=timedelta(seconds=round(limit_s)), queue_name=options.partition, account=options.account
        ),
    )
    found = psij.Job(spec)
    work = jobs_folder(job.folder.parent.parent) / "psij"
    executor = _executor(options.on, work, Path(options.template) if options.template else None)
    with uninterrupted():
        try:
            executor.submit(found)
        except FileNotFoundError as error:
            raise Misuse(f"--on {options.on}: there is no program {error.filename} on this machine") from error
        except psij.SubmitException as error:
            told = " ".join(str(error.exception or error.message).split())
            raise Misuse(f"--on {options.on}: the job was refused: {told}") from error
        job.keep(native=str(found.native_id), started_s=_started_s(job, found))
    return found


def _started_s(job: Job, known: psij.Job) -> float | None:
    if job.record.on != "local":
        return None
    from rooftop.schedulers.local import started_at

    return started_at(str(known.native_id))


def _was_not_asked(status: psij.JobStatus) -> bool:
    return status.state.final and (status.message or "").startswith(_NOT_ASKED)


def _state(known: psij.JobStatus) -> State:
    import psij

    if known.state.final:
        return "ended"
    return "running" if known.state == psij.JobState.ACTIVE else "queued"


def state_of(job: Job, known: psij.Job) -> tuple[State, str]:
    """Return the state of a job, and the scheduler's word for it, if any."""
    if job.exit_code() is not None:
        return "ended", ""
    status = known.status
    if _was_not_asked(status):
        return "unknown", "the scheduler cannot be asked"
    words: dict[str, str] = getattr(known.executor, "words", {})
    return _state(status), words.get(str(known.native_id), status.message or "").strip()


def wait_for_change(job: Job, known: psij.Job, seconds: float) -> psij.Job:
    """Wait until a job has ended, but no longer than this; return it as it is to be asked from now on."""
    if _was_not_asked(known.status):  # psij asks no more about this one
        time.sleep(seconds)
        return _attached(job) or known
    known.wait(timedelta(seconds=seconds))
    return known


def states(asked: Sequence[Job]) -> dict[str, tuple[State, str]]:
    """Return the states of jobs by their ids. Each scheduler is asked once, about all that may still be there."""
    found: dict[str, tuple[State, str]] = {}
    waiting: dict[str, tuple[Job, psij.Job]] = {}
    for job in asked:
        name = job.record.id
        if job.exit_code() is not None or job.record.collected is not None:
            found[name] = "ended", ""
        elif job.record.native is None:
            found[name] = _without_a_number(job.record), ""
        elif (attached := _attached(job)) is None:
            found[name] = "ended", ""
        else:
            waiting[name] = job, attached
    until = time.monotonic() + POLL_S + _ANSWER_S
    while waiting and time.monotonic() < until:
        for name, (job, attached) in list(waiting.items()):
            if attached.status.state.name != "NEW":
                found[name] = state_of(job, attached)
                del waiting[name]
        time.sleep(_LOOK_S)
    return found | dict.fromkeys(waiting, ("unknown", "the scheduler does not answer"))


def _without_a_number(record: JobRecord) -> State:
    """Return the state of a job of which the scheduler's number is not known."""
    age = datetime.now(UTC) - datetime.fromisoformat(record.submitted)
    return "not submitted" if age.total_seconds() < _SUBMISSION_S else "never submitted"


def _attached(job: Job) -> psij.Job | None:
    """Return a job as psij knows it by its native id; None where that process has ended. Raises Misuse."""
    import psutil

    _psij(job.record.on)
    import psij

    if job.record.on == "local":
        from rooftop.schedulers.local import is_still_there

        if not is_still_there(str(job.record.native), job.record.started_s):
            return None
    found = psij.Job()
    try:
        _executor(job.record.on, job.folder.parent / "psij", None).attach(found, str(job.record.native))
    except psutil.NoSuchProcess:
        return None
    except psij.SubmitException as error:
        raise RooftopError(f"{job.record.on} cannot be asked about job {job.record.native}: {error.message}") from error
    return found
