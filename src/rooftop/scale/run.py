"""Runs a scaling campaign from the options to the document."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from rooftop.command.campaign import Bench, CommandCampaign, Ended, Form
from rooftop.command.driver import CommandExecutor, Spec, as_module
from rooftop.command.driver import Terms as CommandTerms
from rooftop.executor import Executor
from rooftop.measure.arms import Arm
from rooftop.measure.case_run import CaseState
from rooftop.scale.document import Growing, ScaleDocument, scale_document
from rooftop.scale.laws import Mode
from rooftop.scale.options import Options
from rooftop.scale.traced import CommandTracer, Tracer, library, missing, scratch, variables
from rooftop.scale.tracing import trace
from rooftop.store.interrupted import Resume

_TRACED_SHARE = 0.15  # of the budget is for the factors of MPI programs


@dataclass(frozen=True)
class _Way:
    """One way of growing, ready to be measured."""

    growing: Growing
    specs: Mapping[str, Spec]
    terms: CommandTerms


class Scaling:
    """One campaign. `tracer` gives the ranks' times in tests; None: the programs are run."""

    def __init__(self, bench: Bench, tracer: Tracer | None = None) -> None:
        self._bench = bench
        self._tracer = tracer

    def scale(self, options: Options, *, resume: Resume | None = None) -> Ended[ScaleDocument]:
        """Measure, or go on with a campaign that was interrupted. Raises Misuse."""
        if resume is None:
            options = options.prepared()  # misuse is told before anything is written
            for mode in options.modes:
                self._way(options, mode)
            for remark in options.remarks():
                self._bench.watcher.remark(remark)
        with self._bench.held() as engine:
            return self._scale(engine, options, resume)

    def _scale(self, engine: Engine, options: Options, resume: Resume | None) -> Ended[ScaleDocument]:
        bench, form = self._bench, Form("scale", Options.from_stored, self._marks, Options.prepared)
        options, unfinished = bench.begin(engine, form, options, resume)
        ways = [self._way(options, mode) for mode in options.modes]
        no_factors = self._no_factors(options)
        cases = [case for way in ways for case in (way.growing.timed, way.growing.traced)]
        if "weak" in options.modes and options.how.same_output is not None:
            bench.watcher.remark("--expect-same-output is not asked of weak scaling, whose problems differ")
        with bench.campaign(engine, form, options, unfinished, cases) as campaign:
            metric = ways[0].terms.measured.metric
            interrupted = False
            try:
                finished = {case.name: campaign.restore(case, metric) for case in cases}
                for way in ways:
                    if not finished[way.growing.timed.name]:
                        self._measure(way, options, len(ways), campaign)
                for way in ways:
                    if no_factors is None and not finished[way.growing.traced.name]:
                        self._trace(way, options, len(ways), campaign)
                campaign.finish()
            except KeyboardInterrupt:
                interrupted = True
            for way in ways:
                campaign.pass_on(way.terms)
            growing = [way.growing for way in ways]
            document = scale_document(campaign.head() | options.how.head(), options, growing, no_factors, bench.rules)
            floors = [curve.floor for curve in document.curves if curve.floor is not None]
            document.doubts = campaign.doubts(
                max(floors, default=None), [arm for way in ways for arm in way.growing.timed.arms]
            )
            return Ended(document, interrupted)

    def _marks(self, options: Options) -> dict[str, Any]:
        """Return what must not change between sessions. Raises Misuse."""
        points = sum(len(self._way(options, mode).growing.timed.arms) for mode in options.modes)
        return {"command": " ".join(options.words), "number of points": points}

    def _way(self, options: Options, mode: Mode) -> _Way:
        """Return one way of growing with its arms, the base first. Raises Misuse."""
        points, terms = options.points(mode), options.terms(mode)
        metric = terms.measured.metric
        specs = {options.serial_name(): options.serial_spec(points[0])} if options.serial is not None else {}
        specs |= {point.name: options.spec(point) for point in points}
        arms = [Arm(as_module(name, spec), "point", metric=metric) for name, spec in specs.items()]
        traced = [Arm(as_module(point.name, specs[point.name]), "point") for point in points if point.ranks]
        growing = Growing(mode, _case(mode, arms), _case(f"{mode} traced", traced))
        return _Way(growing, specs, terms)

    def _measure(self, way: _Way, options: Options, ways: int, campaign: CommandCampaign) -> None:
        traced = bool(options.ranks) and options.factors
        share_s = options.how.budget_s * (1 - _TRACED_SHARE if traced else 1.0) / ways
        executor = self._bench.executor or CommandExecutor(way.specs, way.terms)
        campaign.measure(way.growing.timed, executor, share_s)

    # --- the factors of MPI programs -------------------------------------------------------------------------------

    def _no_factors(self, options: Options) -> str | None:
        """Return the reason not to take them; None where they are taken."""
        if not options.ranks or options.launcher is None:
            return "they are for programs that are started on ranks"
        if not options.factors:
            return "they were not asked for"
        return None if self._tracer is not None else missing(self._bench.settings.build_folder, options.launcher)

    def _trace(self, way: _Way, options: Options, ways: int, campaign: CommandCampaign) -> None:
        """Take the times of the points that are right."""
        case = way.growing.traced
        right = {arm.name for arm in way.growing.timed.arms if arm.outcome == "ok" and arm.samples}
        for arm in case.arms:
            if arm.name not in right:
                arm.outcome, arm.reason = "skipped", "its point has no time"
        with ExitStack() as stack:
            folder = Path(stack.enter_context(scratch()))
            executor: Executor = self._bench.executor or CommandExecutor(way.specs, way.terms)
            share_s = _TRACED_SHARE * options.how.budget_s / ways
            assert options.how.seed is not None
            trace(
                case,
                self._tracer or self._command_tracer(way, options, folder),
                campaign.store,
                self._bench.watcher,
                seed=options.how.seed,
                expected_s={arm.name: arm.run_s for arm in way.growing.timed.arms},
                limit_s=options.how.timeout_s,
                now_s=executor.now_s,
                deadline_s=executor.now_s() + share_s,
            )
        campaign.store.case_finished(case)

    def _command_tracer(self, way: _Way, options: Options, folder: Path) -> Tracer:
        assert options.launcher is not None
        more = variables(library(self._bench.settings.build_folder, options.launcher), folder / "times")
        points = options.points(way.growing.mode)
        specs = {point.name: options.spec(point, more) for point in points}
        ranks = {point.name: point.ranks or 1 for point in points}
        return CommandTracer(specs, ranks, way.terms, folder / "times")


def _case(name: str, arms: list[Arm]) -> CaseState:
    return CaseState(experiment="scale", size="points", name=name, parameters={}, nominal=1.0, arms=arms)
