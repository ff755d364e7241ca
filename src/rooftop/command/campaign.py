"""A campaign about commands: it has the machine to itself, is kept from its first sample on, and can be resumed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from sqlalchemy import Engine

import rooftop
from rooftop.climb.campaign import new_name
from rooftop.command.doubts import about_commands
from rooftop.documents import Doubt, Machine
from rooftop.doubts import about_the_machine
from rooftop.errors import Misuse
from rooftop.exclusive import machine_to_itself
from rooftop.executor import Executor
from rooftop.measure.arms import Arm
from rooftop.measure.case_run import CaseState, Watcher
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

    def unfinished(
        self, engine: Engine, kind: Kind, resume: Resume | None, marks: Callable[[dict[str, Any]], Mapping[str, Any]]
    ) -> CampaignRow | None:
        """Return the interrupted campaign to go on with, or None; say so where one was wanted and there is none.

        marks  gives what must be the same, see `campaign`, of a stored request

        Raises Misuse where the wanted one cannot be gone on with.
        """
        if resume is None:
            return None
        machine, conditions = self.place.identity(), self.place.conditions()

        def attempt(row: CampaignRow) -> None:
            now = {"machine": machine.id, **marks(row.request)}
            check_unchanged(engine, row, now, machine, conditions)

        row = choose(engine, kind, resume, attempt, self.watcher.remark)
        if row is None:
            self.watcher.remark(f"there is no interrupted '{kind}' to resume: starting a new one")
        return row

    @contextmanager
    def campaign(
        self,
        engine: Engine,
        unfinished: CampaignRow | None,
        request: dict[str, Any],
        marks: Mapping[str, Any],
        cases: Sequence[CaseState],
    ) -> Iterator[CommandCampaign]:
        """Begin a campaign, or go on with an unfinished one. Misuse that shows before a sample leaves no campaign.

        marks  what must be the same when it goes on, by what a reader calls it; the machine is always among them
        """
        machine, conditions = self.place.identity(), self.place.conditions()
        fingerprint = {"machine": machine.id, **marks}
        if unfinished is not None:
            store = CampaignStore(engine, unfinished, conditions)
            self.watcher.remark(f"resuming '{request['kind']}' {unfinished.id}")
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
            yield CommandCampaign(store, machine, self.place)
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
    place: Place

    def restore(self, case: CaseState, metric: Metric) -> bool:
        """Return a case's arms what earlier sessions found out; True when it needs no more measuring."""
        finished = self.store.restore(case)
        for arm in case.arms:
            arm.metric = metric
        return finished

    def finish(self) -> None:
        """Mark it as one that came to its end."""
        self.store.end_session(self.place.conditions())
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
            conditions = [*conditions, self.place.conditions()]
        return [*about_the_machine(self.machine, conditions, floor), *about_commands(arms)]
