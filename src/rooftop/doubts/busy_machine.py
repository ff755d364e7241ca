"""Other programs were running before the campaign had begun to work."""

from collections.abc import Iterator
from typing import Any

from rooftop.documents import Doubt
from rooftop.doubts import Evidence
from rooftop.text.plural import plural

ORDER = 10
ABOUT_THE_MACHINE = True

_BUSY_LOAD = 0.5  # load average per core, before the campaign's own work


def _load(conditions: dict[str, Any]) -> float | None:
    load = conditions.get("load")
    return float(load[0]) if isinstance(load, list) and load else None


def find(evidence: Evidence) -> Iterator[Doubt]:
    if not evidence.conditions:
        return
    load = _load(evidence.conditions[0])
    cores = max(evidence.document.machine.cores, 1)
    if load is not None and load > _BUSY_LOAD * cores:
        yield Doubt(
            doubt="The machine was busy with something else",
            evidence=f"load average {load:.2f} on {plural(cores, 'core')} when the campaign began",
            remedy="Stop other programs, wait a minute, and measure again",
        )
