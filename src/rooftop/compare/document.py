"""What ``rooftop compare --json`` prints, made from the samples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field

from rooftop.compare.advice import Family, advice
from rooftop.documents import CommandDocument, Comparison, Outcome, Verdict
from rooftop.files.document import Document
from rooftop.measure.arms import Arm
from rooftop.measure.assemble import case_floor, twin_ratios
from rooftop.measure.case_state import CaseState
from rooftop.measure.compare import LEVEL, Weighed, spread, told, weigh
from rooftop.measure.correction import holm, level_of
from rooftop.measure.figures import common_names, compared, names_in_all, with_only
from rooftop.measure.pairings import command_rivals
from rooftop.measure.pairs import Pairs
from rooftop.measure.rules import Rules


class RunFigures(Document):
    """One sample of a command: figures for one run."""

    block: int
    wall_s: float
    value: float  # of the compared metric
    figures: dict[str, float] = Field(default_factory=dict)


class CommandResult(Document):
    """One command. A wrong or failed one keeps its reason and has no figures."""

    name: str
    command: list[str]
    outcome: Outcome
    reason: str | None = None
    stage: str | None = None
    median: float | None = None  # of the compared metric, with its sign-test 95 % interval
    lo: float | None = None
    hi: float | None = None
    runs_per_sample: int | None = None
    samples: list[RunFigures] = Field(default_factory=list)
    rate: float | None = None  # of a rung, in the unit of `rungs`
    roof_fraction: float | None = None  # of a rung on one case, where its work and the machine's roofs are known
    limit_by: str | None = None  # what sets that roof: "compute", "memory" or a cache level


class RungCases(Document):
    """The rungs' experiment, and the cases that one run of each consists of."""

    experiment: str
    size: str
    cases: list[str]
    rate_unit: str


class CommandComparison(Comparison):
    """How a command compares with an earlier one: above 1 the subject is the better."""

    subject: str
    advice: str  # whether more pairs would help
    p: float  # of there being no difference in the median, the mean and the distribution
    corrected_p: float  # by Holm, over all comparisons of this document


class BenchmarkTime(Document):
    """One benchmark in one program, in seconds per iteration. A failed one keeps its reason and has no figures."""

    command: str
    outcome: Outcome
    reason: str | None = None
    median: float | None = None  # over the program's runs, with its sign-test 95 % interval
    lo: float | None = None
    hi: float | None = None


class BenchmarkComparison(CommandComparison):
    """How a benchmark compares between two programs. `verdict` is its own, as if it were the only one.

    `corrected_p` is over all comparisons of all benchmarks.
    """

    claimed: bool  # whether the verdict stands after correction


class Benchmark(Document):
    """One benchmark of Google Benchmark, in every program that has it."""

    name: str
    times: list[BenchmarkTime]
    comparisons: list[BenchmarkComparison] = Field(default_factory=list)
    floor: float | None = None  # its own A/A floor


class CompareDocument(CommandDocument):
    """A comparison of commands. With two of them the verdict on the second stands at the top as well.

    With `rungs` the commands are rungs: their figures are sums over all cases, and `benchmarks` has each case.
    With `benchmarks` alone, figures of commands and the verdicts on them are geometric means over the benchmarks that
    the compared programs share. The samples' figures have each benchmark's times, as real_time:NAME and cpu_time:NAME,
    and each case's, as case:NAME.
    """

    schema_: Literal["rooftop/compare/1"] = Field(default="rooftop/compare/1", alias="schema")
    commands: list[CommandResult]
    comparisons: list[CommandComparison]
    verdict: Verdict | None = None
    ratio: float | None = None
    lo: float | None = None
    hi: float | None = None
    pairs: int | None = None
    floor: float | None = None  # A/A, as a relative difference; None when no pair of twins was taken
    stopped: str | None = None  # why sampling ended: "resolved", "budget", "blocks"; None: interrupted
    benchmarks: list[Benchmark] | None = None  # None: the commands were compared as a whole
    base: str | None = None  # the only command that others are compared with; None: each with every earlier one
    rungs: RungCases | None = None


def shared_names(arms: Sequence[Arm]) -> list[str]:
    """Return the figures of a metric of many that all commands share."""
    return common_names([arm for arm in arms if arm.role == "command" and arm.outcome == "ok" and arm.samples])


def command_result(arm: Arm, shared: Sequence[str] = ()) -> CommandResult:
    """Return the result of a command. `shared`: the benchmarks to include, for a metric of several."""
    result = CommandResult(
        name=arm.name,
        command=list(arm.module.command),
        outcome=arm.outcome or "skipped",
        reason=arm.reason if arm.outcome is not None else "it was interrupted before its turn",
        stage=arm.stage,
    )
    if arm.outcome != "ok":
        return result
    compared = with_only(arm, shared or names_in_all(arm)) if arm.metric.each else arm
    each = [compared.value(sample) for sample in compared.samples if not arm.metric.each or sample.figures]
    values = spread(each)
    if values is None:
        return result
    result.median, result.runs_per_sample = values.median, arm.iterations or None
    if values.proven:
        result.lo, result.hi = values.lo, values.hi
    result.samples = [
        RunFigures(block=sample.block, wall_s=sample.run_s, value=value, figures=sample.figures or {})
        for sample, value in zip(arm.samples, each, strict=True)
    ]
    return result


def floor_of(case: CaseState, rules: Rules) -> float | None:
    """Return the A/A floor; None when no pair of twins was taken."""
    return case_floor(case, math.inf, rules) if twin_ratios(case) else None


@dataclass(frozen=True)
class Between:
    """Comparison of a command with an earlier one."""

    subject: Arm
    against: Arm
    pairs: Pairs
    weighed: Weighed


def weighed_pairs(arms: Sequence[Arm], floor: float | None, rules: Rules, base: str | None = None) -> list[Between]:
    """Compare every command with every earlier one, or only with `base`, if both are ok and have pairs."""
    commands = [arm for arm in arms if arm.role == "command" and arm.outcome == "ok"]
    every = [
        (subject, commands[against])
        for place, subject in enumerate(commands)
        for against in command_rivals(commands, place, base)
    ]
    found = []
    for subject, against in every:
        pairs = compared(subject, against)
        # Without a floor nothing can be claimed.
        weighed = weigh(pairs, floor if floor is not None else 1.0, rules, LEVEL / len(every))
        if weighed is not None:
            found.append(Between(subject, against, pairs, weighed))
    return found


def comparisons(
    arms: Sequence[Arm], floor: float | None, rules: Rules, base: str | None = None
) -> list[CommandComparison]:
    """Return every command's comparison with every earlier one or only `base`, corrected for their number (Holm)."""
    found = weighed_pairs(arms, floor, rules, base)
    corrected = holm([one.weighed.p for one in found])
    return [
        CommandComparison(
            **told(one.against.name, one.weighed, level_of(one.weighed.p, corrected_p)).model_dump(),
            subject=one.subject.name,
            advice=advice(one.pairs, one.weighed, floor, rules, Family(len(found), corrected_p)),
            p=one.weighed.p,
            corrected_p=corrected_p,
        )
        for one, corrected_p in zip(found, corrected, strict=True)
    ]


def compare_document(case: CaseState, rules: Rules, head: dict[str, Any]) -> CompareDocument:
    """Return the document of a complete or interrupted comparison. `head`: fields that do not follow from samples."""
    floor = floor_of(case, rules)
    made = comparisons(case.arms, floor, rules, case.base)
    shared = shared_names(case.arms)
    document = CompareDocument(
        **head,
        commands=[command_result(arm, shared) for arm in case.arms if arm.role == "command"],
        comparisons=made,
        floor=floor,
        stopped=case.stopped,
        base=case.base,
    )
    if len(document.commands) == 2 and made:
        only = made[0]
        document.verdict, document.ratio, document.pairs = only.verdict, only.ratio, only.pairs
        document.lo, document.hi = only.lo, only.hi
    return document
