"""A suspicion: what may hold a program back. Whether it does, its cures decide: see `findings.py`."""

from __future__ import annotations

from dataclasses import dataclass

CROWDED = "oversubscription"


@dataclass(frozen=True)
class Suspicion:
    """A cause.

    name      of the finding
    stake_s   seconds at stake, at most: what the run would take less if the cause were gone altogether
    evidence  what was seen
    remedy    what to do in the program itself
    cures     names of what can be tried from outside, the best first
    stands    whether it is told even if no cure helps: what was seen has no other explanation
    """

    name: str
    stake_s: float
    evidence: str
    remedy: str
    cures: tuple[str, ...] = ()
    stands: bool = True
