"""Bring what jobs have measured into the store, once they have ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rooftop import errors
from rooftop.errors import StoreError
from rooftop.settings import Settings
from rooftop.terminal.groups import YOUR_PROGRAMS
from rooftop.terminal.output import JsonOption, messages, print_document, say, tables
from rooftop.terminal.stored import StoreCommand

if TYPE_CHECKING:
    from rooftop.schedulers.job import Job

GROUP = YOUR_PROGRAMS

SCHEMA = "rooftop/collect/1"


def _said(row: dict[str, Any]) -> str:
    """Return a line about a job that has ended."""
    if row["refused"] is not None:
        return f"{row['job']}  not collected: {row['refused']}"
    if not row["campaigns"]:
        return f"{row['job']}  measured nothing: {row['failure']}"
    return "\n".join(
        f"{row['job']}  campaign {one['id']}, {one['state']}: 'rooftop {one['goes_on']}'" for one in row["campaigns"]
    )


def _said_of_open(job: Job, state: str, word: str) -> str:
    """Return a line about a job that has not ended."""
    if state == "never submitted":
        return f"{job.record.id} was never submitted: unless {job.record.on} has it all the same, remove {job.folder}"
    state = f"{state} ({word})" if state == "unknown" else state
    return f"{job.record.id} is {state}: it is collected when it has ended"


def _collected(chosen: list[Job], ended: dict[str, str]) -> list[dict[str, Any]]:
    """Collect jobs; return what each has brought, or why it cannot be collected: the others are.

    ended  the scheduler's word for the end of each, by id
    """
    from rooftop.campaign.rebuild import find_campaign
    from rooftop.schedulers.run import collect, failure
    from rooftop.store.database import opened_database
    from rooftop.store.interrupted import kind_of
    from rooftop.store.place import place_of

    found = []
    with opened_database(place_of(Settings())) as connection:
        for job in chosen:
            campaigns: list[dict[str, Any]] = []
            row_of_job = {"job": job.record.id, "native": job.record.native, "campaigns": campaigns}
            try:
                brought = collect(job, connection)
            except StoreError as error:
                found.append(row_of_job | {"failure": None, "refused": str(error)})
                continue
            for campaign in brought:
                row = find_campaign(connection, campaign)
                assert row is not None
                going_on = f"{kind_of(row)} --resume {row.id} --on {job.record.on}"
                finished = row.finished is not None
                campaigns.append(
                    {
                        "id": row.id,
                        "state": "finished" if finished else "interrupted",
                        "goes_on": f"report {row.id}" if finished else going_on,
                    }
                )
            why = None if campaigns else str(failure(job, ended[job.record.id]))
            found.append(row_of_job | {"failure": why, "refused": None})
    return found


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("collect", cls=StoreCommand, help=__doc__, rich_help_panel=GROUP)
    def command(
        named: Annotated[
            list[str] | None,
            typer.Argument(metavar="[JOB…]", help="Ids of jobs, see 'rooftop status'. Default: all that have ended."),
        ] = None,
        as_json: JsonOption = False,
    ) -> None:
        from rooftop.schedulers.job import job_named, jobs
        from rooftop.schedulers.queue import states

        home = Settings().home_folder
        if named:
            wanted = list({job.record.id: job for job in (job_named(home, one) for one in named)}.values())
        else:
            wanted = [job for job in jobs(home) if job.record.collected is None]
        known = states(wanted)
        open_ones = [job for job in wanted if known[job.record.id][0] != "ended"]
        chosen = [job for job in wanted if known[job.record.id][0] == "ended"]
        rows = _collected(chosen, {name: word for name, (_, word) in known.items()}) if chosen else []
        code = errors.WRONG if any(row["refused"] is not None for row in rows) else errors.FINE
        if as_json:
            still = [{"job": job.record.id, "state": known[job.record.id][0]} for job in open_ones]
            print_document({"schema": SCHEMA, "collected": rows, "not_ended": still})
        else:
            for row in rows:
                say(messages() if row["refused"] is not None else tables(), _said(row))
            for job in open_ones:
                say(messages(), _said_of_open(job, *known[job.record.id]))
            if not wanted:
                say(messages(), "there is nothing to collect: 'rooftop status' lists all jobs")
        if code:
            raise typer.Exit(code)
