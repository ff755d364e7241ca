"""Runs a tuning from the options to the document: searched in a race, confirmed in a comparison of its own."""

from __future__ import annotations

import dataclasses
import math
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Engine

import rooftop
from rooftop.climb.campaign import new_name
from rooftop.climb.request import budget_text
from rooftop.command.driver import CommandExecutor, as_module
from rooftop.compare.run import CompareWatcher, Place
from rooftop.documents import Machine
from rooftop.doubts import about_the_machine
from rooftop.exclusive import machine_to_itself
from rooftop.executor import Executor
from rooftop.measure.arms import Arm
from rooftop.measure.case_run import CaseRun, CaseState, Terms
from rooftop.measure.rules import Rules
from rooftop.settings import Settings
from rooftop.store.campaign_store import CampaignStore, check_unchanged, newest_unfinished
from rooftop.store.database import open_database
from rooftop.tune import strategies
from rooftop.tune.document import TuneDocument, by_comparison, tune_document
from rooftop.tune.options import Options
from rooftop.tune.parameters import Space, label
from rooftop.tune.race import Race, RaceRules

_CHOOSING_SHARE = 0.2  # of the budget is for choosing among the best of the race
_FINAL_SHARE = 0.2  # and for the comparison at the end, whose pairs have chosen nothing
_FINALISTS = 6  # beside the default
_EXHAUSTIVE = 32  # configurations that are tried in random order rather than searched


@dataclass
class Ended:
    """A tuning that came to its end, or was interrupted: what is known is there in both cases."""

    document: TuneDocument
    interrupted: bool


class Tuning:
    """One tuning. `executor` is given in tests only."""

    def __init__(
        self,
        settings: Settings,
        place: Place,
        watcher: CompareWatcher,
        executor: Executor | None = None,
        rules: Rules | None = None,
        race_rules: RaceRules | None = None,
    ) -> None:
        self._settings = settings
        self._place = place
        self._watcher = watcher
        self._executor = executor
        self._rules = rules or Rules()
        self._race_rules = race_rules or RaceRules()

    def tune(self, options: Options, *, resume: bool = False) -> Ended:
        """Tune, or go on with the newest tuning that was interrupted. Raises Misuse."""
        home = self._settings.home_folder
        if not resume:
            options = options.prepared()  # misuse is told before anything is written
            options.default_place(options.space())
            options.spec(options.space(), options.space().configurations[0])
            options.how.terms()
            if options.strategy != "auto":
                strategies.begin(options.strategy, options.space(), 0)
        with machine_to_itself(home):
            engine = open_database(home / "store.sqlite")
            try:
                return self._tune(engine, options, resume=resume)
            finally:
                engine.dispose()

    def _tune(self, engine: Engine, options: Options, *, resume: bool) -> Ended:
        unfinished = newest_unfinished(engine, "tune") if resume else None
        if unfinished is not None:
            budget_s = options.how.budget_s
            options = Options.from_stored(unfinished.request)
            options = dataclasses.replace(options, how=dataclasses.replace(options.how, budget_s=budget_s))
        elif resume:
            self._watcher.remark("there is no interrupted tuning to resume: starting a new one")
            options = options.prepared()
        if options.how.seed is None:
            options = dataclasses.replace(options, how=dataclasses.replace(options.how, seed=secrets.randbelow(2**31)))
        space, terms = options.space(), options.how.terms()
        for missing in options.missing_allocators().values():
            self._watcher.remark(missing)
        specs = {label(one): options.spec(space, one) for one in space.configurations}
        executor = self._executor or CommandExecutor(specs, terms)
        metric = terms.measured.metric
        search, choosing, final = _case("search"), _case("choosing"), _case("final")

        def make_arm(place: int) -> Arm:
            name = label(space.configurations[place])
            return Arm(as_module(name, specs[name]), "command", metric=metric)

        machine, conditions = self._place.identity(), self._place.conditions()
        marks = {"machine": machine.id, "command": " ".join(options.words), "number of configurations": len(space)}
        if unfinished is not None:
            check_unchanged(unfinished, marks)
            store = CampaignStore(engine, unfinished, conditions)
            self._watcher.remark(f"resuming tuning {unfinished.id}")
        else:
            store = CampaignStore.create(
                engine,
                campaign=new_name(),
                request=options.stored(),
                fingerprint=marks,
                machine=machine,
                cases=[search, choosing, final],
                conditions=conditions,
            )
        try:
            places = {label(configuration): place for place, configuration in enumerate(space.configurations)}
            for case in (search, choosing, final):
                case.arms = [make_arm(places[name]) for name in store.arm_names(case)]
            searched, chosen, confirmed = (store.restore(case) for case in (search, choosing, final))
            for arm in (*search.arms, *choosing.arms, *final.arms):
                arm.metric = metric
            race = self._race(options, space, search, make_arm, store, executor)
            race.places = {arm.name: places[arm.name] for arm in search.arms}
            interrupted = False
            try:
                if searched:
                    race.recall()
                else:
                    race.run([options.default_place(space)])
                    store.case_finished(search)
                default = options.default_place(space)
                if not chosen:
                    ranking = [race.places[arm.name] for arm in race.ranking()]
                    others = [place for place in ranking if place != default][:_FINALISTS]
                    arms = [make_arm(place) for place in (default, *others)]
                    self._compare(options, choosing, arms, _CHOOSING_SHARE, store, executor)
                if not confirmed:
                    others = [places[arm.name] for arm in by_comparison(choosing) if places[arm.name] != default][:2]
                    arms = [make_arm(place) for place in (default, *reversed(others))]
                    self._compare(options, final, arms, _FINAL_SHARE, store, executor)
                store.end_session(self._place.conditions())
                store.finish()
            except KeyboardInterrupt:
                interrupted = True
            for complaint in terms.complaints:
                self._watcher.remark(complaint)
            return Ended(self._document(options, space, race, choosing, final, store, machine), interrupted)
        finally:
            store.close()

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
        rules = self._race_rules
        if len(space) <= _EXHAUSTIVE:  # there is time for a second look: a first run may have been disturbed
            rules = dataclasses.replace(rules, first_margin=math.inf)
        return Race(
            case=search,
            make_arm=make_arm,
            strategy=strategies.begin(strategy_of(options, space), space, how.seed),
            executor=executor,
            journal=store,
            watcher=self._watcher,
            seed=how.seed,
            deadline_s=executor.now_s() + (1 - _CHOOSING_SHARE - _FINAL_SHARE) * how.budget_s,
            timeout_s=how.timeout_s,
            rules=rules,
            sampling=self._rules,
        )

    def _compare(
        self,
        options: Options,
        case: CaseState,
        arms: list[Arm],
        share: float,
        store: CampaignStore,
        executor: Executor,
    ) -> None:
        """Measure the default and some of the others, interleaved as a comparison is."""
        known = {arm.name for arm in case.arms}  # of an interrupted session, which may not have come to all
        case.arms += [arm for arm in arms if arm.name not in known]
        if len(case.arms) > 1:
            how = options.how
            assert how.seed is not None
            terms = Terms(
                threads=1,
                seed=how.seed,
                share_s=share * how.budget_s,
                budget=budget_text(how.budget_s),
                hang_limit_s=how.timeout_s,
                rules=dataclasses.replace(self._rules, max_blocks=how.max_pairs),
            )
            CaseRun(case, terms, executor, store, self._watcher).run()
        store.case_finished(case)

    def _document(
        self,
        options: Options,
        space: Space,
        race: Race,
        choosing: CaseState,
        final: CaseState,
        store: CampaignStore,
        machine: Machine,
    ) -> TuneDocument:
        conditions = store.conditions()
        measured = options.how.terms().measured
        head = {
            "rooftop": rooftop.__version__,
            "campaign": store.campaign.id,
            "started": store.campaign.started,
            "metric": options.how.metric_regex or options.how.metric,
            "unit": measured.metric.unit,
            "better": measured.metric.better,
            "strategy": strategy_of(options, space),
            "machine": machine.model_copy(update={"conditions": conditions[0] if conditions else {}}),
        }
        document = tune_document(head, options, space, race, choosing, final, self._rules)
        document.doubts = about_the_machine(machine, conditions, document.floor)
        return document


def strategy_of(options: Options, space: Space) -> str:
    """Give the strategy's name: in a small space nothing is gained by modelling."""
    if options.strategy != "auto":
        return options.strategy
    return "shuffled" if len(space) <= _EXHAUSTIVE else "tpe"


def _case(name: str) -> CaseState:
    return CaseState(experiment="tune", size="configurations", name=name, parameters={}, nominal=1.0, arms=[])
