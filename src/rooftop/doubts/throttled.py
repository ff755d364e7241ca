"""The quota of the control group stopped what was measured."""

from collections.abc import Iterator

from rooftop.documents import Doubt
from rooftop.doubts import Evidence

ORDER = 30
ABOUT_THE_MACHINE = True

_MUCH_THROTTLED = 0.01


def find(evidence: Evidence) -> Iterator[Doubt]:
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
