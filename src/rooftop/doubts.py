"""Reasons to distrust a measurement, each with its evidence and its remedy. One function is one doubt."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from rooftop.documents import ClimbDocument, Doubt, ExperimentResult, Machine, Roof, RungResult
from rooftop.limits import BANDWIDTHS
from rooftop.measure.rules import Rules

_BUSY_LOAD = 0.5  # load average per core, before the campaign's own work
_MUCH_STEAL = 0.01
_MUCH_THROTTLED = 0.01
_HIGH_FLOOR = 0.02
_OVER_ROOF = 1.02
_DRIFT = 1.2
_FAR = 4.0  # times the least latency: of 294 looks at a Zen 5, 23 to 66 ns within a cache, 177 to 209 between two
_SHOWN = 4


@dataclass(frozen=True)
class Evidence:
    """What doubts are raised from.

    conditions  at the start and the end of every session, in the order of time
    measured    all roofs measured within the campaign, in the order of time
    floor       the campaign's A/A floor, infinite when it could not be measured
    """

    document: ClimbDocument
    conditions: Sequence[dict[str, Any]] = ()
    measured: Sequence[Roof] = ()
    floor: float = 0.0
    rules: Rules = field(default_factory=Rules)

    def timed(self) -> Iterator[tuple[str, ExperimentResult, RungResult]]:
        """Yield every rung that has a time, with its full name."""
        for experiment in self.document.experiments:
            for case in experiment.cases:
                for rung in case.rungs:
                    if rung.median_s is not None:
                        yield f"{experiment.name}/{case.case}/{rung.name}", experiment, rung


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN} more"


def _load(conditions: dict[str, Any]) -> float | None:
    load = conditions.get("load")
    return float(load[0]) if isinstance(load, list) and load else None


def _steal(conditions: dict[str, Any]) -> float | None:
    steal = conditions.get("steal")
    if not isinstance(steal, dict):
        return None
    share = steal.get("over_campaign", steal.get("over_interval"))
    return float(share) if isinstance(share, (int, float)) else None


def busy_machine(evidence: Evidence) -> Iterator[Doubt]:
    """Other programs were running before the campaign had begun to work."""
    if not evidence.conditions:
        return
    load = _load(evidence.conditions[0])
    cores = max(evidence.document.machine.cores, 1)
    if load is not None and load > _BUSY_LOAD * cores:
        yield Doubt(
            doubt="The machine was busy with something else",
            evidence=f"load average {load:.2f} on {cores} cores when the campaign began",
            remedy="Stop other programs, wait a minute, and measure again",
        )


def stolen_time(evidence: Evidence) -> Iterator[Doubt]:
    """The hypervisor gave the processor to others."""
    shares = [share for conditions in evidence.conditions if (share := _steal(conditions)) is not None]
    if shares and max(shares) > _MUCH_STEAL:
        yield Doubt(
            doubt="The hypervisor took processor time away",
            evidence=f"up to {max(shares):.1%} of the time was stolen",
            remedy="Measure at another time, or on a machine of your own; give a larger --budget",
        )


def throttled(evidence: Evidence) -> Iterator[Doubt]:
    """The quota of the control group stopped what was measured."""
    shares, quotas = [], []
    for conditions in evidence.conditions:
        group = conditions.get("cgroup")
        if isinstance(group, dict) and isinstance(share := group.get("throttled_over_campaign"), (int, float)):
            shares.append(float(share))
            quotas.append(group.get("cpu_quota"))
    if shares and max(shares) > _MUCH_THROTTLED:
        quota = quotas[shares.index(max(shares))]
        of = f"of {quota:g} CPUs " if isinstance(quota, (int, float)) else ""
        yield Doubt(
            doubt="The control group's quota stopped what was measured",
            evidence=f"its quota {of}was used up in {max(shares):.0%} of the periods in which it had work",
            remedy="Measure where there is no quota (cpu.max), or use fewer threads than it allows: times are those of "
            "the quota, in steps of its period",
        )


def high_floor(evidence: Evidence) -> Iterator[Doubt]:
    """Identical programs differed."""
    if evidence.floor == float("inf"):
        if any(True for _ in evidence.timed()):
            yield Doubt(
                doubt="The noise floor could not be measured",
                evidence="no two drivers of one rung were sampled in pairs",
                remedy="Give a larger --budget, or free memory so that a second driver fits",
            )
    elif evidence.floor > _HIGH_FLOOR:
        yield Doubt(
            doubt="Two drivers of the same rung differ",
            evidence=f"A/A floor {evidence.floor:.1%}: smaller effects are not claimed",
            remedy="Quieten the machine (governor, other programs, SMT neighbours), or give larger cases",
        )


def over_the_roof(evidence: Evidence) -> Iterator[Doubt]:
    """A figure above its limit: the model, the data size or the roof is wrong."""
    over = [
        f"{name} {rung.roof_fraction:.0%}"
        for name, _, rung in evidence.timed()
        if rung.roof_fraction is not None and rung.roof_fraction > _OVER_ROOF
    ]
    if over:
        yield Doubt(
            doubt="A rung is faster than its own roof",
            evidence=_some(over),
            remedy="Check the rung's work() and which level holds its data; measure again: rooftop probe --refresh",
        )


def few_pairs(evidence: Evidence) -> Iterator[Doubt]:
    """A comparison rests on fewer pairs than a verdict needs."""
    few: list[str] = []
    for name, _, rung in evidence.timed():
        few += [
            f"{name} vs {comparison.against} ({comparison.pairs})"
            for comparison in rung.comparisons
            if comparison.pairs < evidence.rules.min_pairs
        ]
    if few:
        yield Doubt(
            doubt=f"Too few pairs for a verdict (under {evidence.rules.min_pairs})",
            evidence=_some(few),
            remedy="Give a larger --budget, or fewer rungs with --only",
        )


def unresolved(evidence: Evidence) -> Iterator[Doubt]:
    """Enough pairs, and still no verdict: the effect is smaller than what could be seen."""
    open_ones: list[str] = []
    for name, _, rung in evidence.timed():
        for comparison in rung.comparisons:
            if (
                comparison.verdict == "not resolved"
                and comparison.pairs >= evidence.rules.min_pairs
                and rung.kind == "rung"
            ):
                span = f"{comparison.lo:.3f} to {comparison.hi:.3f}"
                open_ones.append(f"{name} vs {comparison.against} ({span}, floor {comparison.floor:.1%})")
    if open_ones:
        yield Doubt(
            doubt="Some comparisons are not resolved, which does not mean equal",
            evidence=_some(open_ones),
            remedy="Give a larger --budget; where the effect is under the floor, no budget helps",
        )


def binding_not_as_asked(evidence: Evidence) -> Iterator[Doubt]:
    """Fewer threads than asked for, or several bound to one core."""
    odd: list[str] = []
    for name, experiment, rung in evidence.timed():
        if not rung.binding or rung.kind != "rung":
            continue
        cores = {core for thread in rung.binding for core in thread}
        asked = rung.threads or experiment.threads
        if len(rung.binding) != asked:
            odd.append(f"{name} has {len(rung.binding)} threads, asked for {asked}")
        elif len(cores) < min(asked, evidence.document.machine.cores):
            odd.append(f"{name} has {asked} threads on {len(cores)} cores")
    if odd:
        yield Doubt(
            doubt="Threads were not bound as asked",
            evidence=_some(odd),
            remedy="Check taskset, cgroup cpusets and OMP_ variables, or give --threads",
        )


def drifting_memory(evidence: Evidence) -> Iterator[Doubt]:
    """The memory's bandwidth changed in the course of the campaign."""
    for metric in BANDWIDTHS:
        values = [roof.value for roof in evidence.measured if roof.metric == metric and roof.level == "memory"]
        if values and max(values) > _DRIFT * min(values):
            yield Doubt(
                doubt="The memory's speed drifted during the campaign",
                evidence=f"{metric} bandwidth between {min(values) / 1e9:.1f} and {max(values) / 1e9:.1f} GB/s",
                remedy="Paired ratios still hold, and roofs are the best seen; measure again at a quieter time",
            )
            return


def wandering_processors(evidence: Evidence) -> Iterator[Doubt]:
    """The hypervisor moved processors: at times two of them shared a cache, at others they did not."""
    times: dict[tuple[str, str], list[float]] = {}
    for roof in evidence.measured:
        if roof.metric == "core_to_core":
            times.setdefault((str(roof.detail.get("from")), str(roof.detail.get("to"))), []).append(roof.value)
    moved = [
        f"{min(values) * 1e9:.0f} to {max(values) * 1e9:.0f} ns between {pair[0]} and {pair[1]}"
        for pair, values in times.items()
        if max(values) > _FAR * min(values)
    ]
    if moved:
        yield Doubt(
            doubt="Processors did not stay where they were: some shared a cache only for a part of the time",
            evidence=f"a cache line took {_some(moved)}",
            remedy="Paired ratios hold for the mix that was seen, and threads that exchange much suffer most: "
            "measure again, or on a machine whose processors are pinned",
        )


def no_roofs(evidence: Evidence) -> Iterator[Doubt]:
    """No limit could be computed."""
    lacking = [name for name, _, rung in evidence.timed() if rung.limit is None and rung.kind == "rung"]
    if lacking:
        yield Doubt(
            doubt="Some rungs stand beside no limit",
            evidence=_some(lacking),
            remedy="Measure the machine (rooftop probe), and let the rung's work() say what it does",
        )


DOUBTS: tuple[Callable[[Evidence], Iterator[Doubt]], ...] = (
    busy_machine,
    stolen_time,
    throttled,
    high_floor,
    over_the_roof,
    few_pairs,
    unresolved,
    binding_not_as_asked,
    drifting_memory,
    wandering_processors,
    no_roofs,
)


def raise_doubts(evidence: Evidence) -> list[Doubt]:
    """Return every doubt that the evidence supports."""
    return [doubt for find in DOUBTS for doubt in find(evidence)]


def about_the_machine(machine: Machine, conditions: list[dict[str, Any]], floor: float | None) -> list[Doubt]:
    """Return the doubts of a measurement of commands: those about the machine, as a climb has them."""
    evidence = Evidence(
        ClimbDocument(rooftop="", campaign="", started="", machine=machine, experiments=[]),
        conditions,
        floor=floor if floor is not None else float("inf"),
    )
    return [doubt for raise_ in (busy_machine, stolen_time, throttled, high_floor) for doubt in raise_(evidence)]
