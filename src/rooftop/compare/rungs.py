"""What a comparison of rungs knows beyond one of commands: rates, the roofs that limit them, and each case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rooftop.compare.benchmarks import benchmarks
from rooftop.compare.document import CompareDocument, RungCases
from rooftop.documents import Machine
from rooftop.measure.case_state import CaseState
from rooftop.measure.limits import limit
from rooftop.measure.metric import Metric
from rooftop.measure.rules import Rules
from rooftop.subject.driver import CASE_TIME
from rooftop.subject.rung import Rung


def add_rungs(
    document: CompareDocument, case: CaseState, rungs: Mapping[str, Rung], machine: Machine, rules: Rules
) -> None:
    """Add to a document what is known of its rungs, by name. `machine`: with its roofs, as far as they are known."""
    first = next(iter(rungs.values()))
    declaration = first.declaration
    document.rungs = RungCases(
        experiment=first.experiment,
        size=first.size,
        cases=[one.name for one in first.cases],
        rate_unit=declaration.rate_unit,
    )
    works = {arm.name: arm.work for arm in case.arms if arm.role == "command"}
    for command in document.commands:
        rung, median = rungs[command.name], command.median
        if median is None:
            continue
        command.rate = rung.nominal / median / declaration.rate_scale
        isa, cold_on = rung.cases[0].isa, declaration.cold_on(rung.cases)
        bound = limit(works[command.name], machine, rung.team.workers, declaration.precision, isa, cold_on)
        if bound is not None:
            command.roof_fraction, command.limit_by = bound.seconds / median, bound.by
    if len(first.cases) > 1:
        each = Metric(CASE_TIME, "s", each=True)
        document.benchmarks = benchmarks(
            replace(case, arms=[replace(arm, metric=each) for arm in case.arms]), rules, {}
        )
