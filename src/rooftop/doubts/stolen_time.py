"""The hypervisor gave the processor to others."""

from collections.abc import Iterator
from typing import Any

from rooftop.documents import Doubt
from rooftop.doubts import Evidence

ORDER = 20
ABOUT_THE_MACHINE = True

_MUCH_STEAL = 0.01


def _steal(conditions: dict[str, Any]) -> float | None:
    steal = conditions.get("steal")
    if not isinstance(steal, dict):
        return None
    share = steal.get("over_campaign", steal.get("over_interval"))
    return float(share) if isinstance(share, (int, float)) else None


def find(evidence: Evidence) -> Iterator[Doubt]:
    shares = [share for conditions in evidence.conditions if (share := _steal(conditions)) is not None]
    if shares and max(shares) > _MUCH_STEAL:
        yield Doubt(
            doubt="The hypervisor took processor time away",
            evidence=f"up to {max(shares):.1%} of the time was stolen",
            remedy="Measure at another time, or on a machine of your own; give a larger --budget",
        )
