"""Runs a comparison from the options to the document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine

from rooftop.command.campaign import Bench, CommandCampaign, Form
from rooftop.command.campaign import Ended as EndedCampaign
from rooftop.command.driver import CommandExecutor, as_module
from rooftop.compare.benchmarks import benchmarks, without_failed
from rooftop.compare.document import CompareDocument, compare_document, floor_of
from rooftop.compare.options import Options
from rooftop.measure.arms import Arm
from rooftop.measure.case_run import CaseState
from rooftop.store.campaign_store import Kind
from rooftop.store.interrupted import Resume


@dataclass
class Ended(EndedCampaign[CompareDocument]):
    """A comparison that has ended; `beside`: what was kept with it."""

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
            options = _prepared(options)  # misuse is told before anything is written
        with self._bench.held() as engine:
            return self._compare(engine, options, beside, resume)

    def _compare(self, engine: Engine, options: Options, beside: dict[str, Any] | None, resume: Resume | None) -> Ended:
        bench, form = self._bench, Form(self._kind, Options.from_stored, _marks, _prepared)
        options, unfinished = bench.begin(engine, form, options, resume)
        if unfinished is not None:
            beside = unfinished.request.get("beside")
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
        with bench.campaign(engine, form, options, unfinished, [case], {"beside": beside}) as campaign:
            campaign.restore(case, metric)
            interrupted = False
            try:
                campaign.measure(case, bench.executor or CommandExecutor(specs, terms))
                campaign.finish()
            except KeyboardInterrupt:
                interrupted = True
            campaign.pass_on(terms)
            if not metric.each:
                return Ended(self._document(case, options, campaign), interrupted, beside)
            case = without_failed(case, terms.failures)
            document = self._document(case, options, campaign)
            document.benchmarks = benchmarks(case, bench.rules, terms.failures)
            return Ended(document, interrupted, beside)

    def _document(self, case: CaseState, options: Options, campaign: CommandCampaign) -> CompareDocument:
        document = compare_document(case, self._bench.rules, campaign.head() | options.head())
        document.doubts = campaign.doubts(floor_of(case, self._bench.rules), case.arms)
        return document


def _marks(options: Options) -> dict[str, Any]:
    """Return what must not change between sessions. Raises Misuse."""
    options.terms()
    return {"list of commands": " ::: ".join(options.specs())}


def _prepared(options: Options) -> Options:
    """Return them where they can be measured. Raises Misuse."""
    options.specs()
    options.terms()
    return options
