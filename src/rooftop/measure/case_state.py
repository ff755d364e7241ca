"""The state of a case under measurement, and the interfaces of what stores and shows it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from rooftop.launchers.team import Team
from rooftop.measure.arms import Arm, Sample
from rooftop.measure.pairings import Asked
from rooftop.measure.rules import Rules


class Journal(Protocol):
    """Keeps what a case yields the moment it is known."""

    def arm_changed(self, case: CaseState, arm: Arm) -> None:
        """Keep an arm's outcome and calibration."""
        ...

    def sample_taken(self, case: CaseState, arm: Arm, sample: Sample) -> None:
        """Keep a sample."""
        ...

    def case_changed(self, case: CaseState) -> None:
        """Keep the number of blocks, and why sampling ended."""
        ...


class Watcher(Protocol):
    """Receives progress, between samples only."""

    def progressed(self, case: CaseState, doing: str) -> None:
        """Show what is going on."""
        ...


@dataclass
class CaseState:
    """A case in the course of being measured.

    arms     the ladder from the bottom up, then the peers, then the twin
    blocks   rounds begun so far, of earlier sessions too
    cut      rounds that the ends of earlier sessions may have cut short: they are not of the most that there may be
    stopped  why sampling ended; None while it has not
    isa      the instruction set that all programs are held to; None where they are not
    asked    comparisons beside those of every ladder
    base     the only command that other commands are compared with; None: each with every earlier one
    cold_on  the file system whose files are not in the cache when a run begins; None where they may be
    """

    experiment: str
    size: str
    name: str
    parameters: dict[str, Any]
    nominal: float
    arms: list[Arm]
    blocks: int = 0
    cut: int = 0
    stopped: str | None = None
    key: int | None = None
    notes: list[str] = field(default_factory=list)
    asked: tuple[Asked, ...] = ()
    base: str | None = None
    isa: str | None = None
    cold_on: str | None = None

    @property
    def title(self) -> str:
        """Its full name, unique in a campaign."""
        return f"{self.experiment}/{self.size}/{self.name}"

    @property
    def others(self) -> list[Arm]:
        """The peers, commands and points."""
        return [arm for arm in self.arms if arm.role in ("peer", "command", "point")]


@dataclass(frozen=True)
class Terms:
    """On which terms a case is measured. Limits in seconds; `budget` is the whole budget, as the user wrote it.

    team        workers of every arm whose module does not say how many it has
    essentials  only what is compared most, and its fewest pairs
    at_once     the rest as well, where all of it fits into the share
    before_s    the share that the case had when only its essentials were measured
    """

    team: Team
    seed: int
    share_s: float
    budget: str
    hang_limit_s: float
    slow_limit_s: float | None = None
    essentials: bool = False
    at_once: bool = True
    before_s: float = 0.0
    clock_resolution_ns: float = 1.0
    rules: Rules = field(default_factory=Rules)

    @property
    def whole_share_s(self) -> float:
        """The case's share of the budget, all turns together."""
        return self.before_s + max(self.share_s, 0.0)
