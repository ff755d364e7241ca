"""Holds what was reached against what was asked, target by target and case by case."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Literal

from pydantic import Field

from rooftop.documents import CaseResult, ExperimentResult
from rooftop.errors import Misuse
from rooftop.files.document import Document
from rooftop.measure.rules import Rules
from rooftop.measure.targets import Measure, Target, Targets
from rooftop.report.ladder import measured
from rooftop.results.reached import Reached, in_total, matching, on_case
from rooftop.results.steps import StepRow
from rooftop.text.nearest import nearest

Answer = Literal["met", "not met", "not measured", "not asked"]


class Judged(Document):
    """One figure on one case against one opponent.

    resolved   whether the answer would be the same all over the figure's interval and the noise floor; None where the
               figure has no interval
    """

    opponent: str | None = None  # as the target names it
    reached: Reached
    answer: Answer
    resolved: bool | None = None


class CaseRow(Document):
    """The subject on one case, and its figures, one per opponent of the target."""

    case: str
    algorithm: str | None = None
    seconds: float | None = None
    rate: float | None = None
    roof_fraction: float | None = None
    limit_by: str | None = None
    error: float | None = None
    judged: list[Judged]


class Summary(Document):
    """A target's figures over its cases, against one opponent. None where no case was measured.

    same_as    an earlier opponent of the target that is the same rung or peer on every case
    """

    opponent: str | None = None
    same_as: str | None = None
    cases: int
    met: int
    not_measured: int
    not_asked: int  # beside `cases`: the subject used another algorithm than the target is about
    not_resolved: int
    geometric_mean: float | None = None
    smallest: float | None = None
    smallest_case: str | None = None
    largest: float | None = None
    largest_case: str | None = None

    @property
    def answer(self) -> Answer:
        """Met where it is met on every case, not measured where there is no figure at all."""
        if self.geometric_mean is None:
            return "not measured"
        return "met" if self.met == self.cases else "not met"


class TargetJudgement(Document):
    """One target with everything that was found."""

    id: str
    asked: str
    size: str
    measure: Measure
    named: str | None = None  # the figure beside the time that is judged
    at_least: float | None
    at_most: float | None
    remark: str
    reason: str | None = None  # why nothing was measured
    summaries: list[Summary]
    rows: list[CaseRow] = Field(default_factory=list)  # none for a total
    steps: list[StepRow] = Field(default_factory=list)  # where the target asks for them


def answer_of(target: Target, reached: Reached) -> Answer:
    """Met or not by the figure itself; its interval tells how sure that is."""
    if reached.value is None or not math.isfinite(reached.value) or reached.value < 0:
        return "not measured"
    return "met" if target.reached_by(reached.value) else "not met"


def is_resolved(target: Target, reached: Reached, rules: Rules) -> bool | None:
    """Whether the distance from what was asked exceeds both the interval and the noise floor."""
    if reached.value is None or reached.lo is None or reached.hi is None:
        return None
    if (reached.pairs or 0) < rules.min_pairs or reached.value <= 0:
        return False
    clear = abs(math.log(reached.value / target.figure)) > math.log1p(reached.floor or 0.0)
    return clear and not reached.lo <= target.figure <= reached.hi


def _judged(target: Target, opponent: str | None, reached: Reached, rules: Rules) -> Judged:
    return Judged(
        opponent=opponent,
        reached=reached,
        answer=answer_of(target, reached),
        resolved=is_resolved(target, reached, rules),
    )


def covered(target: Target, experiment: ExperimentResult, targets: Targets) -> list[CaseResult]:
    """Return the cases that a target is about. Raises Misuse where it names a parameter that no case has."""
    parameters = [targets.parameters(case.parameters) for case in experiment.cases]
    known = {name for given in parameters for name in given}
    for name in target.where:
        if name not in known:
            raise Misuse(
                f"target {target.id}: 'where' names {name!r}, which no case of size {target.size} has; "
                f"{nearest(name, sorted(known))}"
            )
    return [case for case, given in zip(experiment.cases, parameters, strict=True) if target.covers(given)]


def case_row(target: Target, case: CaseResult, targets: Targets, rules: Rules) -> CaseRow:
    """Judge one case against every opponent."""
    opponents: Sequence[str | None] = target.against or [None]
    row = CaseRow(
        case=case.case,
        judged=[_judged(target, one, on_case(target, case, one, targets), rules) for one in opponents],
    )
    subject = matching(measured(case.rungs, "rung"), target.subject)
    if subject is not None:
        row.algorithm, row.error = subject.algorithm, subject.error
        row.seconds, row.rate = subject.median_s, subject.rate
        row.roof_fraction, row.limit_by = subject.roof_fraction, subject.limit_by
        if target.algorithm is not None and not fnmatchcase(row.algorithm or "", target.algorithm):
            for judged in row.judged:
                judged.answer, judged.resolved = "not asked", None
    return row


def summary(opponent: str | None, named: Sequence[tuple[str, Judged]]) -> Summary:
    """Sum up the figures of all cases against one opponent; bare ratios average geometrically."""
    every = len(named)
    named = [(case, judged) for case, judged in named if judged.answer != "not asked"]
    found = Summary(
        opponent=opponent,
        cases=len(named),
        not_asked=every - len(named),
        met=sum(judged.answer == "met" for _, judged in named),
        not_measured=sum(judged.answer == "not measured" for _, judged in named),
        not_resolved=sum(judged.resolved is False for _, judged in named),
    )
    values = [
        (judged.reached.value, case)
        for case, judged in named
        if judged.answer != "not measured" and judged.reached.value is not None
    ]
    if values:
        figures = [value for value, _ in values]
        positive = all(figure > 0 for figure in figures)
        found.geometric_mean = math.exp(math.fsum(map(math.log, figures)) / len(figures)) if positive else 0.0
        found.smallest, found.smallest_case = min(values, key=lambda pair: pair[0])
        found.largest, found.largest_case = max(values, key=lambda pair: pair[0])
    return found


def judge(target: Target, experiment: ExperimentResult | None, targets: Targets, rules: Rules) -> TargetJudgement:
    """Judge one target on the campaign of its size; None where there is no such campaign."""
    opponents: Sequence[str | None] = target.against or [None]
    found = TargetJudgement(
        id=target.id,
        asked=target.asked,
        size=target.size,
        measure=target.measure,
        named=target.named,
        at_least=target.at_least,
        at_most=target.at_most,
        remark=target.remark.strip(),
        summaries=[summary(opponent, []) for opponent in opponents],
    )
    if experiment is None:
        found.reason = f"no campaign of size {target.size}"
        return found
    if target.measure == "total":
        for place, against in enumerate(target.against):
            judged = _judged(target, against, in_total(target, experiment, against), rules)
            found.summaries[place] = summary(against, [("the total", judged)])
            found.reason = judged.reached.reason
        return found
    found.rows = [case_row(target, case, targets, rules) for case in covered(target, experiment, targets)]
    found.summaries = [
        summary(opponent, [(row.case, row.judged[place]) for row in found.rows])
        for place, opponent in enumerate(opponents)
    ]
    for place in range(1, len(found.summaries)):
        pairs = [(row.judged[place].reached, row.judged[0].reached) for row in found.rows]
        if pairs and all((one.against, one.value) == (first.against, first.value) for one, first in pairs):
            found.summaries[place].same_as = found.summaries[0].opponent
    if not found.rows:
        found.reason = f"no case of size {target.size} is covered"
    return found
