"""The machine did not hold still: other programs, the hypervisor, a quota, the memory's speed, changed files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rooftop.documents import Doubt
from rooftop.doubts import Evidence
from rooftop.measure.limits import BANDWIDTHS
from rooftop.text.plural import plural

ORDER = 10

CHANGED_FILES = "changed_files"  # where the conditions of a session have them

_BUSY_LOAD = 0.5  # load average per core, before the campaign's own work
_MUCH = 0.01  # of the time that was stolen, of the periods that were throttled
_DRIFT = 1.2
_FAR = 4.0  # times the least latency: of 294 looks at a Zen 5, 23 to 66 ns within a cache, 177 to 209 between two


def _changed_files(evidence: Evidence) -> Iterator[Doubt]:
    files = dict.fromkeys(file for conditions in evidence.conditions for file in conditions.get(CHANGED_FILES) or ())
    yield from Doubt.about_all(
        "Samples of several programs are compared as one: files were changed while they were measured",
        list(files),
        "Measure again, and leave them as they are until the end: measure a copy, or revisions with gate",
    )


def _busy(evidence: Evidence) -> Iterator[Doubt]:
    load = evidence.conditions[0].get("load") if evidence.conditions else None
    cores = max(evidence.document.machine.cores, 1)
    if isinstance(load, list) and load and float(load[0]) > _BUSY_LOAD * cores:
        yield Doubt(
            doubt="The machine was busy with something else",
            evidence=f"load average {float(load[0]):.2f} on {plural(cores, 'core')} when the campaign began",
            remedy="Stop other programs, wait a minute, and measure again",
        )


def _steal(conditions: dict[str, Any]) -> float | None:
    steal = conditions.get("steal")
    share = steal.get("over_campaign", steal.get("over_interval")) if isinstance(steal, dict) else None
    return float(share) if isinstance(share, (int, float)) else None


def _stolen(evidence: Evidence) -> Iterator[Doubt]:
    shares = [share for conditions in evidence.conditions if (share := _steal(conditions)) is not None]
    if shares and max(shares) > _MUCH:
        yield Doubt(
            doubt="The hypervisor took processor time away",
            evidence=f"up to {max(shares):.1%} of the time was stolen",
            remedy="Measure at another time, or on a machine of your own; give a larger --budget",
        )


def _throttled(evidence: Evidence) -> Iterator[Doubt]:
    shares, quotas = [], []
    for conditions in evidence.conditions:
        group = conditions.get("cgroup")
        if isinstance(group, dict) and isinstance(share := group.get("throttled_over_campaign"), (int, float)):
            shares.append(float(share))
            quotas.append(group.get("cpu_quota"))
    if shares and max(shares) > _MUCH:
        quota = quotas[shares.index(max(shares))]
        of = f"of {quota:g} CPUs " if isinstance(quota, (int, float)) else ""
        yield Doubt(
            doubt="The control group's quota stopped what was measured",
            evidence=f"its quota {of}was used up in {max(shares):.0%} of the periods in which it had work",
            remedy="Measure where there is no quota (cpu.max), or use fewer threads than it allows: times are those of "
            "the quota, in steps of its period",
        )


def _drifting_memory(evidence: Evidence) -> Iterator[Doubt]:
    for metric in BANDWIDTHS:
        values = [roof.value for roof in evidence.measured if roof.metric == metric and roof.level == "memory"]
        if values and max(values) > _DRIFT * min(values):
            yield Doubt(
                doubt="The memory's speed drifted during the campaign",
                evidence=f"{metric} bandwidth between {min(values) / 1e9:.1f} and {max(values) / 1e9:.1f} GB/s",
                remedy="Paired ratios still hold, and roofs are the best seen; measure again at a quieter time",
            )
            return


def _wandering_processors(evidence: Evidence) -> Iterator[Doubt]:
    """Look for processors that the hypervisor moved: at times two of them shared a cache, at others they did not."""
    times: dict[tuple[str, str], list[float]] = {}
    for roof in evidence.measured:
        if roof.metric == "core_to_core":
            times.setdefault((str(roof.detail.get("from")), str(roof.detail.get("to"))), []).append(roof.value)
    moved = [
        f"{min(values) * 1e9:.0f} to {max(values) * 1e9:.0f} ns between {pair[0]} and {pair[1]}"
        for pair, values in times.items()
        if max(values) > _FAR * min(values)
    ]
    yield from Doubt.about_all(
        "The hypervisor moved processors: some shared a cache only part of the time",
        moved,
        "Paired ratios hold for the placements that occurred, and threads that exchange much data suffer most: "
        "measure again, or on a machine whose processors are pinned",
        lead="a cache line took ",
    )


def find(evidence: Evidence) -> Iterator[Doubt]:
    for look in (_changed_files, _busy, _stolen, _throttled, _drifting_memory, _wandering_processors):
        yield from look(evidence)
