"""Runs a gate from the options to the document: built, looked at, and looked at again where it seems slower."""

from __future__ import annotations

import dataclasses
import math
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from rooftop.climb.request import budget_text
from rooftop.command.campaign import Bench, CommandCampaign
from rooftop.command.driver import CommandExecutor, as_module
from rooftop.command.driver import Terms as CommandTerms
from rooftop.errors import NotBuilt
from rooftop.executor import Executor
from rooftop.gate.build import Builds
from rooftop.gate.document import GateDocument, Looked, gate_document, look_of
from rooftop.gate.judge import confirming_pairs, fewest_pairs, suspected
from rooftop.gate.options import Benchmark, Options
from rooftop.measure.arms import Arm
from rooftop.measure.case_run import CaseRun, CaseState, Terms
from rooftop.measure.rules import Rules
from rooftop.store.interrupted import Resume

_FIRST_SHARE = 0.6  # of the budget is for the first looks, and what they leave for the second ones
_LEAST_HALF_WIDTH = 0.0025  # where the threshold is next to nothing

FIRST, SECOND = "first look", "confirmation"


@dataclass
class Ended:
    """A gate that came to its end, was interrupted, or could not build: what is known is there in all cases."""

    document: GateDocument
    interrupted: bool
    failure: NotBuilt | None = None


@dataclass(frozen=True)
class _Measurer:
    """What the looks at one benchmark share."""

    looked: Looked
    terms: CommandTerms
    executor: Executor


class Gating:
    """One gate."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def gate(self, options: Options, *, resume: Resume | None = None) -> Ended:
        """Judge, or go on with a gate that was interrupted. Raises Misuse."""
        if resume is None:
            options.check()  # misuse is told before anything is written
        with self._bench.held() as engine:
            return self._gate(engine, options, resume)

    def _gate(self, engine: Engine, options: Options, resume: Resume | None) -> Ended:
        bench = self._bench
        unfinished = bench.unfinished(engine, "gate", resume, lambda kept: _marks(Options.from_stored(kept)))
        if unfinished is not None:
            budget_s = options.how.budget_s
            options = Options.from_stored(unfinished.request)
            options = dataclasses.replace(options, how=dataclasses.replace(options.how, budget_s=budget_s))
        elif resume is not None:
            options.check()
        if options.how.seed is None:
            options = dataclasses.replace(options, how=dataclasses.replace(options.how, seed=secrets.randbelow(2**31)))
        looked = [Looked(one, _case(FIRST, one), _case(SECOND, one)) for one in options.benchmarks]
        cases = [*(one.first for one in looked), *(one.second for one in looked)]
        with bench.campaign(engine, unfinished, options.stored(), _marks(options), cases) as campaign:
            metrics = [one.benchmark.how.terms().measured.metric for one in looked] * 2
            restored = zip(cases, metrics, strict=True)
            finished = {case.title for case, metric in restored if campaign.restore(case, metric)}
            interrupted, failure = False, None
            try:
                self._measure(options, looked, campaign, finished)
                campaign.finish()
            except KeyboardInterrupt:
                interrupted = True
            except NotBuilt as error:
                campaign.finish()  # it would not be built the next time either
                failure = error
            told = str(failure) if failure is not None else None
            document = gate_document(campaign.head(), options, looked, bench.rules, interrupted=interrupted, error=told)
            floors = [look.floor for one in document.benchmarks if (look := one.shown) and look.floor is not None]
            document.doubts = campaign.doubts(max(floors, default=None), [arm for case in cases for arm in case.arms])
            return Ended(document, interrupted, failure)

    def _folders(self, options: Options) -> tuple[Path | None, Path | None]:
        """Return the folders in which the base's and the head's commands run. Raises NotBuilt."""
        if options.base is None or options.head is None or options.repository is None:
            return None, None
        builds = Builds(self._bench.settings.home_folder, self._bench.watcher)
        base = builds.folder(options.repository, options.base, options.build)
        head = builds.folder(options.repository, options.head, options.build)
        builds.drop_old()
        return base, head

    def _measure(
        self, options: Options, looked: Sequence[Looked], campaign: CommandCampaign, finished: set[str]
    ) -> None:
        folders = self._folders(options)
        measurers = []
        for one in looked:
            terms = one.benchmark.how.terms()
            executor = self._bench.executor or CommandExecutor(one.benchmark.specs(*folders), terms)
            measurers.append(_Measurer(one, terms, executor))
        now_s = measurers[0].executor.now_s
        began_s, budget_s = now_s(), options.how.budget_s
        todo = [each for each in measurers if each.looked.first.title not in finished]
        for place, each in enumerate(todo):
            share_s = (began_s + _FIRST_SHARE * budget_s - now_s()) / (len(todo) - place)
            rules = self._first_rules(each.looked.benchmark, len(looked), options)
            self._look(each, each.looked.first, options, share_s, rules, campaign)
        suspects = [each for each in measurers if self._suspected(each.looked)]
        todo = [each for each in suspects if each.looked.second.title not in finished]
        for place, each in enumerate(todo):
            share_s = (began_s + budget_s - now_s()) / (len(todo) - place)
            rules = self._second_rules(each.looked, len(looked), options)
            self._look(each, each.looked.second, options, share_s, rules, campaign)

    def _first_rules(self, benchmark: Benchmark, count: int, options: Options) -> Rules:
        """Return the rules of a first look: an interval that fits between no slowdown and the allowed one."""
        rules = self._bench.rules
        half_width = max(math.log1p(benchmark.threshold) / 2, _LEAST_HALF_WIDTH)
        return dataclasses.replace(
            rules,
            half_width=min(half_width, rules.half_width),
            min_pairs=fewest_pairs(count, rules),
            max_blocks=options.how.max_pairs,
        )

    def _second_rules(self, looked: Looked, count: int, options: Options) -> Rules:
        """Return the rules of a second look: a number of pairs that is fixed before the first of them."""
        rules = self._bench.rules
        first = look_of(looked.first, rules)
        taken = len(first.ratios) if first is not None else 0
        pairs = confirming_pairs(taken, count, options.how.max_pairs, rules)
        return dataclasses.replace(rules, min_pairs=pairs, max_blocks=pairs)

    def _suspected(self, looked: Looked) -> bool:
        look = look_of(looked.first, self._bench.rules)
        return look is not None and suspected(look, looked.benchmark.threshold)

    def _look(
        self,
        one: _Measurer,
        case: CaseState,
        options: Options,
        share_s: float,
        rules: Rules,
        campaign: CommandCampaign,
    ) -> None:
        how = options.how
        assert how.seed is not None
        self._bench.watcher.remark(f"{case.name}: {case.size}")
        terms = Terms(
            threads=1,
            seed=how.seed,
            share_s=max(share_s, 0.0),
            budget=budget_text(how.budget_s),
            hang_limit_s=one.looked.benchmark.how.timeout_s,
            rules=rules,
        )
        CaseRun(case, terms, one.executor, campaign.store, self._bench.watcher).run()
        campaign.store.case_finished(case)
        for complaint in one.terms.complaints:
            self._bench.watcher.remark(complaint)
        one.terms.complaints.clear()


def _marks(options: Options) -> dict[str, Any]:
    """Return what must not change between sessions. Raises Misuse."""
    options.check()
    return {
        "list of benchmarks": " ::: ".join(one.name for one in options.benchmarks),
        "base": options.base.commit if options.base is not None else None,
        "head": options.head.commit if options.head is not None else None,
    }


def _case(look: str, benchmark: Benchmark) -> CaseState:
    """Return a look at a benchmark. What a history needs of it goes with it."""
    metric = benchmark.how.terms().measured.metric
    specs = benchmark.specs(None, None)
    return CaseState(
        experiment="gate",
        size=look,
        name=benchmark.name,
        parameters=benchmark.how.head() | {"figure": metric.figure},
        nominal=1.0,
        arms=[Arm(as_module(name, spec), "command", metric=metric) for name, spec in specs.items()],
    )
