"""Run a tuning: search in a race, then confirm the best in a separate comparison."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rooftop.campaign.bench import Bench
from rooftop.campaign.kind import Course, Kind, page_writer
from rooftop.campaign.session import CampaignSession
from rooftop.command.build import Builds
from rooftop.command.driver import CommandExecutor, Terms, as_module
from rooftop.command.identity import meaning
from rooftop.command.request import reproduce
from rooftop.measure.arms import Arm
from rooftop.measure.case_state import CaseState
from rooftop.parameters.space import Configuration, Space, label
from rooftop.settings import Settings
from rooftop.tune import strategies
from rooftop.tune.budget import Part, Shares, runs_of
from rooftop.tune.document import TuneDocument, confirmed, ranked, tune_document
from rooftop.tune.gains import changes, to_measure
from rooftop.tune.options import Options
from rooftop.tune.race import Race, RaceRules

_FINALISTS = 8  # in addition to the default
_EXHAUSTIVE = 32  # spaces of at most this size are tried in random order, without a model


class _Search(Course[TuneDocument]):
    """A race for the best configurations, a comparison to choose one, a final comparison, and the gains."""

    def __init__(self, bench: Bench, options: Options, new: bool) -> None:
        for remark in options.remarks() if new else ():
            bench.watcher.remark(remark)
        self._bench, self._options = bench, options
        self._space, self._terms = options.space(), options.how.terms()
        self._builds = _builds(bench.settings)
        if new:
            self._builds.clear()
        specs = {label(one): options.spec(self._space, one, self._builds) for one in self._space.configurations}
        self._specs, self._labels = specs, list(specs)
        self._places = {name: place for place, name in enumerate(self._labels)}
        self._default = options.default_place(self._space)
        self._executor = bench.executor or CommandExecutor(specs, self._terms)
        self._began_s = self._executor.now_s()
        self._metric = self._terms.measured.metric
        self._searching, self._choosing, self._final, self._gains = (
            _case(name) for name in ("search", "choosing", "final", "gains")
        )
        self._finished: list[bool] = []
        self._race: Race | None = None

    @property
    def cases(self) -> Sequence[CaseState]:
        return [self._searching, self._choosing, self._final, self._gains]

    @property
    def marks(self) -> Mapping[str, Any]:
        return {
            "command": " ".join(self._options.words),
            "build": self._options.build or "",
            "number of configurations": len(self._space),
        } | meaning(self._specs.values(), self._options.build)

    @property
    def terms(self) -> Sequence[Terms]:
        return [self._terms]

    @property
    def race(self) -> Race:
        """The race, available after `restore`."""
        assert self._race is not None
        return self._race

    def restore(self, session: CampaignSession) -> None:
        for case in self.cases:
            case.arms = [self._arm(self._places[name]) for name in session.store.arm_names(case)]
        self._finished = [session.restore(case, self._metric) for case in self.cases]
        self._race = self._make_race(session)
        self.race.places = {arm.name: self._places[arm.name] for arm in self._searching.arms}
        if session.reading:
            self.race.recall()

    def measure(self, session: CampaignSession) -> None:
        for missing in self._options.missing_allocators().values():
            self._bench.watcher.remark(missing)
        searched, chosen, compared, parted = self._finished
        race, default = self.race, self._default
        if searched:
            race.recall()
        else:
            race.run(self._options.start_places(self._space))
            session.store.case_finished(self._searching)
        if not chosen:
            ranking = [race.places[arm.name] for arm in race.ranking()]
            others = [place for place in ranking if place != default][:_FINALISTS]
            # A default that is far behind is not a candidate, and its runs would take the time of several.
            behind = self._default_failed or race.left_behind(self._labels[default])
            candidates = others if behind else [default, *others]
            arms = self._affordable(self._shares().choosing, candidates)
            if sum(place != default for place in arms) < 2:
                arms = []  # nothing to choose from
            self._compare(session, self._choosing, arms, self._shares().choosing)
        if not compared:
            others = [self._places[name] for name in ranked(self._choosing, race)]
            others = [place for place in others if place != default][:2]
            part = self._shares(len(self._between(others))).final
            if self._default_failed:  # compare the best with the runner-up only
                arms = [*reversed(self._affordable(part, others))]
            else:
                arms = self._affordable(part, [default, *others])
                arms = [default, *reversed(arms[1:] or others[:1])]
            self._compare(session, self._final, arms, part)
        if not parted:
            between = self._parts()
            self._compare(session, self._gains, between, self._shares(max(0, len(between) - 2)).gains)

    def document(self, session: CampaignSession, *, interrupted: bool) -> TuneDocument:
        options, space = self._options, self._space
        head = session.head() | options.how.head() | {"strategy": strategy_of(options, space)}
        document = tune_document(
            head,
            options,
            space,
            self._builds,
            self.race,
            self._choosing,
            self._final,
            self._gains,
            self._bench.rules,
        )
        document.reproduce = reproduce("tune", options, [(options.words, options.words[-1])])
        document.doubts = session.doubts(document.floor, [arm for case in self.cases for arm in case.arms])
        return document

    @property
    def _default_failed(self) -> bool:
        """Whether the default was tried and is not usable."""
        name = self._labels[self._default]
        return any(arm.name == name and arm.outcome not in (None, "ok") for arm in self._searching.arms)

    def _arm(self, place: int) -> Arm:
        name = self._labels[place]
        return Arm(as_module(name, self._specs[name]), "command", metric=self._metric)

    def _shares(self, between: int = 0) -> Shares:
        run_s = {arm.name: arm.run_s for arm in self._searching.arms}
        best_s = self.race.best.run_s if self.race.best is not None else 0.0
        default_s = run_s.get(self._labels[self._default], 0.0)
        return Shares.of(self._options.how.budget_s, self._bench.rules, default_s, best_s, between)

    def _affordable(self, part: Part, places: list[int]) -> list[int]:
        """Return the first configurations, as many as can get their minimum of pairs in a part of the budget."""
        run_s = {self._places[arm.name]: arm.run_s for arm in self._searching.arms}
        runs = runs_of(self._bench.rules)
        # Reserve time for the twin of the fastest.
        left_s = part.share_s - runs * min((run_s.get(place, 0.0) for place in places), default=0.0)
        found = []
        for place in places:
            left_s -= runs * run_s.get(place, 0.0)
            if left_s < 0:
                break
            found.append(place)
        return found

    def _parts(self) -> list[int]:
        """Return the configurations that show each parameter's gain: the default, the best, and those between."""
        names = ranked(self._choosing, self.race)
        if not names or not confirmed(self._final, names[0], self._labels[self._default], self._bench.rules):
            return []
        best = self._places[names[0]]
        between = [self._places[label(one)] for one in self._between([best])]
        return [self._default, best, *between] if between else []

    def _between(self, best: Sequence[int]) -> list[Configuration]:
        """Return the configurations between the default and the first of `best`; empty if `best` is."""
        if not best:
            return []
        configurations = self._space.configurations
        return to_measure(changes(self._space, configurations[self._default], configurations[best[0]]))

    def _make_race(self, session: CampaignSession) -> Race:
        how, space, began_s = self._options.how, self._space, self._executor.now_s()
        assert how.seed is not None
        rules = RaceRules()
        if len(space) <= _EXHAUSTIVE:  # race all, since a first run may have been disturbed
            rules = dataclasses.replace(rules, first_margin=math.inf)
        return Race(
            case=self._searching,
            make_arm=self._arm,
            strategy=strategies.begin(strategy_of(self._options, space), space, how.seed),
            executor=self._executor,
            journal=session.store,
            watcher=self._bench.watcher,
            seed=how.seed,
            deadline=lambda *runs_s: began_s + Shares.of(how.budget_s, self._bench.rules, *runs_s).race.end_s,
            timeout_s=how.timeout_s,
            # In a small space, all configurations are tried before any is repeated.
            trying_until=began_s + how.budget_s if len(space) <= rules.opening else -math.inf,
            most_tried=self._options.n_trials,
            rules=rules,
            sampling=self._bench.rules,
        )

    def _compare(self, session: CampaignSession, case: CaseState, places: list[int], part: Part) -> None:
        """Measure some configurations interleaved, as in a comparison."""
        arms = [self._arm(place) for place in places]
        known = {arm.name for arm in case.arms}  # from an interrupted session, which may lack some
        case.arms += [arm for arm in arms if arm.name not in known]
        if len(case.arms) > 1:
            used_s = self._executor.now_s() - self._began_s
            session.measure(case, self._executor, max(part.share_s, part.end_s - used_s))
        else:
            session.store.case_finished(case)


def _builds(settings: Settings) -> Builds:
    home = settings.home_folder
    return Builds(home / "builds" / "tune", Path.cwd(), home)


def strategy_of(options: Options, space: Space) -> str:
    """Return the name of the strategy; "auto" means "shuffled" in a small space, where a model gains nothing."""
    if options.strategy != "auto":
        return options.strategy
    return "shuffled" if len(space) <= _EXHAUSTIVE else "tpe"


def _case(name: str) -> CaseState:
    return CaseState(experiment="tune", size="configurations", name=name, parameters={}, nominal=1.0, arms=[])


def _prepared(options: Options) -> Options:
    """Return the options completed for this machine. Raises Misuse if they cannot be measured."""
    options, builds = options.prepared(), _builds(Settings())
    space = options.space()
    options.default_place(space)
    options.spec(space, space.configurations[0], builds)
    if options.build is not None:
        builds.check(options.build)
    options.how.terms()
    if options.strategy != "auto":
        strategies.begin(options.strategy, space, 0)
    return options


KIND = Kind("tune", Options.from_stored, _prepared, _Search, page_writer("tune"))
