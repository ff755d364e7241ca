"""Several jobs of one command line, each in an allocation of its own: submitted together, and awaited."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import typer

from rooftop.schedulers.options import JobOptions
from rooftop.terminal.jobs import SAID, without_job
from rooftop.terminal.jobs import watched as watched_job
from rooftop.terminal.output import messages, print_document, say

if TYPE_CHECKING:
    from rooftop.campaign.bench import Bench
    from rooftop.campaign.kind import Kind
    from rooftop.schedulers.job import Job

SCHEMA = "rooftop/submitted/1"


def jobs_ended(
    options: JobOptions,
    bench: Bench,
    kind: Kind[Any, Any],
    request: Any,
    context: typer.Context,
    taking: Mapping[str, int],
) -> list[Job]:
    """Submit as many jobs as allocations are asked for and wait until all have ended; return them.

    Raises typer.Exit where they are submitted only, and KeyboardInterrupt where nobody waits for their end.
    """
    from rooftop.schedulers.run import awaited, submitted
    from rooftop.store.campaign_store import new_name

    group, found = new_name(), []
    later = f"'rooftop pool {group}' gives the verdict over all that were submitted, once they have ended"
    try:
        for _ in range(options.allocations or 1):
            job = submitted(
                bench,
                kind,
                request,
                options,
                lambda _: without_job(context.meta[SAID], taking, None),
                group=group,
            )
            found.append(job)
            if not options.submit_only:
                say(messages(), f"submitted job {job.record.native} of {job.record.on}, in {job.folder}")
    except BaseException:
        if found:
            say(messages(), f"{len(found)} of {options.allocations} jobs are submitted: {later}")
        raise
    if options.submit_only:
        records = [job.record.model_dump(by_alias=True) for job in found]
        if context.params.get("as_json"):
            print_document({"schema": SCHEMA, "group": group, "jobs": records})
        else:
            natives = ", ".join(str(one["native"]) for one in records)
            say(messages(), f"submitted jobs {natives} of {options.on}: {later}")
        raise typer.Exit
    try:
        for job in found:
            with watched_job(job) as watch:
                awaited(job, watch)
    except KeyboardInterrupt:
        say(messages(), f"the jobs go on: {later}")
        raise
    return found
