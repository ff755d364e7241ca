"""Campaigns of a command line: which one is resumed, and where it is measured, here or in a job."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import typer
from pydantic import BaseModel
from rich.console import Console

from rooftop.command.measurement import Measurement
from rooftop.command.option import declared
from rooftop.schedulers.options import JobOptions
from rooftop.terminal.jobs import ASKED, measured_in_job
from rooftop.terminal.measuring import Requested, taking
from rooftop.terminal.output import messages
from rooftop.terminal.progress import Progress
from rooftop.terminal.resume import read_resume

if TYPE_CHECKING:
    from rooftop.campaign.bench import Bench
    from rooftop.campaign.kind import Kind
    from rooftop.campaign.run import Ended
    from rooftop.schedulers.job import Job
    from rooftop.store.interrupted import Resume

DocumentT = TypeVar("DocumentT", bound=BaseModel)


def stored_places(model: type[Any]) -> dict[str, str]:
    """Return, by option, where a stored request has what it sets; the budget may be another when it is resumed."""
    prefix = "" if issubclass(model, Measurement) else "how."
    places = {one.parameter: f"{prefix}{one.field}" for one in declared(Measurement)}
    places |= {one.parameter: one.field for one in declared(model)}
    return {name: place for name, place in places.items() if name != "budget_s"}


def wanted_campaign(
    resume: str | None,
    context: typer.Context,
    request: Requested,
    places: Mapping[str, str] | None = None,
    more: Mapping[str, str] | None = None,
) -> Resume | None:
    """Return which campaign to resume, or None. `places`, `more`: see `read_resume`."""
    own = stored_places(type(request)) | dict(places or {})
    return read_resume(resume, context, request.stored(), own, more)


def measured(
    kind: Kind[Any, DocumentT],
    request: Any,
    resume: str | None,
    context: typer.Context,
    places: Mapping[str, str],
    *,
    more: Mapping[str, str] | None = None,
    beside: Mapping[str, Any] | None = None,
    budget_s: float | None = None,
) -> Ended[DocumentT]:
    """Run a campaign of a kind on this machine or in a job, or resume one; progress goes to standard error.

    places, more  see `read_resume`
    beside        kept with a new campaign
    budget_s      shown with the progress
    """
    from rooftop.campaign.run import run_campaign

    with bench_for(messages(), budget_s) as bench:
        wanted = wanted_campaign(resume, context, request, places, more)

        def again(campaign: str) -> Resume | None:
            return wanted_campaign(campaign, context, request, places, more)

        ended, wanted = gone_on_with(bench, kind, request, wanted, context, again)
        if ended is not None:
            return ended
        if wanted is None:
            return run_campaign(bench, kind, request, beside=beside)
        from rooftop.schedulers.run import in_no_job

        permitted = in_no_job(bench.settings.home_folder)
        return run_campaign(bench, kind, request, resume=wanted, beside=beside, permitted=permitted)


def gone_on_with(
    bench: Bench,
    kind: Kind[Any, DocumentT],
    request: Any,
    wanted: Resume | None,
    context: typer.Context,
    again: Callable[[str], Resume | None],
) -> tuple[Ended[DocumentT] | None, Resume | None]:
    """Return a campaign that was measured in a job, if one is asked for; otherwise what is to be gone on with here.

    wanted  the campaign that the user goes on with. A job that was started again goes on with its own
    again   returns that, by its id, with what was said
    """
    if (job := context.meta.get(ASKED)) is not None:
        return measured_in_job(job, bench, kind, request, wanted, context, taking(context.command.params)), None
    from rooftop.schedulers.again import begun_before, finished_before
    from rooftop.store.interrupted import check_said

    if (row := begun_before(bench.settings, kind.name, bench.watcher.remark)) is None:
        return None, wanted
    wanted = again(row.id)
    if row.finished is None:
        return None, wanted
    for one in wanted.said if wanted is not None else ():  # by hand, anything may be asked for in a job's home
        check_said(row, one)
    return finished_before(bench, kind, row), None


def asks_for_allocations(context: typer.Context) -> bool:
    """Whether a command line asks for several jobs."""
    job: JobOptions | None = context.meta.get(ASKED)
    return job is not None and job.allocations is not None


def measured_in_allocations(bench: Bench, kind: Kind[Any, Any], request: Any, context: typer.Context) -> list[Job]:
    """Run a campaign of a kind in each of several jobs; return those once all have ended. See `jobs_ended`."""
    from rooftop.terminal.allocations import jobs_ended

    return jobs_ended(context.meta[ASKED], bench, kind, request, context, taking(context.command.params))


@contextmanager
def bench_for(console: Console, budget_s: float | None = None) -> Iterator[Bench]:
    """Yield what commands are measured with on this machine; progress is shown on the console."""
    from rooftop.campaign.bench import Bench
    from rooftop.probe.surroundings import ThisMachine
    from rooftop.settings import Settings

    progress = Progress(console, budget_s)
    try:
        yield Bench(Settings(), ThisMachine(), progress)
    finally:
        progress.done()
