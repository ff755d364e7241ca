"""Runs a campaign whole in a job: submits it, waits, collects its samples, and makes the document from them."""

from __future__ import annotations

import shlex
import shutil
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from rooftop import errors
from rooftop.campaign.bench import Bench
from rooftop.campaign.kind import Kind
from rooftop.campaign.rebuild import document_again, find_campaign
from rooftop.campaign.run import Ended
from rooftop.errors import Misuse, RooftopError
from rooftop.schedulers.asking import State
from rooftop.schedulers.collecting import collected
from rooftop.schedulers.job import Job, jobs, new_job
from rooftop.schedulers.options import JobOptions
from rooftop.schedulers.queue import require_scheduler, state_of, states, submit
from rooftop.store.campaign_store import now_iso
from rooftop.store.database import opened_database
from rooftop.store.interrupted import Resume, choose
from rooftop.store.place import place_of
from rooftop.store.protocol import Store
from rooftop.store.schema import CampaignRow
from rooftop.store.sync import synchronized

_LOOK_S = 1.0
_SET_UP_S = 600.0  # added to the time limit: builds, probes and set-ups are not in the budget
_NOT_BEGUN = (errors.MISUSE, errors.NOT_BUILT, errors.BUSY)


def submitted(
    bench: Bench,
    kind: Kind[Any, Any],
    asked: Any,
    options: JobOptions,
    words: Callable[[str | None], Sequence[str]],
    resume: Resume | None = None,
    group: str | None = None,
) -> Job:
    """Submit the job of a campaign, or of one that was interrupted. Raises Misuse, before anything is kept.

    words  returns the words of the command in the job, from the id of the campaign that it goes on with
    group  see JobRecord
    """
    home = bench.settings.home_folder
    require_scheduler(options, home)
    # Who resumes nothing needs no store here: to make a new one takes longer than to submit the job.
    with opened_database(place_of(bench.settings)) if resume is not None else nullcontext() as connection:
        row = _to_resume(bench, connection, kind, resume)
        if row is None:
            kind.prepared(asked)  # misuse is told at once, not after the job has waited
        resumed = row.id if row is not None else None
        line = list(words(resumed))
        assert options.on is not None
        more = {"resumed": resumed, "asked": options.kept(), "group": group}
        job = new_job(home, options.on, kind.name, line, shlex.join([kind.name, *line]), **more)
        try:
            if row is not None and connection is not None:
                with opened_database(job.store) as theirs:
                    synchronized(connection, theirs, only=row.id)
        except BaseException:
            shutil.rmtree(job.folder, ignore_errors=True)
            raise
        try:
            submit(job, options, options.time_s or 2 * (asked.how.budget_s or 0) + _SET_UP_S)
        except Exception:
            if job.record.native is None:
                shutil.rmtree(job.folder, ignore_errors=True)
            raise
        except KeyboardInterrupt:  # the scheduler may have accepted a job whose number it could not tell any more
            bench.watcher.remark(goes_on(job))
            raise
        return job


def goes_on(job: Job) -> str:
    """Return a line about a job that nobody waits for any longer."""
    record = job.record
    if record.native is None:
        return f"whether {record.on} has the job is not known; 'rooftop status' tells of {record.id}"
    return (
        f"job {record.native} of {record.on} goes on; after its end 'rooftop collect {record.id}' brings what it has "
        "measured"
    )


def _to_resume(
    bench: Bench, connection: Store | None, kind: Kind[Any, Any], resume: Resume | None
) -> CampaignRow | None:
    """Return the interrupted campaign to go on with; None where there is none. Raises Misuse."""
    if resume is None or connection is None:
        return None
    row = choose(connection, kind.name, resume, in_no_job(bench.settings.home_folder), bench.watcher.remark)
    if row is None:
        if not kind.says_what:
            raise Misuse(f"there is no interrupted '{kind.name}' to resume: leave out --resume to start one")
        bench.watcher.remark(f"there is no interrupted '{kind.name}' to resume: starting a new one")
    return row


def in_no_job(home: Path) -> Callable[[CampaignRow], None]:
    """Return what raises Misuse for a campaign that a job has: it would go on in two places."""

    def attempt(row: CampaignRow) -> None:
        for one in jobs(home):
            if one.record.resumed != row.id or one.record.collected is not None:
                continue
            try:
                state = states([one])[one.record.id][0]
            except RooftopError:  # it cannot be asked from here
                state = "unknown"
            if state != "never submitted":
                told = f"campaign {row.id} is measured by job {one.record.native} of {one.record.on}, which is {state}"
                first = "" if state == "ended" else "wait for its end, then "
                raise Misuse(f"{told}: {first}'rooftop collect {one.record.id}'")

    return attempt


def awaited(job: Job, watch: Callable[[State, str], None]) -> str:
    """Wait for the end of a job; return the scheduler's word for it. `watch` is told its state from time to time."""
    while True:
        state, word = state_of(job)
        watch(state, word)
        if state == "ended":
            return word
        time.sleep(_LOOK_S)


def collect(job: Job, connection: Store) -> list[str]:
    """Merge what a job that has ended has measured into the user's store; return its campaigns' ids."""
    campaigns = collected(job.store, connection)
    job.keep(collected=now_iso(), campaigns=campaigns)
    return campaigns


def collected_campaign(bench: Bench, kind: Kind[Any, Any], job: Job, word: str) -> Ended[Any]:
    """Collect a job that has ended; return its campaign, finished or interrupted.

    Raises the error that the command ended with in the job, where it did not begin to measure.
    """
    with opened_database(place_of(bench.settings)) as connection:
        campaigns = collect(job, connection)
        row = find_campaign(connection, campaigns[-1]) if campaigns else None
        if row is None or (row.finished is None and job.exit_code() in _NOT_BEGUN):
            raise failure(job, word, campaigns[-1] if campaigns else None)
        document = document_again(bench, connection, kind, row)
    if row.finished is None:
        again = f"'rooftop {kind.name} --resume {row.id} --on {job.record.on}' goes on"
        bench.watcher.remark(f"{end_of(job, word)}: campaign {row.id} is interrupted; {again}")
    return Ended(document, row.finished is None, row.request.get("beside"))


def end_of(job: Job, word: str) -> str:
    """Return how a job has ended, in words."""
    code, on = job.exit_code(), job.record.on
    gone = "without an exit code" if on == "local" else f"no exit code, and {on} does not know it any more"
    how = f"exit code {code}" if code is not None else word or gone
    return f"job {job.record.native} of {job.record.on} ended ({how})"


def failure(job: Job, word: str, campaign: str | None = None) -> RooftopError:
    """Return the error of a job that has not begun to measure, with the exit code that the command had in it.

    campaign  that it could not go on with
    """
    told = job.last_message() or f"it printed nothing; its files are in {job.folder}"
    more = f" more of campaign {campaign}" if campaign is not None else ""
    error = RooftopError(f"{end_of(job, word)} and measured nothing{more}: {told}")
    error.exit_code = job.exit_code() or errors.WRONG
    return error
