"""Run a climb, from the request to the document."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from rooftop.campaign.bench import Bench
from rooftop.campaign.kind import Course, Kind
from rooftop.campaign.run import Ended, run_campaign
from rooftop.campaign.session import CampaignSession
from rooftop.climb.interim import meanwhile
from rooftop.climb.prepare import Build, Ground
from rooftop.climb.request import Request
from rooftop.climb.watch import ClimbWatcher, Outlook, Unwatched
from rooftop.command.files import module_files
from rooftop.documents import ClimbDocument, Machine
from rooftop.doubts import Evidence, raise_doubts
from rooftop.driver.executor import Executor
from rooftop.driver.process import ProcessExecutor
from rooftop.files.atomic import write_whole
from rooftop.launchers.team import Team
from rooftop.measure.assemble import campaign_floor, experiment_result
from rooftop.measure.case_state import CaseState, Terms
from rooftop.measure.limits import raise_roofs
from rooftop.measure.rules import Rules
from rooftop.measure.setup_times import RunTimes
from rooftop.measure.turns import lacks_pairs
from rooftop.probe.surroundings import Surroundings, ThisMachine
from rooftop.settings import Settings
from rooftop.store.interrupted import Resume
from rooftop.store.schema import CampaignRow
from rooftop.text.durations import budget_text

_REFRESH_PART = 0.1  # of the campaign's time may be spent on measuring the roofs again
_LEAST_SHARE = 0.25  # of an even share is reserved for each case, even if others took more than theirs
_CASES_PART = 0.5  # of the budget is reserved for cases, even if measuring the roofs of a new machine took long


class _Climb(Course[ClimbDocument]):
    """The course of one climb: case by case, with the roofs measured again in between."""

    def __init__(
        self, bench: Bench, request: Request, surroundings: Surroundings, watcher: ClimbWatcher, build: Build | None
    ) -> None:
        self._bench, self._request = bench, request
        self._surroundings, self._watcher = surroundings, watcher
        self._executor = bench.executor or ProcessExecutor()
        self._made_s = self._executor.now_s()
        self._ground = Ground(bench.settings, request, surroundings, watcher.remark, build)
        self._finished: list[bool] = []
        # For experiments that read from the device: one folder per file system.
        declared = {experiment.name: experiment.declaration for experiment in self._ground.found}
        self._cold = {
            case.cold_on: files.folder
            for case in self._ground.cases
            if case.cold_on is not None and (files := declared[case.experiment].files) is not None
        }
        self._outlook: Outlook | None = None

    @property
    def cases(self) -> Sequence[CaseState]:
        return self._ground.cases

    @property
    def marks(self) -> Mapping[str, Any]:
        threads = self._request.threads or self._ground.identity().cores
        return _fingerprint(self._ground.cases, threads)

    @property
    def files(self) -> Iterable[Path]:
        return module_files(module for experiment in self._ground.found for module in experiment.modules)

    def place(self, bench: Bench) -> Ground:
        return self._ground

    @property
    def outlook(self) -> Outlook:
        """The current state of the climb, available after `restore`."""
        assert self._outlook is not None
        return self._outlook

    def restore(self, session: CampaignSession) -> None:
        self._finished = [session.store.restore(case) for case in self.cases]
        begun_on = Machine.model_validate(session.store.campaign.machine)
        roofs = raise_roofs(session.machine.roofs, [*begun_on.roofs, *session.store.roofs()])
        self._outlook = Outlook(
            campaign=session.store.campaign.id,
            cases=self.cases,
            declarations={experiment.name: experiment.declaration for experiment in self._ground.found},
            machine=session.machine.model_copy(update={"roofs": roofs}),
            threads=self._request.threads or session.machine.cores,
            budget_s=self._request.budget_s or self._request.default_budget_s(),
            done=sum(self._finished),
        )

    def measure(self, session: CampaignSession) -> None:
        cases, finished, outlook, now_s = self.cases, self._finished, self.outlook, self._executor.now_s
        self._watcher.began(outlook)
        self._ground.ask_support(self._executor)
        began_s = max(self._made_s, now_s() - (1 - _CASES_PART) * outlook.budget_s)
        spent_s = session.store.spent_s()
        refreshed_s = look_s = self._refresh(session, cases[:1])
        run_times: dict[str, RunTimes] = {case.experiment: RunTimes() for case in cases}
        for case in cases:
            run_times[case.experiment].learn(case.arms, case.nominal)
        rules = self._bench.rules
        before_s = dict.fromkeys(range(len(cases)), 0.0)
        # First the essential comparisons of each case, then those again that lack pairs, then everything else.
        rounds = (True, True, False) if sum(finished) < len(cases) - 1 else (False,)
        for essentials in rounds:
            turns = self._turns(essentials)
            for turn, position in enumerate(turns):
                case, known = cases[position], run_times[cases[position].experiment]
                left_s = outlook.budget_s - spent_s - (now_s() - began_s)
                share_s = left_s / (len(turns) - turn) - look_s
                if before_s[position] == 0.0:
                    share_s = max(share_s, _LEAST_SHARE * outlook.budget_s / len(cases))
                terms = replace(
                    self._terms(case, share_s),
                    before_s=before_s[position],
                    essentials=essentials,
                    at_once=not any(before_s[place] and lacks_pairs(cases[place], rules) for place in turns),
                )
                case_began_s = now_s()
                finished[position] = session.run(case, self._executor, terms, known)
                before_s[position] += now_s() - case_began_s
                known.learn(case.arms, case.nominal)
                outlook.done = sum(finished)
                outlook.floor = campaign_floor(cases, rules)
                if finished[position]:
                    self._watcher.case_finished(case)
                if not all(finished):  # after the last case, the roofs are measured below
                    rested = refreshed_s < _REFRESH_PART * (now_s() - began_s)
                    look_s = self._refresh(session, cases[position : position + 2], quickest=not rested)
                    refreshed_s += look_s if rested else 0.0
        self._refresh(session, cases[-1:])

    def _turns(self, essentials: bool) -> list[int]:
        """Return the indices of the unfinished cases; with `essentials`, only those that lack essential pairs."""
        unfinished = [place for place, finished in enumerate(self._finished) if not finished]
        if not essentials:
            return unfinished
        return [place for place in unfinished if lacks_pairs(self.cases[place], self._bench.rules)]

    def document(self, session: CampaignSession, *, interrupted: bool) -> ClimbDocument:
        conditions, rules = session.store.conditions(), self._bench.rules
        held = dict(conditions[0]) if conditions else {}
        if len(conditions) > 1:
            held["at the end"] = {key: value for key, value in conditions[-1].items() if held.get(key) != value}
        machine = self.outlook.machine.model_copy(update={"conditions": held})
        floor = campaign_floor(self.cases, rules)
        looks = session.store.looks()
        experiments = [
            experiment_result(
                experiment.name,
                own[0].size,
                experiment.declaration,
                own,
                machine,
                self.outlook.threads,
                floor,
                rules,
                partial(meanwhile, machine, looks),
            )
            for experiment in self._ground.found
            if (own := [case for case in self.cases if case.experiment == experiment.name])
        ]
        document = ClimbDocument(**session.head() | {"machine": machine}, experiments=experiments)
        document.doubts = raise_doubts(Evidence(document, conditions, session.store.roofs(), floor, rules))
        return document

    def keep(self, document: ClimbDocument) -> None:
        """Write the document to CAMPAIGN.json in the campaigns' folder, atomically."""
        file = self._bench.settings.campaigns_folder / f"{document.campaign}.json"
        write_whole(file, document.model_dump_json(by_alias=True, indent=1))

    def _terms(self, case: CaseState, share_s: float) -> Terms:
        request, outlook, rules = self._request, self.outlook, self._bench.rules
        declaration = outlook.declarations[case.experiment]
        ticks = [roof.value for roof in outlook.machine.roofs if roof.metric == "timer" and roof.unit == "s"]
        assert request.seed is not None
        return Terms(
            team=Team(threads=outlook.threads),
            seed=request.seed,
            share_s=share_s,
            budget=budget_text(outlook.budget_s),
            hang_limit_s=declaration.hang_limit_s,
            slow_limit_s=declaration.slow_limit_s,
            clock_resolution_ns=max(ticks, default=1e-9) * 1e9,
            rules=replace(rules, pairs=request.pairs or rules.pairs),
        )

    def _refresh(self, session: CampaignSession, beside: Sequence[CaseState], *, quickest: bool = False) -> float:
        """Measure the roofs again, next to the cases `beside`, and update the best. Return the seconds this took."""
        outlook, began_s = self.outlook, self._executor.now_s()
        messages = not quickest and any(arm.module.ranked for case in beside for arm in case.arms)
        looks = self._surroundings.refresh_roofs(outlook.threads, messages=messages, quickest=quickest)
        session.store.add_roofs(looks)
        for folder in [] if quickest else self._cold.values():
            session.store.add_roofs(self._surroundings.refresh_device_roofs(folder, outlook.threads))
        roofs = raise_roofs(outlook.machine.roofs, session.store.roofs())
        outlook.machine = outlook.machine.model_copy(update={"roofs": roofs})
        return self._executor.now_s() - began_s


def _fingerprint(cases: Sequence[CaseState], threads: int) -> dict[str, str]:
    """Return one short text per part, so that a refusal to resume can name the part that differs."""
    listed = [
        [case.experiment, case.size, case.name, case.parameters, case.nominal, [arm.name for arm in case.arms]]
        for case in cases
    ]
    digest = hashlib.sha256(json.dumps(listed, sort_keys=True).encode()).hexdigest()
    return {"case list": digest[:12], "threads": str(threads)}


def _course(bench: Bench, request: Request, _new: bool) -> Course[ClimbDocument]:
    return _Climb(bench, request, ThisMachine(), Unwatched(), None)


def _write_page(document: ClimbDocument, path: Path) -> None:
    from rooftop.report import write  # slow to import

    write(document, path)


KIND = Kind("climb", Request.from_stored, Request.prepared, _course, _write_page, says_what=False)


class Climbing:
    """Runs climbs.

    rules  other than the defaults only in tests
    build  builds an experiment outside the tree, with a remark; None: experiments are used as they are
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
        self._bench = Bench(settings, surroundings, watcher, executor, rules or Rules())
        self._kind = replace(
            KIND, course=lambda bench, request, _new: _Climb(bench, request, surroundings, watcher, build)
        )

    def climb(
        self,
        request: Request,
        *,
        resume: Resume | None = None,
        permitted: Callable[[CampaignRow], None] = lambda row: None,
    ) -> Ended[ClimbDocument]:
        """Run a climb, or resume an interrupted one: see `run_campaign`."""
        return run_campaign(self._bench, self._kind, request, resume=resume, permitted=permitted)
