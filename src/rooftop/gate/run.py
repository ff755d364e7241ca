"""Run a gate: build both revisions, measure all benchmarks, and measure those that look slower again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rooftop.campaign.bench import Bench
from rooftop.campaign.kind import Course, Kind, page_writer
from rooftop.campaign.session import CampaignSession
from rooftop.command.driver import CommandExecutor, as_module
from rooftop.command.driver import Terms as CommandTerms
from rooftop.command.identity import meaning
from rooftop.driver.executor import Executor
from rooftop.errors import NotBuilt
from rooftop.gate.build import Builds
from rooftop.gate.document import GateDocument, Looked, gate_document, look_of
from rooftop.gate.judge import LEAST_FINE, first_rules, p_faster, second_rules, suspected
from rooftop.gate.options import Benchmark, Options
from rooftop.measure.arms import Arm
from rooftop.measure.case_state import CaseState
from rooftop.measure.compare import LEVEL
from rooftop.measure.rules import Rules
from rooftop.store.protocol import Store

_FIRST_SHARE = 0.6  # of the budget is for the first looks, and what they leave for the second ones

FIRST, SECOND = "first look", "confirmation"


@dataclass(frozen=True)
class _Measurer:
    """A benchmark with the terms and executor of its looks."""

    looked: Looked
    terms: CommandTerms
    executor: Executor


class _Looks(Course[GateDocument]):
    """Measurements of all benchmarks: a first look at each, and a second at those that look slower."""

    def __init__(self, bench: Bench, options: Options, _new: bool) -> None:
        self._bench, self._options = bench, options
        self._looked = [Looked(one, _case(FIRST, one), _case(SECOND, one)) for one in options.benchmarks]
        self._finished: set[str] = set()
        self._failure: NotBuilt | None = None

    @property
    def cases(self) -> Sequence[CaseState]:
        return [*(one.first for one in self._looked), *(one.second for one in self._looked)]

    @property
    def marks(self) -> Mapping[str, Any]:
        options = self._options
        specs = [spec for one in options.benchmarks for spec in one.specs(None, None).values()]
        return {
            "list of benchmarks": " ::: ".join(one.name for one in options.benchmarks),
            "base": options.base.commit if options.base is not None else None,
            "head": options.head.commit if options.head is not None else None,
        } | meaning(specs, options.build)

    def restore(self, session: CampaignSession) -> None:
        metrics = [one.benchmark.how.terms().measured.metric for one in self._looked] * 2
        restored = zip(self.cases, metrics, strict=True)
        self._finished = {case.title for case, metric in restored if session.restore(case, metric)}

    def measure(self, session: CampaignSession) -> None:
        try:
            folders = self._folders(self._options)
        except NotBuilt as error:
            self._failure = error  # it would not be built the next time either
            return
        self._look_at_all(session, folders)

    def document(self, session: CampaignSession, *, interrupted: bool) -> GateDocument:
        told = str(self._failure) if self._failure is not None else None
        document = gate_document(
            session.head(), self._options, self._looked, self._bench.rules, interrupted=interrupted, error=told
        )
        floors = [look.floor for one in document.benchmarks if (look := one.shown) and look.floor is not None]
        arms = [arm for case in self.cases for arm in case.arms]
        compared = [one.benchmark.arm_names for one in self._looked]
        document.doubts = session.doubts(max(floors, default=None), arms, compared)
        return document

    def finished(self, store: Store, campaign: str) -> None:
        from rooftop.gate.history import keep_found

        keep_found(store, campaign)

    def _folders(self, options: Options) -> tuple[Path | None, Path | None]:
        """Return the folders in which the base's and the head's commands run. Raises NotBuilt."""
        if options.base is None or options.head is None or options.repository is None:
            return None, None
        builds = Builds(self._bench.settings.home_folder, self._bench.watcher)
        base = builds.folder(options.repository, options.base, options.build)
        head = builds.folder(options.repository, options.head, options.build)
        builds.drop_old()
        return base, head

    def _look_at_all(self, session: CampaignSession, folders: tuple[Path | None, Path | None]) -> None:
        options, looked, finished = self._options, self._looked, self._finished
        measurers = []
        for one in looked:
            terms = one.benchmark.how.terms()
            terms.files = session.files
            executor = self._bench.executor or CommandExecutor(one.benchmark.specs(*folders), terms)
            measurers.append(_Measurer(one, terms, executor))
        now_s = measurers[0].executor.now_s
        began_s, budget_s = now_s(), options.how.budget_s
        todo = [each for each in measurers if each.looked.first.title not in finished]
        for place, each in enumerate(todo):
            share_s = (began_s + _FIRST_SHARE * budget_s - now_s()) / (len(todo) - place)
            self._look(each, each.looked.first, share_s, self._first_rules(each), session)
        self._confirm(measurers, began_s + budget_s, session)
        # What the second looks have left is for those that look the same in too few pairs to call them fine.
        few = [each for each in measurers if self._missing_s(each.looked) > 0]
        for place, each in enumerate(few):
            share_s = (began_s + budget_s - now_s()) / (len(few) - place)
            if share_s >= self._missing_s(each.looked):
                self._look(each, each.looked.first, share_s, self._first_rules(each), session)
        self._confirm(few, began_s + budget_s, session)

    def _confirm(self, measurers: Sequence[_Measurer], end_s: float, session: CampaignSession) -> None:
        """Measure the suspects again, with a number of pairs fixed in advance."""
        finished = self._finished
        suspects = [each for each in measurers if self._suspected(each.looked)]
        todo = [each for each in suspects if each.looked.second.title not in finished]
        for place, each in enumerate(todo):
            share_s = (end_s - each.executor.now_s()) / (len(todo) - place)
            first = look_of(each.looked.first, self._bench.rules)
            taken = len(first.pairs) if first is not None else 0
            rules = second_rules(taken, len(self._looked), self._options.how.max_pairs, self._bench.rules)
            self._look(each, each.looked.second, share_s, rules, session)

    def _first_rules(self, one: _Measurer) -> Rules:
        most = self._options.how.max_pairs
        return first_rules(one.looked.benchmark.threshold, len(self._looked), most, self._bench.rules)

    def _missing_s(self, looked: Looked) -> float:
        """Return what the pairs cost that a first look lacks to be called fine; 0 where that is not all it lacks."""
        look, case, threshold = look_of(looked.first, self._bench.rules), looked.first, looked.benchmark.threshold
        if look is None or case.stopped != "budget" or suspected(look, threshold):
            return 0.0
        if p_faster(look, threshold) <= LEVEL or len(look.pairs) >= LEAST_FINE:
            return 0.0
        missing = max(LEAST_FINE - len(look.pairs), self._bench.rules.min_pairs)
        return missing * sum(arm.cost_s(arm.iterations) for arm in case.arms)

    def _suspected(self, looked: Looked) -> bool:
        look = look_of(looked.first, self._bench.rules)
        return look is not None and suspected(look, looked.benchmark.threshold)

    def _look(
        self,
        one: _Measurer,
        case: CaseState,
        share_s: float,
        rules: Rules,
        session: CampaignSession,
    ) -> None:
        self._bench.watcher.remark(f"{case.name}: {case.size}")
        timeout_s = one.looked.benchmark.how.timeout_s
        session.measure(case, one.executor, max(share_s, 0.0), rules, timeout_s)
        session.pass_on(one.terms)


KIND = Kind("gate", Options.from_stored, Options.prepared, _Looks, page_writer("gate"))


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
