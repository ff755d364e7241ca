"""The folder of a job: its record, its script, the home of its campaign, and what it printed."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rooftop.command.environment import ADDED
from rooftop.errors import Misuse, StoreError
from rooftop.files.atomic import write_whole

# What lists of jobs do not need is imported where it is used: launchers, drivers and the store.
_RECORD = "job.json"
_FOLDER = "jobs"
_HOME = "home"
# psij writes the folder's path into batch scripts, some of the times without quotes.
_PLAIN = re.compile(r"[A-Za-z0-9_./@%+=:,-]+")


class JobRecord(BaseModel):
    """What is known of a job besides its samples.

    native    id that the scheduler has given it; None: it was not submitted yet
    cluster   name of the cluster that has it, for a job of a machine the machine's; None: not known
    started_s when a job of this machine was started, since the epoch: numbers of processes come again
    subject   words of the command
    resumed   the campaign that it goes on with
    asked     what was asked of the scheduler
    group     of several jobs that measure the same in an allocation each; None: it stands alone
    collected when its samples were last merged into the user's store after its end
    campaigns that it has brought then
    """

    model_config = ConfigDict(populate_by_name=True)

    schema_: Literal["rooftop/job/1"] = Field(default="rooftop/job/1", alias="schema")
    id: str
    on: str
    native: str | None = None
    cluster: str | None = None
    started_s: float | None = None
    kind: str
    subject: str
    submitted: str
    resumed: str | None = None
    asked: dict[str, Any] = {}
    group: str | None = None
    collected: str | None = None
    campaigns: list[str] = []


class Job:
    """A job by its folder."""

    def __init__(self, folder: Path, record: JobRecord) -> None:
        self.folder, self.record = folder, record

    @property
    def home(self) -> Path:
        """The home of the campaign in the job."""
        return self.folder / _HOME

    @property
    def store(self) -> Path:
        """The store of the campaign in the job."""
        return self.home / "store.sqlite"

    @property
    def script(self) -> Path:
        """What the batch script starts."""
        return self.folder / "campaign.sh"

    @property
    def output(self) -> Path:
        """What the command printed on standard output."""
        return self.folder / "output.txt"

    @property
    def messages(self) -> Path:
        """What it printed on standard error."""
        return self.folder / "messages.txt"

    def exit_code(self) -> int | None:
        """Return the exit code of the command; None where it has not ended, or was killed."""
        try:
            return int((self.folder / "exit").read_text(encoding="ascii"))
        except (OSError, ValueError):
            return None

    def node(self) -> str | None:
        """Return the name of the node that it was last started on; None where it has not begun."""
        try:
            own = (self.folder / "started").read_text(encoding="utf-8", errors="replace").split(maxsplit=1)
        except OSError:
            return None
        return own[1].strip() if len(own) > 1 else None

    def keep(self, **changes: Any) -> None:
        """Change the record, in its file too. Raises StoreError."""
        self.record = self.record.model_copy(update=changes)
        file = self.folder / _RECORD
        try:
            write_whole(file, self.record.model_dump_json(by_alias=True, indent=1) + "\n")
        except OSError as error:
            raise StoreError(f"{file} cannot be written: {error.strerror or error}") from error

    def last_message(self) -> str:
        """Return the last line on standard error, without who says it; empty where there is none."""
        from rooftop.driver.error_output import KEPT_BYTES

        try:
            with self.messages.open("rb") as file:
                file.seek(max(0, file.seek(0, os.SEEK_END) - KEPT_BYTES))
                lines = file.read().decode("utf-8", "replace").splitlines()
        except OSError:
            return ""
        return next((line.removeprefix("rooftop: ") for line in reversed(lines) if line.strip()), "")


def jobs_folder(home: Path) -> Path:
    """Return the folder of all jobs of a home."""
    return home / _FOLDER


def job_of_home(home: Path) -> str | None:
    """Return the id of the job whose campaign is kept in a home; None where that is no job's."""
    return home.parent.name if home.name == _HOME and (home.parent / _RECORD).is_file() else None


def new_job(home: Path, on: str, kind: str, words: Sequence[str], subject: str, **more: Any) -> Job:
    """Make the folder of a job that runs ``rooftop KIND WORDS``. Raises Misuse and StoreError."""
    from rooftop.store.campaign_store import new_name, now_iso

    folder = jobs_folder(home) / new_name()
    if _PLAIN.fullmatch(str(folder)) is None:
        raise Misuse(
            f"the jobs' folder is {str(jobs_folder(home))!r}, which batch scripts cannot name: set ROOFTOP_HOME to a "
            "folder whose path has only letters, digits and _./@%+=:,-"
        )
    submitted = now_iso("microseconds")  # one command submits many in a second
    record = JobRecord(id=folder.name, on=on, kind=kind, subject=subject, submitted=submitted, **more)
    job = Job(folder, record)
    try:
        job.home.mkdir(parents=True)
        write_whole(job.script, _script(job, [kind, *words]))
    except OSError as error:
        raise StoreError(f"{folder} cannot be written: {error.strerror or error}") from error
    job.keep()
    return job


def _script(job: Job, words: Sequence[str]) -> str:
    """Return the script that runs a command line in the present folder, with the job's own home.

    Every word of the user's is quoted by shlex, whose quotes hold newlines and quotes as well. The shell outlives an
    end asked for by SIGTERM, as the command does, which stores what it knows; what the shell starts does not inherit
    its trap. The campaign is kept in the job's home, wherever the user's store is, until it is collected. A scheduler
    may start a job again: it has then not ended any more, and only the end of its last start counts, since a node that
    the scheduler has lost may still run an earlier one.
    """
    from rooftop.launchers.nodes import NODES, told

    command = shlex.join([sys.executable, "-P", "-m", "rooftop", *words])
    exit_file, started = (shlex.quote(str(job.folder / name)) for name in ("exit", "started"))
    added = " ".join([*os.environ.get(ADDED, "").split(), "ROOFTOP_HOME", NODES])
    nodes, tasks = (job.record.asked.get(key) or 1 for key in ("nodes", "ntasks_per_node"))
    return "\n".join(
        [
            "#!/bin/sh",
            "trap : INT TERM",
            'own="$$ ${SLURMD_NODENAME:-$(uname -n)}"',
            f'echo "$own" > {started}; rm -f {exit_file}',
            "unset ROOFTOP_STORE",
            f"export {NODES}={told(nodes, tasks)}",
            f"export ROOFTOP_HOME={shlex.quote(str(job.home))} {ADDED}={shlex.quote(added)}",
            f"cd -- {shlex.quote(str(Path.cwd()))} &&",
            command,
            f'code=$?; [ "$(cat {started})" = "$own" ] && echo $code > {exit_file}; exit $code',
            "",
        ]
    )


def jobs(home: Path) -> list[Job]:
    """Return all jobs of a home, the oldest first; a folder without a readable record is none."""
    found = []
    for file in jobs_folder(home).glob(f"*/{_RECORD}"):
        try:
            found.append(Job(file.parent, JobRecord.model_validate_json(file.read_bytes())))
        except (OSError, ValidationError):
            continue
    return sorted(found, key=lambda job: (job.record.submitted, job.record.id))


def nodes_of_campaigns(home: Path) -> dict[str, list[str]]:
    """Return the nodes of the jobs that have measured each campaign of a home, as far as that is known."""
    found: dict[str, list[str]] = {}
    for job in jobs(home):
        node = job.node()
        for campaign in job.record.campaigns:
            nodes = found.setdefault(campaign, [])
            if node is not None and node not in nodes:
                nodes.append(node)
    return found


def job_named(home: Path, wanted: str) -> Job:
    """Return the job with an id of Rooftop's or the scheduler's, or the only one whose id begins so. Raises Misuse."""
    known = jobs(home)
    fitting = [job for job in known if wanted in (job.record.id, job.record.native)]
    fitting = fitting or [job for job in known if job.record.id.startswith(wanted)]
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        raise Misuse(f"there is no job {wanted!r}: 'rooftop status' lists all")
    raise Misuse(f"{wanted!r} matches {len(fitting)} jobs, such as {fitting[0].record.id}: give more of the id")
