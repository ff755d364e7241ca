"""What the report takes from a ladder: its steps on one case or over all cases, gains, and the best peer."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Literal

from rooftop.documents import CaseResult, ExperimentResult, Outcome, RungResult

Kind = Literal["rung", "peer"]


@dataclass(frozen=True)
class Step:
    """One rung or peer as a bar of the staircase. Rates and limit are in the experiment's unit."""

    name: str
    kind: Kind
    outcome: Outcome
    reason: str
    rate: float | None = None
    rate_lo: float | None = None
    rate_hi: float | None = None
    limit: float | None = None
    limit_by: str | None = None
    fraction: float | None = None
    note: str = ""


def _has_time(rung: RungResult) -> bool:
    return all(
        (rung.outcome == "ok", *(value and math.isfinite(value) and value > 0 for value in (rung.rate, rung.median_s)))
    )


def measured(rungs: Iterable[RungResult], kind: str) -> list[RungResult]:
    """Return the rungs (or peers) that were right and have a rate, in the ladder's order."""
    return [rung for rung in rungs if rung.kind == kind and _has_time(rung)]


def best_peer(case: CaseResult) -> RungResult | None:
    """Return the fastest peer that was right on this case; None if there is none."""
    return min(measured(case.rungs, "peer"), key=lambda peer: peer.median_s or 0, default=None)


def reason_of(rung: RungResult) -> str:
    """Return why a rung has no time; for a wrong result its error and tolerance. Empty if it has one."""
    if rung.reason:
        return f"{rung.stage}: {rung.reason}" if rung.stage else rung.reason
    if rung.outcome == "wrong" and rung.tolerance is not None:
        seen = "not a number" if rung.error is None else f"{rung.error:.2g}"
        return f"error {seen}, tolerance {rung.tolerance:.2g}"
    return "" if rung.outcome == "ok" else "no reason was recorded"


def step(rung: RungResult) -> Step:
    """Return a rung's step on one case."""
    if not _has_time(rung) or rung.rate is None or rung.median_s is None:
        reason = reason_of(rung) or "no time was taken"
        return Step(rung.name, rung.kind, rung.outcome, reason)
    work = rung.rate * rung.median_s
    return Step(
        rung.name,
        rung.kind,
        "ok",
        "",
        rate=rung.rate,
        rate_lo=work / rung.hi_s if rung.hi_s else None,
        rate_hi=work / rung.lo_s if rung.lo_s else None,
        limit=rung.limit,
        limit_by=rung.limit_by,
        fraction=rung.roof_fraction,
    )


def _either(names: list[str]) -> str | None:
    """Return "L2, L3 or compute"."""
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names) or None


def total_steps(experiment: ExperimentResult) -> list[Step]:
    """Return the ladder over all cases; empty if there is only one case or no total was stored."""
    if len(experiment.cases) < 2 or not experiment.totals:
        return []
    totals: dict[str, dict[str, Any]] = {str(total.get("name")): total for total in experiment.totals}
    steps = []
    for (kind, name), rungs in by_name(experiment).items():
        right = sum(rung.outcome == "ok" for rung in rungs)
        rate = totals.get(name, {}).get("rate")
        if not right or not rate:
            worst = next((rung for rung in rungs if rung.outcome != "ok"), rungs[0])
            steps.append(Step(name, kind, worst.outcome, reason_of(worst) or "no total was stored"))
            continue
        bounds = {rung.limit_by for rung in rungs if rung.outcome == "ok" and rung.limit_by}
        steps.append(
            Step(
                name,
                kind,
                "ok",
                "",
                rate=rate,
                limit=totals[name].get("limit"),
                limit_by=_either(sorted(bounds)),
                fraction=totals[name].get("roof_fraction"),
                note="" if right == len(experiment.cases) else f"{right} of {len(experiment.cases)} cases only",
            )
        )
    return steps


def by_name(experiment: ExperimentResult) -> dict[tuple[Kind, str], list[RungResult]]:
    """Return the results of every rung and peer over the cases, rungs first, in the ladder's order."""
    found: dict[tuple[Kind, str], list[RungResult]] = {}
    for case in experiment.cases:
        for rung in case.rungs:
            found.setdefault((rung.kind, rung.name), []).append(rung)
    # Sorted by the number in NN-idea, since a rung that only some cases have would otherwise come last.
    return dict(sorted(found.items(), key=lambda item: (item[0][0] == "peer", _order(item[0][1]))))


def _order(name: str) -> tuple[int, int]:
    prefix = name.partition("-")[0]
    return (0, int(prefix)) if prefix.isdecimal() else (1, 0)


@dataclass(frozen=True)
class Gain:
    """Speed of a rung relative to rung `over`, by the sums of their times on the `cases`, of `of`, that have both."""

    ratio: float
    over: str
    cases: int
    of: int

    @property
    def scope(self) -> str:
        """The cases that count, as "on 5 of 6 cases"; empty if all do."""
        return "" if self.cases == self.of else f"on {self.cases} of {self.of} cases"


def gain(experiment: ExperimentResult, name: str, over: str) -> Gain | None:
    """Return the gain of rung ``name`` over rung ``over``; None if no case has times of both."""
    by_mean = any("mean" in str(total.get("rule")) for total in experiment.totals)  # as for the totals
    mine = theirs = 0.0
    cases = 0
    for case in experiment.cases:
        rungs = measured(case.rungs, "rung")
        times = {rung.name: fmean(rung.samples_s) if by_mean and rung.samples_s else rung.median_s for rung in rungs}
        here, there = times.get(name), times.get(over)
        if here and there:
            mine, theirs, cases = mine + here, theirs + there, cases + 1
    return Gain(theirs / mine, over, cases, len(experiment.cases)) if cases else None


def noise_floor(case: CaseResult) -> float | None:
    """Return the A/A noise floor used for the case's comparisons; None if there are no comparisons."""
    found = [c.floor for rung in case.rungs for c in (rung.vs_below, rung.vs_best_peer) if c]
    return max(found, default=None)
