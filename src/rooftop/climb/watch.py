"""What a campaign tells whoever watches it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from rooftop.documents import Machine
from rooftop.ladder.experiment import Experiment
from rooftop.measure.case_state import CaseState


@dataclass
class Outlook:
    """A campaign as far as it has come; kept up to date while it runs."""

    campaign: str
    cases: Sequence[CaseState]
    declarations: Mapping[str, Experiment]
    machine: Machine
    threads: int
    budget_s: float
    done: int = 0
    floor: float = field(default=float("inf"))


class ClimbWatcher(Protocol):
    """Is told of progress, between samples only, so that drawing never runs beside a timed rung."""

    def remark(self, message: str) -> None:
        """Print one line."""
        ...

    def began(self, outlook: Outlook) -> None:
        """The campaign is about to measure."""
        ...

    def progressed(self, case: CaseState, doing: str) -> None:
        """See measure.case_run.Watcher."""
        ...

    def case_finished(self, case: CaseState) -> None:
        """A case needs no more measuring."""
        ...


class Unwatched:
    """Nobody watches."""

    def remark(self, message: str) -> None:
        """See ClimbWatcher."""

    def began(self, outlook: Outlook) -> None:
        """See ClimbWatcher."""

    def progressed(self, case: CaseState, doing: str) -> None:
        """See ClimbWatcher."""

    def case_finished(self, case: CaseState) -> None:
        """See ClimbWatcher."""
