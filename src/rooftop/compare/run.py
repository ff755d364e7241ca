"""Runs a comparison from the options to the document."""

from __future__ import annotations

import dataclasses
import secrets
from typing import Any, Protocol

from sqlalchemy import Engine

import rooftop
from rooftop.climb.campaign import new_name
from rooftop.climb.request import budget_text
from rooftop.command.driver import CommandExecutor, as_module
from rooftop.compare.document import CompareDocument, compare_document, floor_of
from rooftop.compare.options import Options
from rooftop.documents import Machine
from rooftop.doubts import about_the_machine
from rooftop.exclusive import machine_to_itself
from rooftop.executor import Executor
from rooftop.measure.arms import Arm
from rooftop.measure.case_run import CaseRun, CaseState, Terms, Watcher
from rooftop.measure.rules import Rules
from rooftop.settings import Settings
from rooftop.store.campaign_store import CampaignStore, check_unchanged, newest_unfinished
from rooftop.store.database import open_database


class Place(Protocol):
    """The machine, so that comparisons can be tested on one that never changes."""

    def identity(self) -> Machine:
        """Give what the machine is; its roofs are not asked for."""
        ...

    def conditions(self) -> dict[str, Any]:
        """Give what holds now and could explain a number."""
        ...


class CompareWatcher(Watcher, Protocol):
    """Is told of progress, between samples only."""

    def remark(self, message: str) -> None:
        """Say one line."""
        ...


@dataclasses.dataclass
class Ended:
    """A comparison that came to its end, or was interrupted: what is known is there in both cases."""

    document: CompareDocument
    interrupted: bool


class Comparing:
    """One comparison. `executor` is given in tests only."""

    def __init__(
        self,
        settings: Settings,
        place: Place,
        watcher: CompareWatcher,
        executor: Executor | None = None,
        rules: Rules | None = None,
    ) -> None:
        self._settings = settings
        self._place = place
        self._watcher = watcher
        self._executor = executor
        self._rules = rules or Rules()

    def compare(self, options: Options, *, resume: bool = False) -> Ended:
        """Compare, or go on with the newest comparison that was interrupted. Raises Misuse."""
        home = self._settings.home_folder
        if not resume:
            options.specs()  # misuse is told before anything is written
            options.terms()
        with machine_to_itself(home):
            engine = open_database(home / "store.sqlite")
            try:
                return self._compare(engine, options, resume=resume)
            finally:
                engine.dispose()

    def _compare(self, engine: Engine, options: Options, *, resume: bool) -> Ended:
        unfinished = newest_unfinished(engine, "compare") if resume else None
        if unfinished is not None:
            options = dataclasses.replace(Options.from_stored(unfinished.request), budget_s=options.budget_s)
        elif resume:
            self._watcher.remark("there is no interrupted comparison to resume: starting a new one")
        if options.seed is None:
            options = dataclasses.replace(options, seed=secrets.randbelow(2**31))
        specs, terms = options.specs(), options.terms()
        metric = terms.measured.metric
        case = CaseState(
            experiment="compare",
            size="commands",
            name="commands",
            parameters={},
            nominal=1.0,
            arms=[Arm(as_module(name, spec), "command", metric=metric) for name, spec in specs.items()],
        )
        machine, conditions = self._place.identity(), self._place.conditions()
        marks = {"machine": machine.id, "list of commands": " ::: ".join(specs)}
        if unfinished is not None:
            check_unchanged(unfinished, marks)
            store = CampaignStore(engine, unfinished, conditions)
            self._watcher.remark(f"resuming comparison {unfinished.id}")
        else:
            store = CampaignStore.create(
                engine,
                campaign=new_name(),
                request=options.stored(),
                fingerprint=marks,
                machine=machine,
                cases=[case],
                conditions=conditions,
            )
        try:
            store.restore(case)
            for arm in case.arms:
                arm.metric = metric
            executor = self._executor or CommandExecutor(specs, terms)
            interrupted = self._measure(case, options, store, executor)
            for complaint in terms.complaints:
                self._watcher.remark(complaint)
            return Ended(self._document(case, options, store, machine), interrupted)
        finally:
            store.close()

    def _measure(self, case: CaseState, options: Options, store: CampaignStore, executor: Executor) -> bool:
        """Measure, and tell whether it was interrupted."""
        rules = dataclasses.replace(self._rules, max_blocks=options.max_pairs)
        assert options.seed is not None
        terms = Terms(
            threads=1,
            seed=options.seed,
            share_s=options.budget_s,
            budget=budget_text(options.budget_s),
            hang_limit_s=options.timeout_s,
            rules=rules,
        )
        try:
            CaseRun(case, terms, executor, store, self._watcher).run()
        except KeyboardInterrupt:
            return True
        store.case_finished(case)
        store.end_session(self._place.conditions())
        store.finish()
        return False

    def _document(self, case: CaseState, options: Options, store: CampaignStore, machine: Machine) -> CompareDocument:
        conditions = store.conditions()
        measured = options.terms().measured
        metric = measured.metric
        head = {
            "rooftop": rooftop.__version__,
            "campaign": store.campaign.id,
            "started": store.campaign.started,
            "metric": options.metric_regex or options.metric,
            "unit": metric.unit,
            "better": metric.better,
            "machine": machine.model_copy(update={"conditions": conditions[0] if conditions else {}}),
        }
        document = compare_document(case, self._rules, head)
        document.doubts = about_the_machine(machine, conditions, floor_of(case, self._rules))
        return document
