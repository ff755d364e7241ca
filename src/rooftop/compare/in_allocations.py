"""A comparison in several allocations: the jobs of a group, and one document of what they have measured."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rooftop.campaign.bench import Bench
from rooftop.compare.allocations import AllocationsDocument, allocations_document, measured_of
from rooftop.errors import Misuse, RooftopError
from rooftop.schedulers.job import Job, jobs, nodes_of_campaigns
from rooftop.schedulers.queue import states
from rooftop.schedulers.run import collect, failure
from rooftop.store.database import opened_database
from rooftop.store.place import place_of


def jobs_of_group(home: Path, group: str) -> list[Job]:
    """Return the jobs that were submitted together; none where there is no such group."""
    return [job for job in jobs(home) if job.record.group == group]


def of_group(bench: Bench, members: Sequence[Job]) -> AllocationsDocument:
    """Collect the jobs of a group, all of which must have ended, and return their document. Raises Misuse.

    What a job that was cut short has measured counts, where it is enough.
    """
    members = sorted(members, key=lambda job: job.record.id)
    known = states(members)
    still = [job for job in members if known[job.record.id][0] not in ("ended", "never submitted")]
    if still:
        told = ", ".join(f"{job.record.id} is {known[job.record.id][0]}" for job in still)
        raise Misuse(f"of {len(members)} allocations {len(still)} have not ended: {told}; wait for their end")
    measured: list[str] = []
    lacking: list[str] = []
    with opened_database(place_of(bench.settings)) as connection:
        for job in members:
            state, word = known[job.record.id]
            if state == "never submitted":
                lacking.append(f"{job.record.id} was never submitted")
                continue
            try:
                campaigns = collect(job, connection)
            except RooftopError as error:
                lacking.append(str(error))
                continue
            measured += campaigns
            if not campaigns:
                lacking.append(str(failure(job, word)))
        if not measured:
            raise Misuse(f"no allocation has measured anything: {lacking[0]}")
        found = measured_of(bench, connection, measured)
    group, nodes = members[0].record.group, nodes_of_campaigns(bench.settings.home_folder)
    return allocations_document(found, bench.rules, nodes=nodes, lacking=lacking, group=group)
