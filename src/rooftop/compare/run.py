"""Run a comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rooftop.campaign.bench import Bench
from rooftop.campaign.kind import Course, Kind, page_writer
from rooftop.campaign.run import Ended, run_campaign
from rooftop.campaign.session import CampaignSession
from rooftop.command.driver import CommandExecutor, Terms, as_module
from rooftop.command.identity import meaning
from rooftop.command.request import reproduce
from rooftop.compare.benchmarks import benchmarks, without_failed
from rooftop.compare.document import CompareDocument, compare_document, floor_of
from rooftop.compare.options import Options
from rooftop.measure.arms import Arm
from rooftop.measure.case_state import CaseState
from rooftop.store.interrupted import Resume


class Comparison(Course[Any]):
    """The course of one comparison."""

    def __init__(self, bench: Bench, options: Options, _new: bool) -> None:
        self._bench, self._options = bench, options
        self._specs, self._terms = options.specs(), options.terms()
        self._metric = self._terms.measured.metric
        self._case = CaseState(
            experiment="compare",
            size="commands",
            name="commands",
            parameters={},
            nominal=1.0,
            arms=[Arm(as_module(name, spec), "command", metric=self._metric) for name, spec in self._specs.items()],
            base=next(iter(self._specs)) if options.base_only else None,
        )

    @property
    def cases(self) -> Sequence[CaseState]:
        return [self._case]

    @property
    def marks(self) -> Mapping[str, Any]:
        return {"list of commands": " ::: ".join(self._specs)} | meaning(self._specs.values())

    @property
    def terms(self) -> Sequence[Terms]:
        return [self._terms]

    def restore(self, session: CampaignSession) -> None:
        session.restore(self._case, self._metric)

    def measure(self, session: CampaignSession) -> None:
        session.measure(self._case, self._bench.executor or CommandExecutor(self._specs, self._terms))

    @property
    def judged(self) -> CaseState:
        """What verdicts are given on."""
        return without_failed(self._case, self._terms.failures) if self._metric.each else self._case

    def document(self, session: CampaignSession, *, interrupted: bool) -> Any:
        rules, each = self._bench.rules, self._metric.each
        case = self.judged
        document = compare_document(case, rules, session.head() | self._options.head())
        document.doubts = session.doubts(floor_of(case, rules), case.arms)
        if not (self._options.values or self._options.environments):  # a line of its own has neither
            document.reproduce = reproduce(
                "compare", self._options, [(words, words[-1]) for words, _ in self._options.commands]
            )
        if each:
            document.benchmarks = benchmarks(case, rules, self._terms.failures)
        if rungs := {name: spec.rung for name, spec in self._specs.items() if spec.rung is not None}:
            from rooftop.compare.benchmarks import add_rungs

            add_rungs(document, case, rungs, session.known_roofs(), rules)
        return document


def prepared(options: Options) -> Options:
    """Return them where they can be measured. Raises Misuse."""
    options.specs()
    options.terms()
    return options


KIND = Kind("compare", Options.from_stored, prepared, Comparison, page_writer("compare"))


class Comparing:
    """One comparison, by itself or as a part of what another command does."""

    def __init__(self, bench: Bench, kind: str = "compare") -> None:
        self._bench = bench
        self._kind = replace(KIND, name=kind)

    def compare(
        self, options: Options, *, resume: Resume | None = None, beside: Mapping[str, Any] | None = None
    ) -> Ended[CompareDocument]:
        """Compare, or go on with a comparison that was interrupted: see `run_campaign`."""
        return run_campaign(self._bench, self._kind, options, resume=resume, beside=beside)
