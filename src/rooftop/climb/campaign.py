"""Runs a campaign from the request to the document."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

import rooftop
from rooftop.assemble import campaign_floor, experiment_result
from rooftop.climb.fingerprint import fingerprint
from rooftop.climb.request import DEFAULT_SIZE, Request
from rooftop.climb.watch import ClimbWatcher, Outlook
from rooftop.discover import Found
from rooftop.documents import ClimbDocument, Machine
from rooftop.doubts import Evidence, raise_doubts
from rooftop.durations import budget_text
from rooftop.errors import Misuse, NotBuilt
from rooftop.exclusive import machine_to_itself
from rooftop.executor import DriverFailed, Executor
from rooftop.limits import raise_roofs
from rooftop.measure.arms import Arm
from rooftop.measure.case_run import CaseRun, CaseState, Terms
from rooftop.measure.pairings import estimate_s
from rooftop.measure.rules import Rules
from rooftop.outside.compiled import compiled
from rooftop.outside.place import place_of
from rooftop.prediction import asked_by
from rooftop.results.targets import FILE_NAME, asked_of_case, read_targets
from rooftop.settings import Settings
from rooftop.store.campaign_store import CampaignStore, new_name
from rooftop.store.database import opened_database
from rooftop.store.interrupted import Resume, check_unchanged, choose
from rooftop.store.schema import CampaignRow
from rooftop.surroundings import Surroundings
from rooftop.team import Team
from rooftop.whole_file import write_whole

_REFRESH_PART = 0.1  # of the campaign's time may go into measuring the roofs again
_LEAST_SHARE = 0.25  # of an even share is left to a case, however much the others have overspent

Build = Callable[[Found, Callable[[str], None]], None]


@dataclass(frozen=True)
class _Begun:
    """What is known of a climb before its first measurement. `marks` must not change between sessions."""

    request: Request
    found: list[Found]
    cases: list[CaseState]
    machine: Machine
    threads: int
    marks: dict[str, str]
    conditions: dict[str, Any]


class Campaign:
    """One climb.

    build  brings an experiment outside the tree up to date, saying so; None: it is taken as it is built
    rules  differ from the defaults in tests only
    """

    def __init__(
        self,
        settings: Settings,
        executor: Executor,
        surroundings: Surroundings,
        watcher: ClimbWatcher,
        rules: Rules | None = None,
        build: Build | None = None,
    ) -> None:
        self._settings = settings
        self._executor = executor
        self._surroundings = surroundings
        self._watcher = watcher
        self._rules = rules or Rules()
        self._build = build

    def climb(self, request: Request, *, resume: Resume | None = None) -> ClimbDocument:
        """Climb, or go on with an unfinished campaign. Interrupted, everything taken so far is in the store."""
        home = self._settings.home_folder
        with machine_to_itself(home), opened_database(home / "store.sqlite") as engine:
            return self._climb(engine, request, resume)

    def _climb(self, engine: Engine, request: Request, resume: Resume | None) -> ClimbDocument:
        attempted: list[_Begun] = []

        def attempt(row: CampaignRow) -> None:
            begun = self._begin(request.resuming(row.request))
            check_unchanged(engine, row, begun.marks, begun.machine, begun.conditions)
            attempted.append(begun)

        unfinished = None
        if resume is not None:
            unfinished = choose(engine, "climb", resume, attempt, self._watcher.remark)
            if unfinished is None:
                raise Misuse("there is no interrupted climb to resume: leave out --resume to start one")
        begun = attempted[-1] if attempted else self._begin(request)
        request, found, cases, machine = begun.request, begun.found, begun.cases, begun.machine
        if unfinished is not None:
            machine = raise_known(machine, unfinished.machine)
            store = CampaignStore(engine, unfinished, begun.conditions)
            self._watcher.remark(f"resuming campaign {unfinished.id}")
        else:
            seed = request.seed if request.seed is not None else secrets.randbelow(2**31)
            stored = request.stored() | {"size": request.size or DEFAULT_SIZE, "seed": seed}
            store = CampaignStore.create(
                engine,
                campaign=new_name(),
                request=stored,
                fingerprint=begun.marks,
                machine=machine,
                cases=cases,
                conditions=begun.conditions,
            )
        try:
            return self._measure(store, found, cases, machine, begun.threads, request)
        finally:
            store.close()

    # --- before ----------------------------------------------------------------------------------------------------

    def _begin(self, request: Request) -> _Begun:
        """Return all that is known before the first measurement. Raises Misuse, NotBuilt."""
        found = self._find(request)
        self._watcher.remark("measuring the machine's roofs, unless they are known")
        machine = self._surroundings.machine(request.threads)
        threads = request.threads or machine.cores
        size = request.size or DEFAULT_SIZE
        cases = [case for experiment in found for case in self._cases(experiment, size, request)]
        self._ask_support(found, cases)
        marks = fingerprint(found, machine, cases, threads)
        return _Begun(request, found, cases, machine, threads, marks, self._conditions(found))

    def _find(self, request: Request) -> list[Found]:
        place = place_of(self._settings, request.experiments)
        size = request.size or DEFAULT_SIZE
        found = [place.find(name) for name in place.choose(request.names)]
        if request.names:
            for experiment in found:
                experiment.declaration.cases(size)  # a size that it lacks is misuse when it was named
        chosen = [experiment for experiment in found if size in experiment.declaration.sizes]
        if not chosen:
            raise Misuse(f"no experiment in {place.folder} has the size {size!r}")
        request.check_only(chosen)
        if place.outside and self._build is not None:
            for experiment in chosen:
                self._build(experiment, self._watcher.remark)
            chosen = [place.find(experiment.name) for experiment in chosen]
        modules = [module for experiment in chosen for module in experiment.modules]
        names = ", ".join(experiment.name for experiment in chosen)
        if not modules:
            raise Misuse(f"{names} in {place.folder} has no rungs, expected rungs/NN-idea.cpp or .py")
        if all(module.status == "not built" for module in modules):
            raise NotBuilt(f"nothing of {names} is built: {modules[0].reason}")
        return chosen

    def _conditions(self, found: Sequence[Found]) -> dict[str, Any]:
        """Return what holds now. Experiments outside the tree say themselves how they were compiled."""
        return self._surroundings.conditions() | compiled(found)

    @staticmethod
    def _cases(experiment: Found, size: str, request: Request) -> list[CaseState]:
        modules = [module for module in experiment.modules if request.chooses(module)]
        if not modules:
            return []
        declared = experiment.folder / FILE_NAME
        targets = read_targets(declared) if declared.is_file() else None
        cases = []
        for case in experiment.declaration.cases(size):
            arms = [
                Arm(module, module.kind)
                for one in modules
                for module in ([one.on(Team(threads=count)) for count in case.workers] or [one])
            ]
            asked = asked_of_case(targets, size, case.parameters) if targets is not None else ()
            cases.append(
                CaseState(
                    experiment=experiment.name,
                    size=size,
                    name=case.name,
                    parameters=case.parameters,
                    nominal=case.nominal,
                    isa=case.isa,
                    arms=arms,
                    asked=asked + asked_by(experiment.declaration.predictions, arms),
                )
            )
        return cases

    def _ask_support(self, found: Sequence[Found], cases: Sequence[CaseState]) -> None:
        """Decide once for all cases what is not built, or what this processor cannot run."""
        answers: dict[tuple[Path, str | None], tuple[str, str, str | None]] = {}
        for experiment in found:
            for module in experiment.modules:
                key = module.program
                if module.status != "built":
                    answers[key] = ("skipped", module.reason or module.status, None)
                    continue
                try:
                    described = self._executor.describe(module)
                except DriverFailed as failure:
                    answers[key] = ("failed", failure.message, failure.stage)
                else:
                    if not described.supported:
                        answers[key] = ("skipped", described.reason or "this processor cannot run it", None)
        for case in cases:
            for arm in case.arms:
                outcome, reason, stage = answers.get(arm.module.program, ("", "", None))
                if outcome == "skipped":
                    arm.end("skipped", reason)
                elif outcome == "failed":
                    arm.end("failed", reason, stage)

    # --- measuring -------------------------------------------------------------------------------------------------

    def _measure(
        self,
        store: CampaignStore,
        found: Sequence[Found],
        cases: list[CaseState],
        machine: Machine,
        threads: int,
        request: Request,
    ) -> ClimbDocument:
        budget_s = request.budget_s or request.default_budget_s()
        declarations = {experiment.name: experiment.declaration for experiment in found}
        finished = [store.restore(case) for case in cases]
        outlook = Outlook(store.campaign.id, cases, declarations, machine, threads, budget_s, done=sum(finished))
        self._watcher.began(outlook)
        began_s, spent_s = self._executor.now_s(), store.spent_s()
        refreshed_s = self._refresh(store, outlook, threads)
        expected_s: dict[str, dict[str, float]] = {}  # of one unit of work, by experiment and module
        for position, case in enumerate(cases):
            known = expected_s.setdefault(case.experiment, {})
            if not finished[position]:
                left_s = budget_s - spent_s - (self._executor.now_s() - began_s)
                remaining = len(cases) - sum(finished)
                share_s = max(left_s / remaining, _LEAST_SHARE * budget_s / len(cases))
                terms = self._terms(declarations[case.experiment], store, outlook, share_s)
                CaseRun(case, terms, self._executor, store, self._watcher, known).run()
                store.case_finished(case)
                finished[position] = True
                outlook.done = sum(finished)
                outlook.floor = campaign_floor(cases, self._rules)
                self._watcher.case_finished(case)
                if refreshed_s < _REFRESH_PART * (self._executor.now_s() - began_s):
                    refreshed_s += self._refresh(store, outlook, threads)
            known |= {arm.name: estimate_s(arm) / case.nominal for arm in case.arms if arm.outcome == "ok"}
        self._refresh(store, outlook, threads)
        store.end_session(self._conditions(found))
        document = self._document(store, found, cases, outlook)
        write_document(document, self._settings.campaigns_folder)
        store.finish()
        return document

    def _terms(self, declaration: Any, store: CampaignStore, outlook: Outlook, share_s: float) -> Terms:
        ticks = [roof.value for roof in outlook.machine.roofs if roof.metric == "timer" and roof.unit == "s"]
        return Terms(
            team=Team(threads=outlook.threads),
            seed=int(store.campaign.request["seed"]),
            share_s=share_s,
            budget=budget_text(outlook.budget_s),
            hang_limit_s=declaration.hang_limit_s,
            slow_limit_s=declaration.slow_limit_s,
            clock_resolution_ns=max(ticks, default=1e-9) * 1e9,
            rules=replace(self._rules, pairs=store.campaign.request.get("pairs") or self._rules.pairs),
        )

    def _refresh(self, store: CampaignStore, outlook: Outlook, threads: int) -> float:
        """Measure the roofs again and keep the best seen; gives the seconds that it took."""
        began_s = self._executor.now_s()
        measured = self._surroundings.refresh_roofs(threads)
        store.add_roofs(measured)
        roofs = raise_roofs(outlook.machine.roofs, [*store.roofs(), *measured])
        outlook.machine = outlook.machine.model_copy(update={"roofs": roofs})
        return self._executor.now_s() - began_s

    # --- after -----------------------------------------------------------------------------------------------------

    def _document(
        self, store: CampaignStore, found: Sequence[Found], cases: Sequence[CaseState], outlook: Outlook
    ) -> ClimbDocument:
        conditions = store.conditions()
        held = dict(conditions[0]) if conditions else {}
        if len(conditions) > 1:
            changed = {key: value for key, value in conditions[-1].items() if held.get(key) != value}
            held["at the end"] = changed
        machine = outlook.machine.model_copy(update={"conditions": held})
        floor = campaign_floor(cases, self._rules)
        document = ClimbDocument(
            rooftop=rooftop.__version__,
            campaign=store.campaign.id,
            started=store.campaign.started,
            machine=machine,
            experiments=[
                experiment_result(
                    experiment.name,
                    own[0].size,
                    experiment.declaration,
                    own,
                    machine,
                    outlook.threads,
                    floor,
                    self._rules,
                )
                for experiment in found
                if (own := [case for case in cases if case.experiment == experiment.name])
            ],
        )
        evidence = Evidence(document, conditions, store.roofs(), floor, self._rules)
        document.doubts = raise_doubts(evidence)
        return document


def raise_known(machine: Machine, stored: dict[str, Any]) -> Machine:
    """Return the machine with the roofs that an earlier session knew, where they were higher."""
    return machine.model_copy(update={"roofs": raise_roofs(machine.roofs, Machine.model_validate(stored).roofs)})


def write_document(document: ClimbDocument, folder: Path) -> Path:
    """Write the document to folder/CAMPAIGN.json, whole or not at all."""
    file = folder / f"{document.campaign}.json"
    write_whole(file, document.model_dump_json(by_alias=True, indent=1))
    return file
