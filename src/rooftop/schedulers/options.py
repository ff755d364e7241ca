"""Options of the job that a campaign runs in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from rooftop.command.option import Option, declared
from rooftop.command.reported_values import read_from
from rooftop.errors import Misuse
from rooftop.schedulers import executors
from rooftop.text.durations import parse_budget
from rooftop.text.visible import visible

CLUSTER = "In a job of a cluster"
_SCHEDULERS = ", ".join(sorted({*executors.names(), *executors.OF_PSIJ}))
_LONGEST_NAME = 200
# Batch headers have names between quotes, and each scheduler reads them in its own way: a name is letters, digits and
# what needs no quoting in any of them.
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.,:@+=%/-]*")
_CLOCK = re.compile(r"(?:(\d{1,3})-)?(\d{1,3}):([0-5]\d):([0-5]\d)")
_LAUNCH = "psij.launch_command"


def read_name(called: str, said: str) -> str:
    """Return a name that a batch header can hold as it is. Raises Misuse."""
    if len(said) > _LONGEST_NAME or _NAME.fullmatch(said) is None:
        shown = visible(said[:_LONGEST_NAME])
        raise Misuse(f"{called} is {shown!r}, expected a name of letters, digits and _.,:@+=%/-")
    return said


def read_job_time(called: str, said: str) -> float:
    """Return the seconds of a time with units, or of [days-]hours:minutes:seconds. Raises Misuse."""
    if (clock := _CLOCK.fullmatch(said.strip())) is not None:
        days, hours, minutes, seconds = (int(part or 0) for part in clock.groups())
        found = float(((days * 24 + hours) * 60 + minutes) * 60 + seconds)
        if found > 0:
            return found
    elif not said.strip().replace(".", "").isdecimal():  # schedulers disagree about the unit of a plain number
        return parse_budget(said, called)
    raise Misuse(f"{called} is {visible(said)!r}, expected a time with its unit, such as 30m or 2h, or hh:mm:ss")


@dataclass(frozen=True)
class JobOptions:
    """What is asked of the scheduler. `on` is None where the campaign runs on this machine."""

    on: Annotated[
        str | None,
        Option(
            "--on",
            f"Run the whole campaign in a job of this scheduler: {_SCHEDULERS}.",
            metavar="SCHEDULER",
            panel=CLUSTER,
            read=read_name,
        ),
    ] = None
    nodes: Annotated[
        int | None,
        Option("--nodes", "Number of nodes of the job (default: one).", panel=CLUSTER, read=read_from(1)),
    ] = None
    tasks_per_node: Annotated[
        int | None,
        Option("--ntasks-per-node", "Number of tasks on each node (default: one).", panel=CLUSTER, read=read_from(1)),
    ] = None
    time_s: Annotated[
        float | None,
        Option(
            "--time",
            "Time limit of the job, such as 2h or 02:00:00 (default: twice the budget and ten minutes).",
            panel=CLUSTER,
            said=str,
            read=read_job_time,
            spell=lambda seconds: f"{round(seconds, 3)}s",
        ),
    ] = None
    account: Annotated[
        str | None, Option("--account", "Account to charge the job to.", panel=CLUSTER, read=read_name)
    ] = None
    partition: Annotated[
        str | None, Option("--partition", "Partition or queue of the job.", panel=CLUSTER, read=read_name)
    ] = None
    allocations: Annotated[
        int | None,
        Option(
            "--allocations",
            "Number of jobs, each with the whole comparison: one verdict over all of them (default: one job).",
            panel=CLUSTER,
            read=read_from(2),
        ),
    ] = None
    template: Annotated[
        str | None,
        Option(
            "--template",
            "Batch script to use in place of psij's, a Mustache template.",
            metavar="FILE",
            panel=CLUSTER,
        ),
    ] = None
    submit_only: Annotated[
        bool,
        Option("--submit-only", "Do not wait for the job: 'rooftop collect' brings its samples later.", panel=CLUSTER),
    ] = False

    def checked(self) -> JobOptions:
        """Return itself. Raises Misuse where options contradict each other, or the template cannot be used."""
        given = [one.option.name for one in declared(JobOptions) if getattr(self, one.field) != one.default]
        if self.on is None:
            if given:
                raise Misuse(f"{given[0]} is about a job, but there is none: give --on SCHEDULER, or leave it out")
            return self
        if self.template is not None:
            _check_template(Path(self.template), self.on)
        return self

    def kept(self) -> dict[str, Any]:
        """Return what was asked, as a job's record keeps it."""
        return {one.option.key: getattr(self, one.field) for one in declared(JobOptions)}


def _check_template(file: Path, on: str) -> None:
    """Raise Misuse where a template cannot be read, is none, or does not start the campaign."""
    if on == "local":
        raise Misuse("--template is given with --on local, which has no batch script: leave one of them out")
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise Misuse(f"--template {visible(str(file))} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise Misuse(f"--template {visible(str(file))} is not UTF-8: {error.reason}") from error
    if _LAUNCH not in text:
        told = f"does not contain {_LAUNCH}, which starts the campaign"
        raise Misuse(f"--template {visible(str(file))} {told}: begin with psij's own template of {on}")
