"""Cases made of recordings, for testing how they are measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rooftop.driver.replay import Recording, ReplayExecutor
from rooftop.ladder.discovery import Module
from rooftop.launchers.team import Team
from rooftop.measure.arms import Arm, Role, Sample
from rooftop.measure.case_run import CaseRun
from rooftop.measure.case_state import CaseState, Terms
from rooftop.measure.rules import Rules
from rooftop.measure.setup_times import RunTimes


def module(name: str, role: Role = "rung") -> Module:
    """Make a module that exists in name only."""
    path = Path("/nowhere") / name
    return Module(name, "peer" if role == "peer" else "rung", path, path, "An idea", None, "built", ("driver",))


@dataclass
class MemoryJournal:
    """Keeps all in lists."""

    samples: list[tuple[str, str, Sample]] = field(default_factory=list)
    outcomes: list[tuple[str, str | None]] = field(default_factory=list)

    def arm_changed(self, case: CaseState, arm: Arm) -> None:
        self.outcomes.append((arm.name, arm.outcome))

    def sample_taken(self, case: CaseState, arm: Arm, sample: Sample) -> None:
        self.samples.append((arm.name, arm.role, sample))

    def case_changed(self, case: CaseState) -> None:
        pass


class Blind:
    """Watches nothing."""

    def progressed(self, case: CaseState, doing: str) -> None:
        pass


@dataclass
class Measured:
    """A finished case, and what its making left behind."""

    state: CaseState
    executor: ReplayExecutor
    journal: MemoryJournal

    def arm(self, name: str, role: Role | None = None) -> Arm:
        return next(arm for arm in self.state.arms if arm.name == name and role in (None, arm.role))


def measure(
    rungs: Mapping[str, Recording],
    peers: Mapping[str, Recording] | None = None,
    *,
    share_s: float = 60.0,
    twins: Mapping[str, Recording] | None = None,
    available: int = 1 << 40,
    known: RunTimes | None = None,
    slow_limit_s: float | None = None,
    hang_limit_s: float = 120.0,
    rules: Rules | None = None,
) -> Measured:
    """Measure one case on replayed times."""
    arms = [Arm(module(name), "rung") for name in rungs]
    arms += [Arm(module(name, "peer"), "peer") for name in peers or {}]
    state = CaseState("replay", "quick", "case", {"n": 1}, 1e6, arms)
    executor = ReplayExecutor({**rungs, **(peers or {})}, twins, available)
    journal = MemoryJournal()
    terms = Terms(
        team=Team(threads=2),
        seed=1,
        share_s=share_s,
        budget="1m",
        hang_limit_s=hang_limit_s,
        slow_limit_s=slow_limit_s,
        rules=rules or Rules(),
    )
    CaseRun(state, terms, executor, journal, Blind(), known).run()
    return Measured(state, executor, journal)
