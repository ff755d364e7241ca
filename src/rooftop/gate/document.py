"""What ``rooftop gate --json`` prints, made from the samples."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Literal

from pydantic import Field

from rooftop import errors
from rooftop.compare.advice import pairs_needed
from rooftop.compare.document import CommandResult, command_result, floor_of
from rooftop.documents import Doubt, Machine, Question
from rooftop.files.document import Document
from rooftop.gate.judge import (
    LEAST_FINE,
    SUSPICION,
    Correction,
    Look,
    Outcome,
    confirmed_by,
    excess_seen,
    improvement_p_values,
    judge,
    p_confirmed,
    p_slower,
    regression_p_values,
    slower,
    suspected,
)
from rooftop.gate.options import Benchmark, Options
from rooftop.gate.revision import Revision
from rooftop.measure.case_state import CaseState
from rooftop.measure.compare import judged_mean
from rooftop.measure.correction import level_of
from rooftop.measure.figures import pairs_of
from rooftop.measure.pairs import mean_ratio, mean_with_rare
from rooftop.measure.rules import Rules
from rooftop.measure.shape import scatter
from rooftop.text.plural import listed, plural

_MORE = "give a larger --budget and --max-pairs"


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
        """The look that the outcome rests on."""
        return self.confirmation or self.first


class GateDocument(Document):
    """A gate as far as it has come."""

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
        """Return how many benchmarks came out so."""
        return sum(one.outcome == outcome for one in self.benchmarks)


@dataclass(frozen=True)
class Looked:
    """A benchmark with its two cases; the second has no samples where nothing was suspected."""

    benchmark: Benchmark
    first: CaseState
    second: CaseState


def look_of(case: CaseState, rules: Rules) -> Look | None:
    """Return the pairs of a case; None where one of its sides cannot be used."""
    commands = [arm for arm in case.arms if arm.role == "command"]
    if len(commands) != 2 or any(arm.outcome != "ok" for arm in commands):
        return None
    base, head = commands
    return Look(pairs_of(head, base), floor_of(case, rules))


def looks_of(cases: Mapping[str, CaseState], rules: Rules) -> dict[str, Look]:
    """Return the looks that there are, by benchmark."""
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


def _defect(looked: Looked) -> tuple[Outcome, str] | None:
    """Return what is wrong with the answers, of either look; None where both sides are right.

    Only the head can fail a gate: a base that does not answer leaves nothing to compare with.
    """
    for case in (looked.second, looked.first):
        base, head = case.arms[0], case.arms[1]
        if head.outcome in ("wrong", "failed"):
            return head.outcome, f"at the head: {head.reason}"
        if base.outcome in ("wrong", "failed"):
            return "not resolved", f"nothing to compare with, at the base it {_is(base.outcome)}: {base.reason}"
        for arm, side in ((base, "base"), (head, "head")):
            if arm.outcome == "skipped":
                return "not resolved", f"not measured at the {side}: {arm.reason}"
    return None


def _is(outcome: str) -> str:
    return "is wrong" if outcome == "wrong" else "failed"


def _percent(share: float) -> str:
    return f"{share * 100:.4g}%"


def decided(first: Look | None, second: Look | None, threshold: float, p: float) -> list[Question]:
    """Return where a regression shows. `p`: corrected over all benchmarks."""
    if first is None or second is None:
        return []
    return confirmed_by(first, second, threshold, level_of(p_confirmed(first, second, threshold), p))


def _told(
    outcome: Outcome, first: Look | None, second: Look | None, threshold: float, p: float, count: int, rules: Rules
) -> str:
    """Return why a benchmark whose answers are right came out so."""
    again = first is not None and suspected(first, threshold)
    told = second if again else first
    allowed = _percent(threshold)
    if outcome == "regression":
        family = f" over {count} benchmarks" if count > 1 else ""
        where = listed([f"the {question}" for question in decided(first, second, threshold, p)])
        return f"slower by more than {allowed} in {where}: fresh pairs alone confirm it, p = {p:.2g}{family}"
    if outcome == "faster":
        return f"faster by more than {allowed}"
    if outcome == "fine":
        return "it looked slower, and fresh pairs did not confirm it" if again else ""
    if first is None or not len(first.pairs):
        return "it was interrupted before its first pair"
    if told is None or not len(told.pairs):
        return "it looks slower, and was not looked at again"
    prefix = "it looked slower, not confirmed by fresh pairs: " if again else ""
    fresh = min(p_confirmed(first, told, threshold), p_slower(told, threshold)) if again else 1.0
    return prefix + _unresolved(told, first if again else None, threshold, fresh, rules)


def _unresolved(look: Look, earlier: Look | None, threshold: float, fresh: float, rules: Rules) -> str:
    """Return why a look shows neither a regression nor its absence, and what would help.

    fresh  the p-value of a second look; 1 of a first one
    """
    effect, allowed = look.effect, _percent(threshold)
    if effect is None or effect.count < rules.min_pairs:
        return f"{plural(len(look.pairs), 'pair')}, at least {rules.min_pairs} are needed: {_MORE}"
    if look.floor is None:
        return "the A/A floor could not be measured: give a larger --budget"
    if look.floor > threshold:
        return (
            f"the A/A floor is {look.floor:.2%}, over the threshold of {allowed}: a quieter machine, "
            "longer runs or a larger --threshold would help"
        )
    mean = judged_mean(look.pairs, rules)
    if mean is not None and mean.lo <= -math.log1p(threshold):
        needed = pairs_needed(effect.count, mean.half_width, math.log1p(threshold) / 2)
        return (
            f"{scatter(look.pairs)}, and the mean may be slower by more than {allowed}: its interval is "
            f"[{math.exp(mean.lo):.4g}, {math.exp(mean.hi):.4g}]. About {needed} pairs would tell: {_MORE}"
        )
    if effect.lo <= -math.log1p(threshold):
        return "the interval reaches over the threshold: a larger --budget or --max-pairs would narrow it"
    if fresh <= SUSPICION:
        return f"the fresh pairs look slower, too, p = {fresh:.2g}: a larger --budget or --max-pairs would tell"
    excess = excess_seen(look, earlier)
    if mean_with_rare(look.pairs, excess) <= -math.log1p(threshold):
        return (
            f"the slowest runs of the head take {excess / fmean(look.pairs.against):.2g} times a mean run longer than "
            f"those of the base, and if they are a few more than were seen, the mean is slower by more than {allowed}: "
            f"{_MORE}"
        )
    return (
        f"it looks the same in {plural(effect.count, 'pair')}, of which {LEAST_FINE} are needed to call it fine: fewer "
        f"may miss a slow run in five: {_MORE}"
    )


def outcome_of(outcomes: Sequence[Outcome]) -> Outcome:
    """Return the outcome of all: the gravest. Faster is fine."""
    ranking: tuple[Outcome, ...] = ("failed", "wrong", "regression", "not resolved")
    return next((one for one in ranking if one in outcomes), "fine")


def exit_code(document: GateDocument, *, allow_unresolved: bool) -> int:
    """Return what a gate leaves with: 1 wrong or failed, 6 regression, 7 not resolved, else 0."""
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
        defect: tuple[Outcome, str] | None = ("failed", error) if error is not None else _defect(one)
        if defect is not None:
            outcome, told = defect
        else:
            looks = (first.get(name), second.get(name))
            outcome = judge(*looks, threshold, worse[name], better[name], rules)
            told = _told(outcome, *looks, threshold, worse[name], len(looked), rules)
        results.append(
            BenchmarkResult(
                name=name,
                outcome=outcome,
                told=told,
                threshold=threshold,
                base=command_result(one.first.arms[0]),
                head=command_result(one.first.arms[1]),
                first=_look_result(one.first, threshold, rules),
                confirmation=_look_result(one.second, threshold, rules, first.get(name)),
                p=worse[name] if defect is None and name in second else None,
                decided_by=(
                    decided(first.get(name), second.get(name), threshold, worse[name])
                    if outcome == "regression"
                    else []
                ),
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
