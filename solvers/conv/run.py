"""Times every layer of a list, with and without the filter transform, in pairs: one layer is one case."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import cache, partial
from math import isfinite
from pathlib import Path
from statistics import fmean
from typing import Any

from rooftop.campaign.bench import Bench
from rooftop.campaign.kind import Course, Kind, page_writer
from rooftop.campaign.session import CampaignSession
from rooftop.driver.calls import Call, CallExecutor, call_module
from rooftop.measure.arms import Arm
from rooftop.measure.assemble import campaign_floor, case_floor
from rooftop.measure.case_state import CaseState
from rooftop.measure.compare import comparison, spread
from rooftop.measure.figures import pairs_of
from rooftop.measure.metric import TIME
from rooftop.measure.rules import Rules
from rooftop.solvers.conv.document import LayerResult, SolveDocument, Timing, Total
from rooftop.solvers.conv.layer_calls import LayerCalls
from rooftop.solvers.conv.layer_list import Layer
from rooftop.solvers.conv.library import load
from rooftop.solvers.conv.request import FilterTerms, Request
from rooftop.solvers.running.campaign import measure_pairs, sampled_arms, samples_s

NAME = "solve conv"


def _name(layer: Layer, terms: FilterTerms) -> str:
    return f"{layer} {terms}"


def _case(layer: Layer, request: Request) -> CaseState:
    arms = [Arm(call_module(_name(layer, terms)), "command") for terms in request.filters]
    flops = layer.direct_flops(request.padding)
    return CaseState(NAME, "layers", f"line {layer.line}", asdict(layer), flops, arms)


def measure_layer(session: CampaignSession, case: CaseState, layer: Layer, request: Request) -> bool:
    """Measure one layer; return whether that was to its end."""
    made = cache(partial(LayerCalls, layer, request))  # with its arrays, when the first arm is set up

    def call(terms: FilterTerms) -> Callable[[], Call]:
        return lambda: made().call(terms)

    calls = CallExecutor({_name(layer, terms): call(terms) for terms in request.filters})
    return measure_pairs(session, case, session.bench.executor or calls, request, request.repeat)


class _Layers(Course[SolveDocument]):
    """The course of one campaign: a case for each layer, with an arm for each way to count the filter transform."""

    def __init__(self, bench: Bench, request: Request, _new: bool) -> None:
        self._bench, self._request = bench, request
        self._cases = [_case(layer, request) for layer in request.layers]
        self._finished: list[CaseState] = []

    @property
    def cases(self) -> Sequence[CaseState]:
        return self._cases

    @property
    def marks(self) -> Mapping[str, Any]:
        return {"layers": len(self._cases)}

    @property
    def files(self) -> Iterable[Path]:
        return [file for file in (self._request.file, Path(load()._name)) if file is not None and file.is_absolute()]

    def restore(self, session: CampaignSession) -> None:
        self._finished = [case for case in self._cases if session.restore(case, TIME)]

    def measure(self, session: CampaignSession) -> None:
        for place, (case, layer) in enumerate(zip(self._cases, self._request.layers, strict=True), 1):
            if case in self._finished:
                continue
            session.bench.watcher.progressed(case, f"layer {layer}, {place} of {len(self._cases)}")
            if measure_layer(session, case, layer, self._request):
                self._finished.append(case)

    def document(self, session: CampaignSession, *, interrupted: bool) -> SolveDocument:
        request, rules = self._request, self._bench.rules
        floor = campaign_floor(self._cases, rules)
        layers = [
            _layer_result(case, layer, request, case_floor(case, floor, rules), rules)
            for case, layer in zip(self._cases, request.layers, strict=True)
            if case in self._finished
        ]
        whole = len(layers) == len(self._cases)
        known = floor if isfinite(floor) else None
        return SolveDocument(
            **session.head(),
            file=str(request.file),
            padding=request.padding,
            accuracy=request.accuracy,
            layout=request.layout,
            threads=request.threads,
            repeat=request.repeat,
            interrupted=interrupted,
            layers=layers,
            total_timed=_total(layers, [layer.timed for layer in layers]) if whole else None,
            total_prepared=_total(layers, [layer.prepared for layer in layers]) if whole else None,
            floor=known,
            doubts=session.doubts(known, sampled_arms(self._cases)),
        )


def _layer_result(case: CaseState, layer: Layer, request: Request, floor: float, rules: Rules) -> LayerResult:
    """Return what is known of a layer. A wrong result has no time."""
    arms = {terms: next(arm for arm in case.arms if arm.name == _name(layer, terms)) for terms in request.filters}
    wrong = next((arm for arm in case.arms if arm.outcome == "wrong"), None)
    told = next((arm.work.model_dump() for arm in arms.values() if arm.work is not None), {})
    errors = [arm.error for arm in case.arms if arm.error is not None]
    unknown = wrong is not None and wrong.error is None  # it is no number
    result = LayerResult(
        line=layer.line,
        c=layer.c,
        h=layer.h,
        w=layer.w,
        k=layer.k,
        n=layer.n,
        algorithm=told.get("algorithm", ""),
        instruction_set=told.get("instruction_set", ""),
        outcome="ok" if wrong is None else "wrong",
        reason=None if wrong is None else wrong.reason,
        error=None if unknown else max(errors, default=None),
        tolerance=next((arm.tolerance for arm in arms.values() if arm.tolerance is not None), None),
        checked_outputs=told.get("checked_outputs", 0),
        direct_flops=case.nominal,
        scratch_bytes=told.get("scratch_bytes", 0),
        filter_bytes=told.get("filter_bytes", 0),
    )
    if wrong is None:
        timings = {terms: _timing(arm, request.repeat, case.nominal) for terms, arm in arms.items()}
        result.timed, result.prepared = timings.get("timed"), timings.get("prepared")
        if len(arms) > 1:
            pairs = pairs_of(arms["prepared"], arms["timed"])
            result.prepared_vs_timed = comparison("timed", pairs, floor, rules)
    return result


def _timing(arm: Arm, repeat: int, flops: float) -> Timing | None:
    iterations, seconds = samples_s(arm, repeat)
    found = spread(seconds)
    if found is None:
        return None
    return Timing(
        samples_s=seconds,
        iterations=iterations,
        mean_s=fmean(seconds),
        median_s=found.median,
        lo_s=found.lo,
        hi_s=found.hi,
        gflops=flops / found.median * 1e-9,
    )


def _total(results: Sequence[LayerResult], timings: Iterable[Timing | None]) -> Total | None:
    """Return the contest's total, only if every layer has a time."""
    flops = sum(result.direct_flops for result in results)
    means = [timing.mean_s for timing in timings if timing is not None]
    if not means or len(means) < len(results):
        return None
    return Total(flops=flops, seconds=sum(means), gflops=flops / sum(means) * 1e-9)


KIND = Kind(NAME, Request.from_stored, Request.prepared, _Layers, page_writer("solvers.conv"))
