"""Runs a comparison from the options to the document."""

from __future__ import annotations

import dataclasses
import secrets
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine

from rooftop.climb.request import budget_text
from rooftop.command.campaign import Bench, CommandCampaign
from rooftop.command.driver import CommandExecutor, as_module
from rooftop.compare.benchmarks import benchmarks, without_failed
from rooftop.compare.document import CompareDocument, compare_document, floor_of
from rooftop.compare.options import Options
from rooftop.executor import Executor
from rooftop.measure.arms import Arm
from rooftop.measure.case_run import CaseRun, CaseState, Terms
from rooftop.store.campaign_store import Kind
from rooftop.store.interrupted import Resume


@dataclass
class Ended:
    """A comparison that came to its end, or was interrupted: what is known is there in both cases.

    beside  what was to be kept with it
    """

    document: CompareDocument
    interrupted: bool
    beside: dict[str, Any] | None = None


class Comparing:
    """One comparison, by itself or as a part of what another command does."""

    def __init__(self, bench: Bench, kind: Kind = "compare") -> None:
        self._bench = bench
        self._kind = kind

    def compare(self, options: Options, *, resume: Resume | None = None, beside: dict[str, Any] | None = None) -> Ended:
        """Compare, or go on with one of the kind that was interrupted. Raises Misuse.

        beside  is kept with a new one, and given back when it is gone on with
        """
        if resume is None:
            options.specs()  # misuse is told before anything is written
            options.terms()
        with self._bench.held() as engine:
            return self._compare(engine, options, beside, resume)

    def _compare(self, engine: Engine, options: Options, beside: dict[str, Any] | None, resume: Resume | None) -> Ended:
        bench = self._bench
        unfinished = bench.unfinished(engine, self._kind, resume, lambda kept: _marks(Options.from_stored(kept)))
        if unfinished is not None:
            beside = unfinished.request.get("beside")
            options = dataclasses.replace(Options.from_stored(unfinished.request), budget_s=options.budget_s)
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
        request = options.stored() | {"kind": self._kind, "beside": beside}
        with bench.campaign(engine, unfinished, request, _marks(options), [case]) as campaign:
            campaign.restore(case, metric)
            interrupted = self._measure(case, options, campaign, bench.executor or CommandExecutor(specs, terms))
            for complaint in terms.complaints:
                bench.watcher.remark(complaint)
            if not metric.each:
                return Ended(self._document(case, options, campaign), interrupted, beside)
            case = without_failed(case, terms.failures)
            document = self._document(case, options, campaign)
            document.benchmarks = benchmarks(case, bench.rules, terms.failures)
            return Ended(document, interrupted, beside)

    def _measure(self, case: CaseState, options: Options, campaign: CommandCampaign, executor: Executor) -> bool:
        """Measure, and tell whether it was interrupted."""
        rules = dataclasses.replace(self._bench.rules, max_blocks=options.max_pairs)
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
            CaseRun(case, terms, executor, campaign.store, self._bench.watcher).run()
        except KeyboardInterrupt:
            return True
        campaign.store.case_finished(case)
        campaign.finish()
        return False

    def _document(self, case: CaseState, options: Options, campaign: CommandCampaign) -> CompareDocument:
        document = compare_document(case, self._bench.rules, campaign.head() | options.head())
        document.doubts = campaign.doubts(floor_of(case, self._bench.rules), case.arms)
        return document


def _marks(options: Options) -> dict[str, Any]:
    """Return what must not change between sessions. Raises Misuse."""
    options.terms()
    return {"list of commands": " ::: ".join(options.specs())}
