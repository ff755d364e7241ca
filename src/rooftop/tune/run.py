"""Runs a tuning from the options to the document: searched in a race, confirmed in a comparison of its own."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from rooftop.command.build import Builds
from rooftop.command.campaign import Bench, CommandCampaign, Ended, Form
from rooftop.command.driver import CommandExecutor, as_module
from rooftop.executor import Executor
from rooftop.measure.arms import Arm
from rooftop.measure.case_run import CaseState
from rooftop.store.campaign_store import CampaignStore
from rooftop.store.interrupted import Resume
from rooftop.tune import strategies
from rooftop.tune.document import TuneDocument, confirmed, ranked, tune_document
from rooftop.tune.gains import changes, to_measure
from rooftop.tune.options import Options
from rooftop.tune.parameters import Configuration, Space, label
from rooftop.tune.race import Race, RaceRules
from rooftop.tune.shares import Part, Shares, runs_of

_FINALISTS = 8  # beside the default
_EXHAUSTIVE = 32  # configurations that are tried in random order rather than searched


class Tuning:
    """One tuning."""

    def __init__(self, bench: Bench, race_rules: RaceRules | None = None) -> None:
        self._bench = bench
        self._race_rules = race_rules or RaceRules()
        self._began_s = 0.0

    def tune(self, options: Options, *, resume: Resume | None = None) -> Ended[TuneDocument]:
        """Tune, or go on with a tuning that was interrupted. Raises Misuse."""
        if resume is None:
            options = options.prepared()  # misuse is told before anything is written
            options.default_place(options.space())
            options.spec(options.space(), options.space().configurations[0], self._builds())
            if options.build is not None:
                self._builds().check(options.build)
            options.how.terms()
            if options.strategy != "auto":
                strategies.begin(options.strategy, options.space(), 0)
            for remark in options.remarks():
                self._bench.watcher.remark(remark)
        with self._bench.held() as engine:
            return self._tune(engine, options, resume)

    def _builds(self) -> Builds:
        return Builds(self._bench.settings.home_folder / "builds" / "tune", Path.cwd())

    def _tune(self, engine: Engine, options: Options, resume: Resume | None) -> Ended[TuneDocument]:
        bench = self._bench
        options, unfinished = bench.begin(engine, _FORM, options, resume)
        space, terms = options.space(), options.how.terms()
        for missing in options.missing_allocators().values():
            bench.watcher.remark(missing)
        builds = self._builds()
        if unfinished is None:
            builds.clear()
        specs = {label(one): options.spec(space, one, builds) for one in space.configurations}
        labels = list(specs)
        places = {name: place for place, name in enumerate(labels)}
        executor = bench.executor or CommandExecutor(specs, terms)
        self._began_s = executor.now_s()
        metric = terms.measured.metric
        search, choosing, final, parts = (_case(name) for name in ("search", "choosing", "final", "gains"))

        def make_arm(place: int) -> Arm:
            name = label(space.configurations[place])
            return Arm(as_module(name, specs[name]), "command", metric=metric)

        cases = [search, choosing, final, parts]
        with bench.campaign(engine, _FORM, options, unfinished, cases) as campaign:
            store = campaign.store
            for case in cases:
                case.arms = [make_arm(places[name]) for name in store.arm_names(case)]
            searched, chosen, compared, parted = (campaign.restore(case, metric) for case in cases)
            race = self._race(options, space, search, make_arm, store, executor)
            race.places = {arm.name: places[arm.name] for arm in search.arms}
            default = options.default_place(space)
            interrupted = False

            def shares(between: int = 0) -> Shares:
                run_s = {arm.name: arm.run_s for arm in search.arms}
                best_s = race.best.run_s if race.best is not None else 0.0
                return Shares.of(options.how.budget_s, bench.rules, run_s.get(labels[default], 0.0), best_s, between)

            try:
                if searched:
                    race.recall()
                else:
                    race.run([default])
                    store.case_finished(search)
                if not chosen:
                    ranking = [race.places[arm.name] for arm in race.ranking()]
                    others = [place for place in ranking if place != default][:_FINALISTS]
                    # A default that is far behind is no candidate, and costs the time of several that are.
                    candidates = others if race.left_behind(labels[default]) else [default, *others]
                    arms = self._affordable(race, shares().choosing, candidates)
                    if sum(place != default for place in arms) < 2:
                        arms = []  # there is nothing to choose: the race has done it
                    self._compare(campaign, choosing, arms, make_arm, shares().choosing, executor)
                if not compared:
                    others = [places[name] for name in ranked(choosing, race) if places[name] != default][:2]
                    part = shares(len(self._between(space, default, others))).final
                    arms = self._affordable(race, part, [default, *others])
                    arms = [default, *reversed(arms[1:] or others[:1])]
                    self._compare(campaign, final, arms, make_arm, part, executor)
                if not parted:
                    between = self._parts(space, default, race, choosing, final, places)
                    part = shares(max(0, len(between) - 2)).gains
                    self._compare(campaign, parts, between, make_arm, part, executor)
                campaign.finish()
            except KeyboardInterrupt:
                interrupted = True
            campaign.pass_on(terms)
            head = campaign.head() | options.how.head() | {"strategy": strategy_of(options, space)}
            document = tune_document(head, options, space, builds, race, choosing, final, parts, bench.rules)
            document.doubts = campaign.doubts(document.floor, [arm for case in cases for arm in case.arms])
            return Ended(document, interrupted)

    def _affordable(self, race: Race, part: Part, places: list[int]) -> list[int]:
        """Return the first of these configurations, as many as can have their fewest pairs in a part of the budget."""
        run_s = {race.places[arm.name]: arm.run_s for arm in race.case.arms}
        runs = runs_of(self._bench.rules)
        # The fastest has a twin.
        left_s = part.share_s - runs * min((run_s.get(place, 0.0) for place in places), default=0.0)
        found = []
        for place in places:
            left_s -= runs * run_s.get(place, 0.0)
            if left_s < 0:
                break
            found.append(place)
        return found

    def _parts(
        self, space: Space, default: int, race: Race, choosing: CaseState, final: CaseState, places: Mapping[str, int]
    ) -> list[int]:
        """Return the configurations that tell what each parameter brings: the default, the best, and those between."""
        names = ranked(choosing, race)
        if not names or not confirmed(final, names[0], label(space.configurations[default]), self._bench.rules):
            return []
        best = places[names[0]]
        between = [places[label(one)] for one in self._between(space, default, [best])]
        return [default, best, *between] if between else []

    @staticmethod
    def _between(space: Space, default: int, best: Sequence[int]) -> list[Configuration]:
        """Return what lies between the default and the first of these; nothing where there is none."""
        if not best:
            return []
        return to_measure(changes(space, space.configurations[default], space.configurations[best[0]]))

    def _race(
        self,
        options: Options,
        space: Space,
        search: CaseState,
        make_arm: Callable[[int], Arm],
        store: CampaignStore,
        executor: Executor,
    ) -> Race:
        how = options.how
        assert how.seed is not None
        rules, began_s = self._race_rules, executor.now_s()
        if len(space) <= _EXHAUSTIVE:  # there is time for a second look: a first run may have been disturbed
            rules = dataclasses.replace(rules, first_margin=math.inf)
        return Race(
            case=search,
            make_arm=make_arm,
            strategy=strategies.begin(strategy_of(options, space), space, how.seed),
            executor=executor,
            journal=store,
            watcher=self._bench.watcher,
            seed=how.seed,
            deadline=lambda *runs_s: began_s + Shares.of(how.budget_s, self._bench.rules, *runs_s).race.end_s,
            timeout_s=how.timeout_s,
            rules=rules,
            sampling=self._bench.rules,
        )

    def _compare(
        self,
        campaign: CommandCampaign,
        case: CaseState,
        places: list[int],
        make_arm: Callable[[int], Arm],
        part: Part,
        executor: Executor,
    ) -> None:
        """Measure the default and some of the others, interleaved as a comparison is."""
        arms = [make_arm(place) for place in places]
        known = {arm.name for arm in case.arms}  # of an interrupted session, which may not have come to all
        case.arms += [arm for arm in arms if arm.name not in known]
        if len(case.arms) > 1:
            campaign.measure(case, executor, max(part.share_s, part.end_s - (executor.now_s() - self._began_s)))
        else:
            campaign.store.case_finished(case)


def strategy_of(options: Options, space: Space) -> str:
    """Return the strategy's name: in a small space nothing is gained by modelling."""
    if options.strategy != "auto":
        return options.strategy
    return "shuffled" if len(space) <= _EXHAUSTIVE else "tpe"


def _marks(options: Options) -> dict[str, Any]:
    """Return what must not change between sessions. Raises Misuse."""
    options.how.terms()
    return {
        "command": " ".join(options.words),
        "build": options.build or "",
        "number of configurations": len(options.space()),
    }


_FORM = Form("tune", Options.from_stored, _marks, Options.prepared)


def _case(name: str) -> CaseState:
    return CaseState(experiment="tune", size="configurations", name=name, parameters={}, nominal=1.0, arms=[])
