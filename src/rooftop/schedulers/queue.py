"""Speaks with schedulers by way of psij-python: submits jobs, and asks for their states."""

from __future__ import annotations

import logging
import socket
import subprocess
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from rooftop.errors import Misuse
from rooftop.interrupts import uninterrupted
from rooftop.schedulers import executors
from rooftop.schedulers.asking import NO_SCHEDULER, State, answered, cluster_of
from rooftop.schedulers.job import Job, JobRecord, job_of_home, jobs, jobs_folder

if TYPE_CHECKING:
    import psij

    from rooftop.schedulers.options import JobOptions

POLL_S = 10.0  # between two questions to a scheduler, which all its users share
_LEFT_OUT = frozenset({"rp"})  # needs a service of its own
_SUBMISSION_S = 300.0  # schedulers' programs give up before
_BY_SIGNAL = 128  # exit codes from here on: the command was interrupted, and a scheduler may start the job again


def _psij(on: str) -> None:
    """Raise Misuse where psij is not installed, or does not know a scheduler."""
    try:
        from psij import JobExecutor
    except ImportError as error:
        raise Misuse(f"--on {on} needs psij-python: pip install 'rooftop[cluster]' ({error})") from error
    known = sorted({*JobExecutor.get_executor_names(), *executors.names()} - _LEFT_OUT)
    if on not in known:
        raise Misuse(f"--on is {on!r}, expected one of {', '.join(known)}")


@cache
def _executor(on: str, work: Path, template: Path | None) -> psij.JobExecutor:
    """Return what speaks with a scheduler; one of each asks for all jobs at once."""
    logging.getLogger("psij").addHandler(logging.NullHandler())  # what it cannot do is told as the state of a job
    from psij.executors.batch.batch_scheduler_executor import BatchSchedulerExecutorConfig
    from psij.executors.batch.script_generator import TemplatedScriptGenerator

    config = BatchSchedulerExecutorConfig(work_directory=work, initial_queue_polling_delay=0, keep_files=True)
    executor = executors.made(on, config)
    if (thread := getattr(executor, "_queue_poll_thread", None)) is not None:
        thread.done = True  # it would ask for itself, in each process, see `answered`
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
    refusal = getattr(executors.own(options.on), "refusal", None)
    if refusal is not None and (why := refusal(options)) is not None:
        raise Misuse(f"--on {options.on}: {why}")
    _executor(options.on, jobs_folder(home) / "psij", Path(options.template) if options.template else None)


def submit(job: Job, options: JobOptions, limit_s: float) -> None:
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
    if hasattr(executor, "work_directory"):
        executor.work_directory = job.folder / "batch"  # of psij's script and what that writes
    present = socket.gethostname() if options.on == "local" else _present_cluster(executor)
    with uninterrupted():
        try:
            executor.submit(found)
        except FileNotFoundError as error:
            raise Misuse(f"--on {options.on}: there is no program {error.filename} on this machine") from error
        except psij.SubmitException as error:
            told = " ".join(str(error.exception or error.message).split())
            raise Misuse(f"--on {options.on}: the job was refused: {told}") from error
        cluster = getattr(executor, "submitted_to", None) or present
        job.keep(native=str(found.native_id), cluster=cluster, started_s=_started_s(job, found))


def _present_cluster(executor: psij.JobExecutor) -> str | None:
    try:
        return cluster_of(executor)
    except (OSError, subprocess.SubprocessError):  # the submission tells what is wrong
        return None


def _started_s(job: Job, known: psij.Job) -> float | None:
    if job.record.on != "local":
        return None
    from rooftop.schedulers.executors.local import started_at

    return started_at(str(known.native_id))


def state_of(job: Job) -> tuple[State, str]:
    """Return the state of a job, and the scheduler's word for it, if any. Raises Misuse."""
    return states([job])[job.record.id]


def states(asked: Sequence[Job]) -> dict[str, tuple[State, str]]:
    """Return the states of jobs by their ids. Each scheduler is asked once, and not where that was done just now."""
    found: dict[str, tuple[State, str]] = {}
    waiting: dict[tuple[str, Path], list[Job]] = {}
    for job in asked:
        if (state := _known_here(job)) is not None:
            found[job.record.id] = state
        else:
            waiting.setdefault((job.record.on, job.folder.parent), []).append(job)
    for (on, folder), some in waiting.items():
        answer = answered(on, lambda: _asked(on, folder), folder, lambda: _open(on, folder.parent), POLL_S)  # noqa: B023
        for job in some:
            elsewhere = None not in (answer.cluster, job.record.cluster) and answer.cluster != job.record.cluster
            found[job.record.id] = _elsewhere(job) if elsewhere else answer.of(str(job.record.native))
    return found


def _asked(on: str, folder: Path) -> psij.JobExecutor:
    """Return what asks a scheduler. Raises Misuse."""
    _psij(on)
    return _executor(on, folder / "psij", None)


def told_elsewhere(job: Job, state: str, word: str) -> bool:
    """Whether only another machine or cluster can tell the state of a job."""
    return state == "unknown" and word in (NO_SCHEDULER, _elsewhere(job)[1])


def _known_here(job: Job) -> tuple[State, str] | None:
    """Return the state of a job that its files tell, or this machine; None where its scheduler has to be asked."""
    code, record = job.exit_code(), job.record
    if record.collected is not None or (code is not None and code < _BY_SIGNAL):
        return "ended", ""
    if record.native is None:
        return ("ended" if code is not None else _without_a_number(record)), ""
    if record.on != "local":
        return None
    if record.cluster not in (None, socket.gethostname()):
        return _elsewhere(job)
    from rooftop.schedulers.executors.local import is_still_there

    return ("running" if is_still_there(str(record.native), record.started_s) else "ended"), ""


def _elsewhere(job: Job) -> tuple[State, str]:
    return "unknown", f"submitted to {job.record.cluster}"


def _open(on: str, home: Path) -> Iterator[str]:
    """Yield what a scheduler calls the jobs of a home that it may still have."""
    for job in jobs(home):
        if job.record.on == on and job.record.native is not None and _known_here(job) is None:
            yield job.record.native


def _without_a_number(record: JobRecord) -> State:
    """Return the state of a job of which the scheduler's number is not known."""
    age = datetime.now(UTC) - datetime.fromisoformat(record.submitted)
    return "not submitted" if age.total_seconds() < _SUBMISSION_S else "never submitted"
