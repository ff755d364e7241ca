"""What ``rooftop gate --json`` prints, made from the samples."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field

from rooftop import errors
from rooftop.compare.document import CommandResult, command_result, floor_of
from rooftop.documents import Doubt, Machine, Question
from rooftop.files.document import Document
from rooftop.gate.judge import (
    Correction,
    Look,
    Outcome,
    Verdict,
    improvement_p_values,
    judge,
    p_confirmed,
    regression_p_values,
    slower,
)
from rooftop.gate.options import Benchmark, Options
from rooftop.gate.revision import Revision
from rooftop.measure.case_state import CaseState
from rooftop.measure.figures import pairs_of
from rooftop.measure.pairs import mean_ratio
from rooftop.measure.rules import Rules


class RevisionResult(Document):
    """A revision as it was named, and its commit."""

    name: str
    commit: str


class LookResult(Document):
    """One look: the speed of the head beside the base's, above 1 where the head is the better.

    p         of its being slower by more than threshold and floor, by this look's pairs, not corrected for benchmarks;
              of a confirmation by the score of median, mean and distribution that the first look chose
    p_values  the same of the median, the mean and the distribution, corrected for there being three
    mean      the speed by the mean costs, with its interval; None below two pairs
    """

    ratio: float
    lo: float
    hi: float
    pairs: int
    floor: float | None
    p: float
    stopped: str | None
    p_values: dict[Question, float] = Field(default_factory=dict)
    mean: float | None = None
    mean_lo: float | None = None
    mean_hi: float | None = None


class BenchmarkResult(Document):
    """One benchmark. `base` and `head` have the samples of the first look; `p` is corrected over all benchmarks."""

    name: str
    outcome: Outcome
    told: str  # why
    metric: str
    unit: str
    better: Literal["lower", "higher"]
    threshold: float
    base: CommandResult
    head: CommandResult
    first: LookResult | None = None
    confirmation: LookResult | None = None
    p: float | None = None
    decided_by: list[Question] = Field(default_factory=list)  # of a regression: where it is slower

    @property
    def shown(self) -> LookResult | None:
        """The look that decides the outcome."""
        return self.confirmation or self.first


class GateDocument(Document):
    """A gate, complete or interrupted."""

    schema_: Literal["rooftop/gate/1"] = Field(default="rooftop/gate/1", alias="schema")
    rooftop: str
    campaign: str
    started: str
    base: RevisionResult | None = None  # None: plain commands for both sides
    head: RevisionResult | None = None
    build: str | None = None
    threshold: float
    correction: Correction
    outcome: Outcome  # of all: the first of failed, wrong, regression, not resolved, fine that there is
    interrupted: bool
    error: str | None = None  # why nothing was measured: a revision could not be built
    benchmarks: list[BenchmarkResult]
    reproduce: str
    machine: Machine
    doubts: list[Doubt] = Field(default_factory=list)

    def count(self, outcome: Outcome) -> int:
        """Return the number of benchmarks with this outcome."""
        return sum(one.outcome == outcome for one in self.benchmarks)


@dataclass(frozen=True)
class Looked:
    """A benchmark with its two cases; the second has samples only if a slowdown was suspected."""

    benchmark: Benchmark
    first: CaseState
    second: CaseState


def look_of(case: CaseState, rules: Rules) -> Look | None:
    """Return the pairs of a case, or None if either side is unusable."""
    commands = [arm for arm in case.arms if arm.role == "command"]
    if len(commands) != 2 or any(arm.outcome != "ok" for arm in commands):
        return None
    base, head = commands
    return Look(pairs_of(head, base), floor_of(case, rules))


def looks_of(cases: Mapping[str, CaseState], rules: Rules) -> dict[str, Look]:
    """Return the usable looks by benchmark."""
    return {name: look for name, case in cases.items() if (look := look_of(case, rules)) is not None}


def _look_result(case: CaseState, threshold: float, rules: Rules, earlier: Look | None = None) -> LookResult | None:
    """Return a look. `earlier`: the one whose score judges this one."""
    look = look_of(case, rules)
    effect = look.effect if look is not None else None
    if look is None or effect is None:
        return None
    mean, p_values = mean_ratio(look.pairs), slower(look, threshold)
    return LookResult(
        ratio=math.exp(effect.median),
        lo=math.exp(effect.lo),
        hi=math.exp(effect.hi),
        pairs=effect.count,
        floor=look.floor,
        p=min(p_values.values()) if earlier is None else p_confirmed(earlier, look, threshold),
        stopped=case.stopped,
        p_values=dict(p_values),
        mean=math.exp(mean.value) if mean is not None else None,
        mean_lo=math.exp(mean.lo) if mean is not None else None,
        mean_hi=math.exp(mean.hi) if mean is not None else None,
    )


def _defect(looked: Looked) -> Verdict | None:
    """Return the verdict on wrong, failed or missing answers of either look; None where both sides are right.

    Only the head can fail a gate: a base that does not answer leaves nothing to compare with.
    """
    for case in (looked.second, looked.first):
        base, head = case.arms[0], case.arms[1]
        if head.outcome in ("wrong", "failed"):
            return Verdict(head.outcome, f"at the head: {head.reason}")
        if base.outcome in ("wrong", "failed"):
            how = "is wrong" if base.outcome == "wrong" else "failed"
            return Verdict("not resolved", f"nothing to compare with: at the base it {how}: {base.reason}")
        for arm, side in ((base, "base"), (head, "head")):
            if arm.outcome == "skipped":
                return Verdict("not resolved", f"not measured at the {side}: {arm.reason}")
    return None


def outcome_of(outcomes: Sequence[Outcome]) -> Outcome:
    """Return the worst outcome. Faster counts as fine."""
    ranking: tuple[Outcome, ...] = ("failed", "wrong", "regression", "not resolved")
    return next((one for one in ranking if one in outcomes), "fine")


def exit_code(document: GateDocument, *, allow_unresolved: bool) -> int:
    """Return the exit code: 1 wrong or failed, 6 regression, 7 not resolved, else 0."""
    codes: dict[Outcome, int] = {"failed": errors.WRONG, "wrong": errors.WRONG, "regression": errors.REGRESSION}
    if document.outcome == "not resolved" and not allow_unresolved:
        return errors.NOT_RESOLVED
    return codes.get(document.outcome, errors.FINE)


def gate_document(
    head: dict[str, Any],
    options: Options,
    looked: Sequence[Looked],
    rules: Rules,
    *,
    interrupted: bool,
    error: str | None = None,
) -> GateDocument:
    """Return the document of a gate as far as it has come. `head`: the fields that do not follow from samples.

    error  why nothing was measured: every benchmark has failed then
    """
    first = looks_of({one.benchmark.name: one.first for one in looked}, rules)
    second = looks_of({one.benchmark.name: one.second for one in looked}, rules)
    thresholds = {one.benchmark.name: one.benchmark.threshold for one in looked}
    worse = regression_p_values(first, second, thresholds, options.correction)
    better = improvement_p_values(first, thresholds, options.correction)
    results = []
    for one in looked:
        name, threshold = one.benchmark.name, one.benchmark.threshold
        verdict = Verdict("failed", error) if error is not None else _defect(one)
        right = verdict is None
        if verdict is None:
            looks = first.get(name), second.get(name)
            verdict = judge(*looks, threshold, worse[name], better[name], rules, len(looked))
        results.append(
            BenchmarkResult(
                name=name,
                outcome=verdict.outcome,
                told=verdict.why,
                threshold=threshold,
                base=command_result(one.first.arms[0]),
                head=command_result(one.first.arms[1]),
                first=_look_result(one.first, threshold, rules),
                confirmation=_look_result(one.second, threshold, rules, first.get(name)),
                p=worse[name] if right and name in second else None,
                decided_by=list(verdict.decided_by),
                **one.benchmark.how.head(),
            )
        )
    return GateDocument(
        **head,
        base=_revision(options.base),
        head=_revision(options.head),
        build=options.build,
        threshold=options.threshold,
        correction=options.correction,
        outcome=outcome_of([one.outcome for one in results]),
        interrupted=interrupted,
        error=error,
        benchmarks=results,
        reproduce=options.reproduced(),
    )


def _revision(revision: Revision | None) -> RevisionResult | None:
    return RevisionResult(name=revision.name, commit=revision.commit) if revision is not None else None
