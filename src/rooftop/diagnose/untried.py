"""Suspicions that nothing was tried against: neither proven nor dropped, they are told after the findings."""

from __future__ import annotations

from rooftop.diagnose.document import Cause, DiagnoseDocument
from rooftop.diagnose.findings import MOST
from rooftop.text.quantities import seconds


def untried(document: DiagnoseDocument) -> list[Cause]:
    """Return the suspicions that are no findings because no cure of theirs was tried, by the seconds at stake.

    With the findings they are five at most.
    """
    tried = {cure.name for cure in document.tried if cure.outcome != "skipped"}
    found = {cause.name for cause in document.findings}
    left = (cause for cause in document.suspected if cause.name not in found and tried.isdisjoint(cause.tried))
    return sorted(left, key=lambda cause: -cause.stake_s)[: max(0, MOST - len(document.findings))]


def why(cause: Cause) -> str:
    """Return why nothing was tried against a suspicion of these. What it has as tried was skipped."""
    cures = [*cause.tried, *cause.left_out]
    return f"left out: {', '.join(cures)}" if cures else "no cure from outside"


def line(cause: Cause) -> str:
    """Return a one-line summary of a suspicion."""
    return f"{cause.name}: at most {seconds(cause.stake_s)} at stake, {why(cause)}; seen: {cause.evidence}"
