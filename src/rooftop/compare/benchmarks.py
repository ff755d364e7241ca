"""Every benchmark of Google Benchmark judged by itself: the same samples, one benchmark's time as the metric.

Each has its own A/A floor. That many verdicts are given at once is corrected for: a claim is a verdict that stands
after Holm's correction over all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rooftop.command.google_benchmark import CPU_TIME, REAL_TIME
from rooftop.compare.advice import Family, advice
from rooftop.compare.document import (
    Benchmark,
    BenchmarkComparison,
    BenchmarkTime,
    Between,
    CompareDocument,
    RungCases,
    floor_of,
    weighed_pairs,
)
from rooftop.documents import Machine
from rooftop.measure.arms import Arm
from rooftop.measure.case_state import CaseState
from rooftop.measure.compare import LEVEL, spread, told
from rooftop.measure.correction import holm, level_of
from rooftop.measure.figures import judged_by, names_in_all
from rooftop.measure.limits import limit
from rooftop.measure.metric import Metric
from rooftop.measure.rules import Rules
from rooftop.subject.driver import CASE_TIME
from rooftop.subject.rung import Rung

Failures = Mapping[tuple[str, ...], Mapping[str, str]]


def without_failed(case: CaseState, failures: Failures) -> CaseState:
    """Return the case without the times of benchmarks that failed in any run: they count nowhere."""

    def clean(arm: Arm) -> Arm:
        failed = {
            f"{prefix}{name}" for name in failures.get(arm.module.command, {}) for prefix in (REAL_TIME, CPU_TIME)
        }
        samples = [
            replace(one, figures={name: value for name, value in (one.figures or {}).items() if name not in failed})
            for one in arm.samples
        ]
        return replace(arm, samples=samples) if failed else arm

    return replace(case, arms=[clean(arm) for arm in case.arms])


def _time(arm: Arm, name: str, failures: Failures) -> BenchmarkTime | None:
    """Return a benchmark's time in one program; None where that program does not have it."""
    own = name.removeprefix(arm.metric.figure or "")
    having = [sample for sample in arm.samples if name in (sample.figures or {})]
    reason = failures.get(arm.module.command, {}).get(own)
    if not having and reason is None:
        return None
    zeros = sum((sample.figures or {})[name] == 0 for sample in having)
    if reason is None and zeros:
        figure = (arm.metric.figure or "").rstrip(":")
        reason = f"its {figure} is 0 in {zeros} of {len(arm.samples)} runs, below the resolution of its clock"
    if reason is None and len(having) < len(arm.samples):
        reason = f"it has a time in {len(having)} of {len(arm.samples)} runs"
    if reason is not None:
        return BenchmarkTime(command=arm.name, outcome="failed", reason=reason)
    subject = judged_by(arm, name)
    values = spread([subject.value(sample) for sample in subject.samples])
    assert values is not None
    lo, hi = (values.lo, values.hi) if values.proven else (None, None)
    return BenchmarkTime(command=arm.name, outcome="ok", median=values.median, lo=lo, hi=hi)


def _names(arms: Sequence[Arm], failures: Failures) -> list[str]:
    """Return all benchmarks that any program has, in the order in which they come."""
    found: dict[str, None] = {}
    for arm in arms:
        for sample in arm.samples:
            found |= dict.fromkeys(arm.metric.all_names(sample.figures or {}))
        found |= {f"{arm.metric.figure}{name}": None for name in failures.get(arm.module.command, {})}
    return list(found)


def benchmarks(case: CaseState, rules: Rules, failures: Failures) -> list[Benchmark]:
    """Return every benchmark of every command that is ok. `failures`: reasons by a command's words and the name."""
    commands = [arm for arm in case.arms if arm.role == "command" and arm.outcome == "ok"]
    judged: list[tuple[Benchmark, Between]] = []
    found: list[Benchmark] = []
    for name in _names(commands, failures):
        times = [time for arm in commands if (time := _time(arm, name, failures)) is not None]
        prefix = commands[0].metric.figure or ""
        benchmark = Benchmark(name=name.removeprefix(prefix), times=times)
        found.append(benchmark)
        usable = {time.command for time in times if time.outcome == "ok"}
        arms = [judged_by(arm, name) for arm in case.arms if arm.name in usable and name in names_in_all(arm)]
        benchmark.floor = floor_of(replace(case, arms=arms), rules)
        judged += [(benchmark, between) for between in weighed_pairs(arms, benchmark.floor, rules, case.base)]
    corrected = holm([between.weighed.p for _, between in judged])
    for (benchmark, one), corrected_p in zip(judged, corrected, strict=True):
        verdict = one.weighed.verdict(LEVEL)
        after = one.weighed.verdict(level_of(one.weighed.p, corrected_p))
        family = Family(len(judged), corrected_p)
        benchmark.comparisons.append(
            BenchmarkComparison(
                **told(one.against.name, one.weighed).model_dump(),
                subject=one.subject.name,
                advice=advice(one.pairs, one.weighed, benchmark.floor, rules, family),
                p=one.weighed.p,
                corrected_p=corrected_p,
                claimed=verdict != "not resolved" and after == verdict,
            )
        )
    return found


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
