"""Runs a campaign of any kind: it holds the machine, is kept from its first sample on, and can be resumed."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic

from sqlalchemy import Engine

from rooftop.campaign.bench import Bench
from rooftop.campaign.kind import AskedT, DocumentT, Kind
from rooftop.campaign.session import CampaignSession
from rooftop.errors import Misuse
from rooftop.measure.case_run import CaseState
from rooftop.store.campaign_store import CampaignStore, new_name
from rooftop.store.interrupted import Resume, check_unchanged, choose
from rooftop.store.schema import CampaignRow


@dataclass
class Ended(Generic[DocumentT]):
    """A campaign that came to its end, or was interrupted: what is known is there in both cases.

    beside  what was kept with what was asked
    """

    document: DocumentT
    interrupted: bool
    beside: dict[str, Any] | None = None


def run_campaign(
    bench: Bench,
    kind: Kind[AskedT, DocumentT],
    asked: AskedT,
    *,
    resume: Resume | None = None,
    beside: Mapping[str, Any] | None = None,
) -> Ended[DocumentT]:
    """Run a campaign, or go on with one of the kind that was interrupted. Raises Misuse and Busy.

    beside  is kept with a new one
    """
    if resume is None:
        asked = kind.prepared(asked)  # misuse is told before anything is written
    with bench.held() as engine:
        asked, unfinished = _begin(bench, engine, kind, asked, resume)
        course = kind.course(bench, asked, unfinished is None)
        with _session(bench, engine, kind, asked, unfinished, course.cases, beside) as session:
            course.restore(session)
            interrupted = False
            try:
                course.measure(session)
                session.finish()
            except KeyboardInterrupt:
                interrupted = True
            for terms in course.terms:
                session.pass_on(terms)
            return Ended(course.document(session, interrupted=interrupted), interrupted, session.beside)


def _begin(
    bench: Bench, engine: Engine, kind: Kind[AskedT, DocumentT], asked: AskedT, resume: Resume | None
) -> tuple[AskedT, CampaignRow | None]:
    """Return what is to be done, its seed drawn, and the interrupted campaign that it goes on with, if any.

    Of a campaign that is gone on with all is as it was but the budget. Raises Misuse.
    """
    unfinished = _unfinished(bench, engine, kind, resume)
    if unfinished is not None:
        asked = kind.from_stored(unfinished.request).measured(budget_s=asked.how.budget_s)
    elif resume is not None:
        asked = _instead(bench, kind, asked)
    if asked.how.seed is None:
        asked = asked.measured(seed=secrets.randbelow(2**31))
    return asked, unfinished


def _instead(bench: Bench, kind: Kind[AskedT, DocumentT], asked: AskedT) -> AskedT:
    """Return what is begun where there is nothing to go on with, and say so. Raises Misuse where that is nothing."""
    try:
        prepared = kind.prepared(asked)
    except Misuse as error:
        raise Misuse(f"there is no interrupted '{kind.name}' to resume, nor one to start: {error}") from error
    bench.watcher.remark(f"there is no interrupted '{kind.name}' to resume: starting a new one")
    return prepared


def _unfinished(
    bench: Bench, engine: Engine, kind: Kind[AskedT, DocumentT], resume: Resume | None
) -> CampaignRow | None:
    """Return the interrupted campaign to go on with, or None where there is none.

    Raises Misuse where the wanted one cannot be gone on with.
    """
    if resume is None:
        return None
    machine, conditions = bench.place.identity(), bench.place.conditions()

    def attempt(row: CampaignRow) -> None:
        now = {"machine": machine.id, **kind.marks(kind.from_stored(row.request))}
        check_unchanged(engine, row, now, machine, conditions)

    return choose(engine, kind.name, resume, attempt, bench.watcher.remark)


@contextmanager
def _session(
    bench: Bench,
    engine: Engine,
    kind: Kind[AskedT, DocumentT],
    asked: AskedT,
    unfinished: CampaignRow | None,
    cases: Sequence[CaseState],
    beside: Mapping[str, Any] | None,
) -> Iterator[CampaignSession]:
    """Begin a campaign, or go on with an unfinished one. Misuse that shows before a sample leaves no campaign."""
    machine, conditions = bench.place.identity(), bench.place.conditions()
    if unfinished is not None:
        store = CampaignStore(engine, unfinished, conditions)
        bench.watcher.remark(f"resuming '{kind.name}' {unfinished.id}")
    else:
        kept = {"beside": dict(beside)} if beside is not None else {}
        store = CampaignStore.create(
            engine,
            campaign=new_name(),
            request=asked.stored() | {"kind": kind.name} | kept,
            fingerprint={"machine": machine.id, **kind.marks(asked)},
            machine=machine,
            cases=cases,
            conditions=conditions,
        )
    try:
        yield CampaignSession(store, machine, bench, asked.how)
    except Misuse:
        if unfinished is None:
            store.forget()
        raise
    finally:
        store.close()
