"""Run a scaling campaign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rooftop.campaign.bench import Bench
from rooftop.campaign.kind import Course, Kind, page_writer
from rooftop.campaign.session import CampaignSession
from rooftop.command.driver import CommandExecutor, as_module
from rooftop.command.driver import Terms as CommandTerms
from rooftop.command.environment import own_environment
from rooftop.command.identity import meaning
from rooftop.command.request import reproduce
from rooftop.command.spec import Spec
from rooftop.driver.executor import Executor
from rooftop.measure.arms import Arm
from rooftop.measure.case_state import CaseState
from rooftop.observe import mpi_times
from rooftop.scale.document import Growing, ScaleDocument, scale_document
from rooftop.scale.laws import Mode
from rooftop.scale.options import Options
from rooftop.scale.traced import CommandTracer, Tracer, scratch, trace

_TRACED_SHARE = 0.15  # of the budget is for the factors of MPI programs


@dataclass(frozen=True)
class _Way:
    """Strong or weak scaling with its commands, ready to be measured."""

    growing: Growing
    specs: Mapping[str, Spec]
    terms: CommandTerms


def _way(options: Options, mode: Mode) -> _Way:
    """Return strong or weak scaling with its arms, the base first. Raises Misuse."""
    points, terms = options.points(mode), options.terms(mode)
    metric = terms.measured.metric
    specs = {options.serial_name(): options.serial_spec(points[0])} if options.serial is not None else {}
    specs |= {point.name: options.spec(point) for point in points}
    arms = [Arm(as_module(name, spec), "point", metric=metric) for name, spec in specs.items()]
    traced = [Arm(as_module(point.name, specs[point.name]), "point") for point in points if point.ranks]
    growing = Growing(mode, _case(mode, arms), _case(f"{mode} traced", traced))
    return _Way(growing, specs, terms)


class _Curves(Course[ScaleDocument]):
    """The curves of a campaign, first timed, then traced."""

    def __init__(self, bench: Bench, options: Options, new: bool, tracer: Tracer | None) -> None:
        for remark in options.remarks() if new else ():
            bench.watcher.remark(remark)
        self._bench, self._options, self._tracer = bench, options, tracer
        self._ways = [_way(options, mode) for mode in options.modes]
        self._no_factors = self._reason_for_no_factors()
        self._finished: dict[str, bool] = {}

    @property
    def cases(self) -> Sequence[CaseState]:
        return [case for way in self._ways for case in (way.growing.timed, way.growing.traced)]

    @property
    def marks(self) -> Mapping[str, Any]:
        points = sum(len(way.growing.timed.arms) for way in self._ways)
        specs = [spec for way in self._ways for spec in way.specs.values()]
        return {"command": " ".join(self._options.words), "number of points": points} | meaning(specs)

    @property
    def terms(self) -> Sequence[CommandTerms]:
        return [way.terms for way in self._ways]

    def restore(self, session: CampaignSession) -> None:
        metric = self._ways[0].terms.measured.metric
        self._finished = {case.name: session.restore(case, metric) for case in self.cases}

    def measure(self, session: CampaignSession) -> None:
        if "weak" in self._options.modes and self._options.how.same_output is not None:
            self._bench.watcher.remark("--expect-same-output is ignored for weak scaling, whose problems differ")
        for way in self._ways:
            if not self._finished[way.growing.timed.name]:
                self._time(way, session)
        for way in self._ways:
            if self._no_factors is None and not self._finished[way.growing.traced.name]:
                self._trace(way, session)

    def document(self, session: CampaignSession, *, interrupted: bool) -> ScaleDocument:
        growing, options = [way.growing for way in self._ways], self._options
        head = session.head() | options.how.head()
        document = scale_document(head, options, growing, self._no_factors, self._bench.rules)
        document.reproduce = reproduce("scale", options, [(options.words, options.words[-1])])
        floors = [curve.floor for curve in document.curves if curve.floor is not None]
        arms = [arm for way in self._ways for arm in way.growing.timed.arms]
        document.doubts = session.doubts(max(floors, default=None), arms)
        return document

    def _time(self, way: _Way, session: CampaignSession) -> None:
        traced = bool(self._options.ranks) and self._options.factors
        share_s = self._options.how.budget_s * (1 - _TRACED_SHARE if traced else 1.0) / len(self._ways)
        executor = self._bench.executor or CommandExecutor(way.specs, way.terms)
        session.measure(way.growing.timed, executor, share_s)

    # --- the factors of MPI programs -------------------------------------------------------------------------------

    def _reason_for_no_factors(self) -> str | None:
        """Return the reason why POP factors are not measured, or None."""
        options = self._options
        if options.rung() is not None:
            return "they are available for commands; 'rooftop climb' shows what the ranks of a rung do"
        if not options.ranks or options.launcher is None:
            return "they are available for programs started on ranks"
        if not options.factors:
            return "--no-factors was given"
        return (
            None if self._tracer is not None else mpi_times.missing(self._bench.settings.build_folder, options.launcher)
        )

    def _trace(self, way: _Way, session: CampaignSession) -> None:
        """Time the MPI calls of the points that ran correctly."""
        case, how = way.growing.traced, self._options.how
        right = {arm.name for arm in way.growing.timed.arms if arm.outcome == "ok" and arm.samples}
        for arm in case.arms:
            if arm.name not in right:
                arm.outcome, arm.reason = "skipped", "its point was not timed"
        with ExitStack() as stack:
            folder = Path(stack.enter_context(scratch()))
            executor: Executor = self._bench.executor or CommandExecutor(way.specs, way.terms)
            assert how.seed is not None
            trace(
                case,
                self._tracer or self._command_tracer(way, folder),
                session.store,
                self._bench.watcher,
                seed=how.seed,
                expected_s={arm.name: arm.run_s for arm in way.growing.timed.arms},
                limit_s=how.timeout_s,
                now_s=executor.now_s,
                deadline_s=executor.now_s() + _TRACED_SHARE * how.budget_s / len(self._ways),
            )
        session.store.case_finished(case)

    def _command_tracer(self, way: _Way, folder: Path) -> Tracer:
        options = self._options
        assert options.launcher is not None
        library = mpi_times.library(self._bench.settings.build_folder, options.launcher)
        more = mpi_times.variables(library, folder / "times", own_environment())
        points = options.points(way.growing.mode)
        specs = {point.name: options.spec(point, more) for point in points}
        ranks = {point.name: point.ranks or 1 for point in points}
        return CommandTracer(specs, ranks, way.terms, folder / "times")


def _prepared(options: Options) -> Options:
    """Return them with this machine's launcher where one is needed. Raises Misuse."""
    prepared = options.prepared()
    for mode in prepared.modes:
        _way(prepared, mode)
    return prepared


def kind(tracer: Tracer | None = None) -> Kind[Options, ScaleDocument]:
    """Return the kind of campaign. `tracer`: gives the ranks' times instead of the programs."""

    def course(bench: Bench, options: Options, new: bool) -> Course[ScaleDocument]:
        return _Curves(bench, options, new, tracer)

    return Kind("scale", Options.from_stored, _prepared, course, page_writer("scale"))


KIND = kind()


def _case(name: str, arms: list[Arm]) -> CaseState:
    return CaseState(experiment="scale", size="points", name=name, parameters={}, nominal=1.0, arms=arms)
