"""Runs a campaign of any kind: it holds the machine, is kept from its first sample on, and can be resumed."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic

from rooftop.campaign.bench import Bench
from rooftop.campaign.kind import AskedT, Course, DocumentT, Kind
from rooftop.campaign.session import CampaignSession
from rooftop.command.measured_files import MeasuredFiles
from rooftop.documents import Machine
from rooftop.errors import Misuse
from rooftop.interrupts import uninterrupted
from rooftop.store.campaign_store import CampaignStore, files_of, new_name
from rooftop.store.interrupted import Resume, check_unchanged, choose
from rooftop.store.protocol import Store
from rooftop.store.schema import CampaignRow

_KEY = "folder"


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
    permitted: Callable[[CampaignRow], None] = lambda row: None,
) -> Ended[DocumentT]:
    """Run a campaign, or go on with one of the kind that was interrupted. Raises Misuse and Busy.

    beside     is kept with a new one
    permitted  raises Misuse for one that must not be gone on with here
    """
    if resume is None:
        asked = kind.prepared(asked)  # misuse is told before anything is written
    with bench.held() as (connection, home), ExitStack() as stack:
        begun = _begin(bench, connection, kind, asked, resume, permitted)
        if begun.unfinished is not None:
            stack.enter_context(in_its_folder(begun.unfinished))
        course = begun.course
        with _session(bench, connection, kind, begun, beside) as session:
            home.under_way(session.store.campaign.id)
            for terms in course.terms:
                terms.files = session.files
            session.files.meet(course.files)
            course.restore(session)
            interrupted = False
            try:
                course.measure(session)
                session.end()
            except KeyboardInterrupt:
                interrupted = True
            session.notice_changes()
            for terms in course.terms:
                session.pass_on(terms)
            document = course.document(session, interrupted=interrupted)
            if not interrupted:
                course.keep(document)
                session.store.finish()
                with uninterrupted():  # it takes milliseconds, and the campaign is through
                    course.finished(connection, session.store.campaign.id)
            return Ended(document, interrupted, session.beside)


@dataclass(frozen=True)
class _Begun(Generic[AskedT, DocumentT]):
    """What is to be done, its seed drawn, and the interrupted campaign that it goes on with, if any."""

    asked: AskedT
    course: Course[DocumentT]
    machine: Machine
    conditions: dict[str, Any]
    unfinished: CampaignRow | None

    @property
    def fingerprint(self) -> dict[str, Any]:
        """What must not change between sessions."""
        return {"machine": self.machine.id, **self.course.marks}


def _begin(
    bench: Bench,
    connection: Store,
    kind: Kind[AskedT, DocumentT],
    asked: AskedT,
    resume: Resume | None,
    permitted: Callable[[CampaignRow], None],
) -> _Begun[AskedT, DocumentT]:
    """Return what is to be done. Of a campaign that is gone on with all is as it was but the budget. Raises Misuse."""

    def begun(asked: AskedT, unfinished: CampaignRow | None) -> _Begun[AskedT, DocumentT]:
        course = kind.course(bench, asked, unfinished is None)
        place = course.place(bench)
        return _Begun(asked, course, place.identity(), place.conditions(), unfinished)

    if resume is not None:
        attempted: list[_Begun[AskedT, DocumentT]] = []
        budget_s = asked.how.budget_s

        def attempt(row: CampaignRow) -> None:
            permitted(row)
            then = asked_of(kind, row)
            with in_its_folder(row):
                one = begun(then if budget_s is None else then.measured(budget_s=budget_s), row)
                fingerprint = one.fingerprint
            check_unchanged(connection, row, fingerprint, one.machine, one.conditions, bench.settings.home_folder)
            attempted.append(one)

        if choose(connection, kind.name, resume, attempt, bench.watcher.remark) is not None:
            return attempted[-1]
        asked = _instead(bench, kind, asked)
    if asked.how.seed is None:
        asked = asked.measured(seed=secrets.randbelow(2**31))
    return begun(asked, None)


def _instead(bench: Bench, kind: Kind[AskedT, DocumentT], asked: AskedT) -> AskedT:
    """Return what is begun where there is nothing to go on with, and say so. Raises Misuse where that is nothing."""
    if not kind.says_what:
        raise Misuse(f"there is no interrupted '{kind.name}' to resume: leave out --resume to start one")
    try:
        prepared = kind.prepared(asked)
    except Misuse as error:
        raise Misuse(f"there is no interrupted '{kind.name}' to resume, nor one to start: {error}") from error
    bench.watcher.remark(f"there is no interrupted '{kind.name}' to resume: starting a new one")
    return prepared


@contextmanager
def _session(
    bench: Bench,
    connection: Store,
    kind: Kind[AskedT, DocumentT],
    begun: _Begun[AskedT, DocumentT],
    beside: Mapping[str, Any] | None,
) -> Iterator[CampaignSession]:
    """Begin a campaign, or go on with an unfinished one. Misuse that shows before a sample leaves no campaign."""
    course, unfinished = begun.course, begun.unfinished
    if unfinished is not None:
        store = CampaignStore(connection, unfinished, begun.conditions)
        bench.watcher.remark(f"resuming '{kind.name}' {unfinished.id}")
    else:
        kept = {"beside": dict(beside)} if beside is not None else {}
        store = CampaignStore.create(
            connection,
            campaign=new_name(),
            request=with_folder(begun.asked.stored() | {"kind": kind.name} | kept),
            fingerprint=begun.fingerprint,
            machine=begun.machine,
            cases=course.cases,
            conditions=begun.conditions,
        )
    try:
        files = MeasuredFiles(files_of(connection, store.campaign.id), store.keep_files)
        yield CampaignSession(store, begun.machine, bench, course.place(bench), begun.asked.how, files=files)
    except Misuse:
        if unfinished is None:
            store.forget()
        raise


def with_folder(request: dict[str, Any]) -> dict[str, Any]:
    """Return a request as the store keeps it, with the present folder."""
    return request | {_KEY: str(Path.cwd())}


def asked_of(kind: Kind[AskedT, DocumentT], row: CampaignRow) -> AskedT:
    """Return what a campaign was asked. Raises what `Kind.from_stored` does."""
    return kind.from_stored({key: value for key, value in row.request.items() if key != _KEY})


@contextmanager
def in_its_folder(row: CampaignRow) -> Iterator[None]:
    """Work in the folder that a campaign was begun in, as far as that is known. Raises Misuse where it is gone."""
    folder = row.request.get(_KEY)
    if folder is None:  # of an earlier version
        yield
        return
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(contextlib.chdir(folder))
        except OSError as error:
            told = f"campaign {row.id} was begun in {folder}, which cannot be entered: {error.strerror or error}"
            raise Misuse(f"{told}; start a new one without --resume") from error
        yield
