"""What ``rooftop scale --json`` prints, made from the samples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Literal

import numpy as np
from pydantic import Field

from rooftop.compare.document import CommandResult, command_result, floor_of
from rooftop.documents import CommandDocument, Comparison
from rooftop.files.document import Document
from rooftop.measure.arms import Arm, pair_iterations
from rooftop.measure.case_state import CaseState
from rooftop.measure.compare import comparison
from rooftop.measure.figures import pairs_of
from rooftop.measure.pairings import base_point
from rooftop.measure.rules import Rules
from rooftop.parameters.values import Value
from rooftop.scale.fits import Interval, LawResult, Measurements, fit, preferred
from rooftop.scale.laws import LAWS, Floats, Mode
from rooftop.scale.options import Options
from rooftop.scale.pop import Factors, factors


class PointResult(CommandResult):
    """One point of a curve.

    speedup     over the base; where the problem grows it is the scaled one, work per time
    efficiency  speed-up beside the ideal
    in_fit      whether the laws were fitted to it
    """

    workers: int
    ranks: int | None = None
    threads: int | None = None
    sizes: dict[str, Value] = Field(default_factory=dict)
    line: str
    oversubscribed: bool = False
    vs_base: Comparison | None = None
    speedup: Interval | None = None
    efficiency: Interval | None = None
    in_fit: bool = False
    factors: Factors | None = None


class Base(Document):
    """The base of the speed-ups, with its own figure."""

    name: str
    workers: int
    line: str
    median: float
    lo: float | None = None
    hi: float | None = None


class Curve(Document):
    """Strong scaling (the problem stays) or weak scaling (it grows as `sizes` of the points say)."""

    mode: Mode
    base: Base | None = None
    serial: CommandResult | None = None
    points: list[PointResult]
    laws: list[LawResult] = Field(default_factory=list)
    preferred: str | None = None  # the law that the points speak for
    preferred_says: str = ""
    floor: float | None = None
    stopped: str | None = None
    no_factors: str | None = None  # why there are none, for an MPI program


class ScaleDocument(CommandDocument):
    """A scaling campaign."""

    schema_: Literal["rooftop/scale/1"] = Field(default="rooftop/scale/1", alias="schema")
    command: list[str]
    weak: dict[str, str] = Field(default_factory=dict)  # how sizes grow
    curves: list[Curve]


@dataclass(frozen=True)
class Growing:
    """Strong or weak scaling while it is measured: its timed case, and the case of its factors."""

    mode: Mode
    timed: CaseState
    traced: CaseState


def scale_document(
    head: dict[str, Any], options: Options, growing: Sequence[Growing], no_factors: str | None, rules: Rules
) -> ScaleDocument:
    """Return the document of a complete or interrupted campaign. `head`: fields that do not follow from samples."""
    return ScaleDocument(
        **head,
        command=list(options.words),
        weak=dict(options.weak),
        curves=[_curve(options, one, no_factors, rules) for one in growing],
    )


def _curve(options: Options, growing: Growing, no_factors: str | None, rules: Rules) -> Curve:
    case, mode = growing.timed, growing.mode
    floor = floor_of(case, rules)
    arms = [arm for arm in case.arms if arm.role == "point"]
    at = base_point(arms)
    base = arms[at] if at is not None and arms[at].samples else None
    found = options.points(mode)
    by_name = {arm.name: arm for arm in arms}
    serial = by_name.get(options.serial_name()) if options.serial is not None else None
    workers_of = {point.name: point.workers for point in found}
    base_workers = workers_of.get(base.name, 1) if base is not None else 1
    # Another program has one worker, and the problem of the first point.
    base_work = workers_of.get(base.name, found[0].workers) if base is not None else 1
    # The work grows with the workers, but a rate has counted it already.
    grows = mode == "weak" and options.how.better == "lower"
    results = []
    for point in found:
        arm = by_name[point.name]
        result = PointResult(
            **command_result(arm).model_dump(),
            workers=point.workers,
            ranks=point.ranks,
            threads=point.threads,
            sizes=dict(point.sizes),
            line=options.launch(point).line,
            oversubscribed=point.oversubscribed,
        )
        if base is not None and arm.outcome == "ok" and arm.samples:
            work = point.workers / base_work if grows else 1.0
            _hold_against(result, arm, base, point.workers / base_workers, work, floor, rules)
        results.append(result)
    curve = Curve(mode=mode, points=results, floor=floor, stopped=case.stopped)
    curve.serial = command_result(serial) if serial is not None else None
    if base is not None:
        curve.base = _base(base, base_workers, results)
        chosen = _to_fit(results, rules)
        measured = _measurements(chosen, by_name, base, base_work if grows else None)
        curve.laws = [fit(law, measured, options.how.seed or 0) for law in LAWS if mode in law.modes]
        curve.preferred, curve.preferred_says = preferred(curve.laws)
    if options.ranks is not None:
        factors_of = factors(growing.traced.arms, found, grows=mode == "weak")
        for result in results:
            result.factors = factors_of.get(result.name)
        curve.no_factors = None if factors_of else no_factors or _why_none(growing.traced)
    return curve


def _hold_against(
    result: PointResult, arm: Arm, base: Arm, ideal: float, work: float, floor: float | None, rules: Rules
) -> None:
    """Set a point's speed-up. `ideal`: that of perfect scaling; `work`: its work relative to the base's."""
    if arm is base:
        result.speedup, result.efficiency = Interval(value=1.0), Interval(value=1.0)
        return
    # Without a floor nothing is claimed.
    made = comparison(base.name, pairs_of(arm, base), floor if floor is not None else 1.0, rules)
    if made is None:
        return
    result.vs_base = made
    proven = made.pairs >= rules.min_pairs

    def scaled(by: float) -> Interval:
        lo, hi = (made.lo * by, made.hi * by) if proven else (None, None)
        return Interval(value=made.ratio * by, lo=lo, hi=hi)

    result.speedup, result.efficiency = scaled(work), scaled(work / ideal)


def _base(arm: Arm, workers: int, results: Sequence[PointResult]) -> Base:
    own = command_result(arm)
    line = next((result.line for result in results if result.name == arm.name), " ".join(own.command))
    value = own.median if own.median is not None else median(arm.value(sample) for sample in arm.samples)
    return Base(name=arm.name, workers=workers, line=line, median=value, lo=own.lo, hi=own.hi)


def _to_fit(results: Sequence[PointResult], rules: Rules) -> list[PointResult]:
    """Return the points with a reliable speed-up, and mark them."""
    for result in results:
        enough = result.vs_base is None or result.vs_base.pairs >= rules.min_pairs  # the base has none
        result.in_fit = result.speedup is not None and enough and not result.oversubscribed
    return [result for result in results if result.in_fit]


def _measurements(
    chosen: Sequence[PointResult], arms: dict[str, Arm], base: Arm, base_work: int | None
) -> Measurements:
    """Return the log speed-ups, block by block. `base_work`: workers whose work the base does; None: it never grows."""
    blocks = sorted({sample.block for sample in base.samples})
    rows = {block: row for row, block in enumerate(blocks)}
    logs: Floats = np.full((len(blocks), len(chosen)), np.nan)
    for column, result in enumerate(chosen):
        arm = arms[result.name]
        iterations = pair_iterations(arm, base)
        ours, theirs = arm.costs(iterations), base.costs(iterations)
        work = math.log(result.workers / base_work) if base_work is not None else 0.0
        for block in ours.keys() & theirs.keys():
            logs[rows[block], column] = math.log(theirs[block] / ours[block]) + work
        if arm is base:
            logs[:, column] = 0.0
    workers = np.array([float(result.workers) for result in chosen])
    return Measurements(workers, logs[~np.isnan(logs).all(axis=1)])


def _why_none(traced: CaseState) -> str | None:
    reasons = [arm.reason for arm in traced.arms if arm.reason is not None]
    return reasons[0] if reasons else "the campaign ended before its turn"
