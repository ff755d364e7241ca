"""A job that its scheduler starts again goes on with the campaign that it has begun, as after a preemption."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from rooftop.campaign.bench import Bench
from rooftop.campaign.kind import DocumentT, Kind
from rooftop.campaign.rebuild import document_again
from rooftop.campaign.run import Ended
from rooftop.errors import Misuse
from rooftop.machine.lock import home_is_held
from rooftop.schedulers.job import job_of_home, jobs
from rooftop.settings import Settings
from rooftop.store.database import opened_database
from rooftop.store.interrupted import NEWEST_FIRST, kind_of
from rooftop.store.place import place_of
from rooftop.store.rows import select
from rooftop.store.schema import CampaignRow

_LOOK_S = 1.0


def begun_before(settings: Settings, kind: str, remark: Callable[[str], None]) -> CampaignRow | None:
    """Return the campaign of the job that this process runs in, finished or not; None where it has none yet.

    A node that its scheduler has lost may still run an earlier start of the job: its end is waited for, as long as the
    job's time limit permits. Raises Misuse where the job was collected, and its campaign goes on elsewhere.
    """
    home = settings.home_folder
    if (job := job_of_home(home)) is None:
        return None
    if home_is_held(home):
        remark(f"an earlier start of job {job} still measures: waiting for its end")
        while home_is_held(home):
            time.sleep(_LOOK_S)
    with opened_database(place_of(settings)) as store:
        begun = [row for row in select(store, CampaignRow, NEWEST_FIRST) if kind_of(row) == kind]
    if not begun:
        return None
    record = next((one.record for one in jobs(home.parent.parent.parent) if one.record.id == job), None)
    if begun[0].finished is None and record is not None and record.collected is not None:
        told = f"job {job} was started again after campaign {begun[0].id} was collected from it"
        again = f"'rooftop {kind} --resume {begun[0].id} --on {record.on}' goes on in another job"
        raise Misuse(f"{told}: {again}")
    return begun[0]


def finished_before(bench: Bench, kind: Kind[Any, DocumentT], row: CampaignRow) -> Ended[DocumentT]:
    """Return a finished campaign of the present job's home, whose command was killed before it could tell its end."""
    bench.watcher.remark(f"campaign {row.id} is finished")
    with opened_database(place_of(bench.settings)) as store:
        return Ended(document_again(bench, store, kind, row), False, row.request.get("beside"))
