"""Progress of a climb, and the interface of those that show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from rooftop.documents import Machine
from rooftop.ladder.experiment import Experiment
from rooftop.measure.case_state import CaseState


@dataclass
class Outlook:
    """State of a climb, updated while it runs. `done` counts finished cases; `floor` is the A/A noise floor."""

    campaign: str
    cases: Sequence[CaseState]
    declarations: Mapping[str, Experiment]
    machine: Machine
    threads: int
    budget_s: float
    done: int = 0
    floor: float = field(default=float("inf"))


class ClimbWatcher(Protocol):
    """Receives progress, only between samples, so that nothing is drawn while a rung is timed."""

    def remark(self, message: str) -> None:
        """Print one line."""
        ...

    def began(self, outlook: Outlook) -> None:
        """Called when the campaign starts to measure."""
        ...

    def progressed(self, case: CaseState, doing: str) -> None:
        """See measure.case_state.Watcher."""
        ...

    def case_finished(self, case: CaseState) -> None:
        """Called when a case is finished."""
        ...


class Unwatched:
    """A ClimbWatcher that shows nothing."""

    def remark(self, message: str) -> None:
        """See ClimbWatcher."""

    def began(self, outlook: Outlook) -> None:
        """See ClimbWatcher."""

    def progressed(self, case: CaseState, doing: str) -> None:
        """See ClimbWatcher."""

    def case_finished(self, case: CaseState) -> None:
        """See ClimbWatcher."""
