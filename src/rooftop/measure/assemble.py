"""Makes the results of a climb from what the store holds: rates, limits, comparisons and totals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rooftop.documents import CaseResult, Comparison, ExperimentResult, Machine, RungResult
from rooftop.ladder.experiment import Experiment
from rooftop.measure.arms import Arm
from rooftop.measure.case_state import CaseState
from rooftop.measure.compare import Spread, comparison, noise_floor, spread
from rooftop.measure.figures import compared, pairs_of
from rooftop.measure.limits import limit
from rooftop.measure.pairings import asked_pairings, below, fastest_peers
from rooftop.measure.prediction import judged
from rooftop.measure.rules import Rules

During = Callable[[CaseState], Machine]


def twin_ratios(case: CaseState) -> Sequence[float]:
    """Return the log-ratios of a case's A/A arm to its rung; empty without one."""
    for twin in case.arms:
        if twin.role == "twin":
            original = next(arm for arm in case.arms if arm.module == twin.module and arm.role != "twin")
            if twin.outcome == original.outcome == "ok":
                return compared(twin, original).log_ratios
    return []


def campaign_floor(cases: Sequence[CaseState], rules: Rules) -> float:
    """Return the A/A floor over all cases as a relative difference; infinite when there is no A/A pair at all."""
    floor = noise_floor([twin_ratios(case) for case in cases], rules)
    return floor if floor is not None else float("inf")


def case_floor(case: CaseState, campaign: float, rules: Rules) -> float:
    """Return the floor of one case: the campaign's, or the case's own where that is higher. Never infinite."""
    own = noise_floor([twin_ratios(case)], rules)
    known = [floor for floor in (own, campaign) if floor is not None and floor != float("inf")]
    return max(known, default=1.0)


def _comparison(subject: Arm, against: Arm, floor: float, rules: Rules) -> Comparison | None:
    return comparison(against.name, pairs_of(subject, against), floor, rules)


def _times(arm: Arm) -> Spread | None:
    return spread([sample.run_s for sample in arm.samples])


def rung_result(
    case: CaseState, place: int, declaration: Experiment, machine: Machine, threads: int, floor: float, rules: Rules
) -> RungResult:
    """Return the result of one arm. A wrong or failed one keeps its reason and has no time."""
    arm = case.arms[place]
    threads = arm.module.workers or threads
    result = RungResult(
        name=arm.name,
        kind=arm.module.kind,
        idea=arm.module.idea,
        outcome=arm.outcome or "skipped",
        reason=arm.reason if arm.outcome is not None else "the campaign ended before its turn",
        stage=arm.stage,
        error=arm.error,
        tolerance=arm.tolerance,
        algorithm=arm.work.algorithm or None if arm.work is not None else None,
        work=arm.work.model_dump() if arm.work is not None else None,
        threads=threads,
        binding=arm.binding,
        timeline=arm.timeline,
        figures=arm.figures,
        rate_unit=declaration.rate_unit,
    )
    bound = limit(arm.work, machine, threads, declaration.precision, case.isa, case.cold_on)
    if bound is not None:
        result.limit = case.nominal / bound.seconds / declaration.rate_scale
        result.limit_by = bound.by
    times = _times(arm)
    if arm.outcome != "ok" or times is None:
        return result
    result.iterations = arm.iterations or None
    result.samples_s = [sample.run_s for sample in arm.samples]
    result.median_s = times.median
    if times.proven:
        result.lo_s, result.hi_s = times.lo, times.hi
    result.rate = case.nominal / times.median / declaration.rate_scale
    if bound is not None:
        result.roof_fraction = bound.seconds / times.median
    if arm.role == "rung":
        # The nearest rung below that it has enough pairs with: one that was set up late may have hardly any.
        lower = [case.arms[previous] for previous in below(case.arms, place)]
        paired = (one for one in lower if len(pairs_of(arm, one).log_ratios) >= rules.min_pairs)
        if (previous := next(paired, lower[0] if lower else None)) is not None:
            result.vs_below = _comparison(arm, previous, floor, rules)
    best = next(iter(fastest_peers(case.arms, 1.0, arm.module.workers)), None)
    if best is not None and best != place:
        result.vs_best_peer = _comparison(arm, case.arms[best], floor, rules)
    known = {made.against for made in (result.vs_below, result.vs_best_peer) if made is not None}
    asked = [one for one in asked_pairings(case.arms, case.asked, rules.contender) if one.subject == place]
    found = [_comparison(arm, case.arms[one.against], floor, rules) for one in asked]
    result.vs_asked = [one for one in found if one is not None and one.against not in known]
    return result


def case_result(
    case: CaseState,
    declaration: Experiment,
    machine: Machine,
    threads: int,
    floor: float,
    rules: Rules,
    during: During | None = None,
) -> CaseResult:
    """Return the results of all rungs and peers; the twin shows in the floor alone."""
    own_floor = case_floor(case, floor, rules)
    return CaseResult(
        case=case.name,
        parameters=case.parameters,
        nominal=case.nominal,
        isa=case.isa,
        cold_on=case.cold_on,
        rungs=[
            rung_result(case, place, declaration, machine, threads, own_floor, rules)
            for place, arm in enumerate(case.arms)
            if arm.role != "twin"
        ],
        blocks=case.blocks,
        stopped=case.stopped,
        predictions=judged(
            declaration.predictions, case, during(case) if during else machine, threads, own_floor, rules
        ),
    )


def totals(cases: Sequence[CaseResult], declaration: Experiment) -> list[dict[str, Any]]:
    """Return each rung's total over the cases where it was timed: the sum of work over the sum of times.

    The time of a case is the mean or the median of its samples, as the experiment declares. Totals are comparable only
    between rungs with the same `cases`; `complete` says that none is lacking.
    """
    found: dict[str, dict[str, Any]] = {}
    for case in cases:
        for rung in case.rungs:
            total = found.setdefault(
                rung.name,
                {"name": rung.name, "kind": rung.kind, "seconds": 0.0, "nominal": 0.0, "limit_s": 0.0, "cases": 0},
            )
            if rung.outcome != "ok" or rung.median_s is None:
                continue
            mean_s = sum(rung.samples_s) / len(rung.samples_s)
            total["seconds"] += mean_s if declaration.total == "mean" else rung.median_s
            total["nominal"] += case.nominal
            total["cases"] += 1
            if rung.limit:
                total["limit_s"] += case.nominal / rung.limit / declaration.rate_scale
    for total in found.values():
        seconds, limit_s = total["seconds"], total.pop("limit_s")
        scale = declaration.rate_scale
        total["rate"] = total["nominal"] / seconds / scale if seconds > 0 else None
        total["rate_unit"] = declaration.rate_unit
        total["limit"] = total["nominal"] / limit_s / scale if limit_s > 0 else None
        total["roof_fraction"] = limit_s / seconds if seconds > 0 and limit_s > 0 else None
        total["of_cases"] = len(cases)
        total["complete"] = total["cases"] == len(cases)
        total["rule"] = f"sum of work / sum of {declaration.total} times"
    return [total for total in found.values() if total["cases"]]


def experiment_result(
    name: str,
    size: str,
    declaration: Experiment,
    cases: Sequence[CaseState],
    machine: Machine,
    threads: int,
    floor: float,
    rules: Rules,
    during: During | None = None,
) -> ExperimentResult:
    """Return the results of one experiment at one size.

    machine  with its roofs, the best that were ever seen: the limits
    during   the machine as it was while a case was measured, of which predictions are made; None: the same
    """
    results = [case_result(case, declaration, machine, threads, floor, rules, during) for case in cases]
    return ExperimentResult(
        name=name,
        title=declaration.title,
        question=declaration.question,
        chapter=declaration.lesson.chapter if declaration.lesson is not None else None,
        size=size,
        threads=threads,
        rate_unit=declaration.rate_unit,
        rate_scale=declaration.rate_scale,
        precision=declaration.precision,
        merit=list(declaration.merit),
        cases=results,
        totals=totals(results, declaration),
    )
