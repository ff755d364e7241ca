"""A campaign about commands: it has the machine to itself, is kept from its first sample on, and can be resumed."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol, Self, TypeVar

from sqlalchemy import Engine

import rooftop
from rooftop.climb.campaign import new_name
from rooftop.climb.request import budget_text
from rooftop.command.doubts import about_commands
from rooftop.command.driver import Terms
from rooftop.command.measurement import Measurement
from rooftop.documents import Doubt, Machine
from rooftop.doubts import about_the_machine
from rooftop.errors import Misuse
from rooftop.exclusive import machine_to_itself
from rooftop.executor import Executor
from rooftop.measure.arms import Arm
from rooftop.measure.case_run import CaseRun, CaseState, Watcher
from rooftop.measure.case_run import Terms as CaseTerms
from rooftop.measure.compare import load_statistics
from rooftop.measure.metric import Metric
from rooftop.measure.rules import Rules
from rooftop.settings import Settings
from rooftop.store.campaign_store import CampaignStore, Kind
from rooftop.store.database import opened_database
from rooftop.store.interrupted import Resume, check_unchanged, choose
from rooftop.store.schema import CampaignRow


class Place(Protocol):
    """The machine, so that campaigns can be tested on one that never changes."""

    def identity(self) -> Machine:
        """Return what the machine is; its roofs are not asked for."""
        ...

    def conditions(self) -> dict[str, Any]:
        """Return what holds now and could explain a number."""
        ...


class Asked(Protocol):
    """What a campaign was asked to do."""

    @property
    def how(self) -> Measurement:
        """What is measured, and how."""
        ...

    def stored(self) -> dict[str, Any]:
        """Return it as the store keeps it."""
        ...

    def measured(self, **changes: Any) -> Self:
        """Return it with other values of what `how` says."""
        ...


AskedT = TypeVar("AskedT", bound=Asked)


@dataclass(frozen=True)
class Form(Generic[AskedT]):
    """What is particular to a kind of campaign when one is begun or gone on with.

    kind         its name
    from_stored  makes of a stored request what was asked
    marks        returns what must not change between sessions, by what a reader calls it; raises Misuse
    prepared     returns what was asked with what follows from this machine; raises Misuse where it cannot be measured
    """

    kind: Kind
    from_stored: Callable[[dict[str, Any]], AskedT]
    marks: Callable[[AskedT], Mapping[str, Any]]
    prepared: Callable[[AskedT], AskedT]


class CommandWatcher(Watcher, Protocol):
    """Is told of progress, between samples only."""

    def remark(self, message: str) -> None:
        """Say one line."""
        ...


@dataclass(frozen=True)
class Bench:
    """What commands are measured with. `executor` replays recorded samples in tests; None: the commands are run."""

    settings: Settings
    place: Place
    watcher: CommandWatcher
    executor: Executor | None = None
    rules: Rules = field(default_factory=Rules)

    @contextmanager
    def held(self) -> Iterator[Engine]:
        """Hold the machine and give the store. Raises Busy."""
        home = self.settings.home_folder
        load_statistics()
        with machine_to_itself(home), opened_database(home / "store.sqlite") as engine:
            yield engine

    def begin(
        self, engine: Engine, form: Form[AskedT], asked: AskedT, resume: Resume | None
    ) -> tuple[AskedT, CampaignRow | None]:
        """Return what is to be done, its seed drawn, and the interrupted campaign that it goes on with, if any.

        Of a campaign that is gone on with all is as it was but the budget. Raises Misuse.
        """
        unfinished = self._unfinished(engine, form, resume)
        if unfinished is not None:
            asked = form.from_stored(unfinished.request).measured(budget_s=asked.how.budget_s)
        elif resume is not None:
            asked = form.prepared(asked)
        if asked.how.seed is None:
            asked = asked.measured(seed=secrets.randbelow(2**31))
        return asked, unfinished

    def _unfinished(self, engine: Engine, form: Form[AskedT], resume: Resume | None) -> CampaignRow | None:
        """Return the interrupted campaign to go on with, or None; say so where one was wanted and there is none.

        Raises Misuse where the wanted one cannot be gone on with.
        """
        if resume is None:
            return None
        machine, conditions = self.place.identity(), self.place.conditions()

        def attempt(row: CampaignRow) -> None:
            now = {"machine": machine.id, **form.marks(form.from_stored(row.request))}
            check_unchanged(engine, row, now, machine, conditions)

        row = choose(engine, form.kind, resume, attempt, self.watcher.remark)
        if row is None:
            self.watcher.remark(f"there is no interrupted '{form.kind}' to resume: starting a new one")
        return row

    @contextmanager
    def campaign(
        self,
        engine: Engine,
        form: Form[AskedT],
        asked: AskedT,
        unfinished: CampaignRow | None,
        cases: Sequence[CaseState],
        beside: Mapping[str, Any] | None = None,
    ) -> Iterator[CommandCampaign]:
        """Begin a campaign, or go on with an unfinished one. Misuse that shows before a sample leaves no campaign.

        beside  is kept with what was asked
        """
        machine, conditions = self.place.identity(), self.place.conditions()
        request = asked.stored() | {"kind": form.kind} | dict(beside or {})
        fingerprint = {"machine": machine.id, **form.marks(asked)}
        if unfinished is not None:
            store = CampaignStore(engine, unfinished, conditions)
            self.watcher.remark(f"resuming '{form.kind}' {unfinished.id}")
        else:
            store = CampaignStore.create(
                engine,
                campaign=new_name(),
                request=request,
                fingerprint=fingerprint,
                machine=machine,
                cases=cases,
                conditions=conditions,
            )
        try:
            yield CommandCampaign(store, machine, self, asked.how)
        except Misuse:
            if unfinished is None:
                store.forget()
            raise
        finally:
            store.close()


@dataclass(frozen=True)
class CommandCampaign:
    """A campaign in the course of a session."""

    store: CampaignStore
    machine: Machine
    bench: Bench
    how: Measurement

    def measure(
        self,
        case: CaseState,
        executor: Executor,
        share_s: float | None = None,
        rules: Rules | None = None,
        timeout_s: float | None = None,
    ) -> None:
        """Measure a case to its end.

        share_s    of the budget; None: all of it
        rules      of its own; None: the bench's, with the number of pairs that was asked for
        timeout_s  of its own
        """
        how = self.how
        assert how.seed is not None
        terms = CaseTerms(
            threads=1,
            seed=how.seed,
            share_s=how.budget_s if share_s is None else share_s,
            budget=budget_text(how.budget_s),
            hang_limit_s=how.timeout_s if timeout_s is None else timeout_s,
            rules=rules or replace(self.bench.rules, max_blocks=how.max_pairs),
        )
        CaseRun(case, terms, executor, self.store, self.bench.watcher).run()
        self.store.case_finished(case)

    def pass_on(self, terms: Terms) -> None:
        """Say what went wrong beside the commands."""
        for complaint in terms.complaints:
            self.bench.watcher.remark(complaint)
        terms.complaints.clear()

    def restore(self, case: CaseState, metric: Metric) -> bool:
        """Return a case's arms what earlier sessions found out; True when it needs no more measuring."""
        finished = self.store.restore(case)
        for arm in case.arms:
            arm.metric = metric
        return finished

    def finish(self) -> None:
        """Mark it as one that came to its end."""
        self.store.end_session(self.bench.place.conditions())
        self.store.finish()

    def head(self) -> dict[str, Any]:
        """Return the fields of its document that do not follow from samples."""
        conditions = self.store.conditions()
        return {
            "rooftop": rooftop.__version__,
            "campaign": self.store.campaign.id,
            "started": self.store.campaign.started,
            "machine": self.machine.model_copy(update={"conditions": conditions[0] if conditions else {}}),
        }

    def doubts(self, floor: float | None, arms: Iterable[Arm] = ()) -> list[Doubt]:
        """Return what is to be doubted of its figures, which these arms have."""
        conditions = self.store.conditions()
        if self.store.campaign.finished is None:  # it was interrupted, and what changed is not kept yet
            conditions = [*conditions, self.bench.place.conditions()]
        return [*about_the_machine(self.machine, conditions, floor), *about_commands(arms)]


DocumentT = TypeVar("DocumentT")


@dataclass
class Ended(Generic[DocumentT]):
    """A campaign that came to its end, or was interrupted: what is known is there in both cases."""

    document: DocumentT
    interrupted: bool
