"""An executor that replays recorded times on a clock of its own, so that measuring can be tested without any."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

from rooftop.driver.executor import DriverFailed
from rooftop.driver.protocol import CalibrateReply, CaseReply, Description, SampleReply, VerifyReply, Work
from rooftop.ladder.discovery import Module
from rooftop.launchers.team import Team


@dataclass(frozen=True)
class Recording:
    """What a module does when replayed.

    run_ns       times of one run, sample by sample, over and over
    setup_s      what setting up and verifying costs
    outcome      of the first verification; with `reason`
    later        outcome of the verification after timing
    fails_at     fails at the sample of this number, from 0; None: never
    hangs        never answers the first request
    peak_bytes   memory it holds
    untimed      runs before those of a sample
    amounts      what a run does of something, by name: a figure is so much a second
    """

    run_ns: Sequence[float]
    setup_s: float = 0.0
    outcome: str = "ok"
    reason: str | None = None
    later: str = "ok"
    fails_at: int | None = None
    hangs: bool = False
    peak_bytes: int = 0
    untimed: int = 1
    work: Work = field(default_factory=lambda: Work(fma_flops=1e6))
    amounts: Mapping[str, float] = field(default_factory=dict)

    def figures(self, run_ns: float) -> dict[str, float]:
        """Return the figures of a run."""
        return {name: amount / (run_ns * 1e-9) for name, amount in self.amounts.items()}


class ReplayDriver:
    """See Driver."""

    def __init__(self, executor: ReplayExecutor, recording: Recording, name: str, team: Team) -> None:
        self._executor = executor
        self._recording = recording
        self._name = name
        self._team = team
        self._runs: Iterator[float] = cycle(recording.run_ns)
        self._samples = 0

    def case(self, parameters: dict[str, Any], seed: int, limit_s: float) -> CaseReply:
        """See Driver."""
        first_ns = next(self._runs)
        if self._recording.hangs or self._recording.setup_s + first_ns * 1e-9 > limit_s:
            self._executor.clock_s += limit_s
            raise DriverFailed("case", f"no answer within {limit_s:.3g} s", silent=True)
        self._executor.clock_s += self._recording.setup_s + first_ns * 1e-9
        return CaseReply.model_validate(
            {
                "protocol": 1,
                "event": "case",
                "outcome": self._recording.outcome,
                "reason": self._recording.reason,
                "error": 1e-7,
                "tolerance": 1e-5,
                "first_run_ns": first_ns,
                "figures": self._recording.figures(first_ns),
                "work": self._recording.work.model_dump(),
                "binding": [[core] for core in range(self._team.workers)],
            }
        )

    def calibrate(self, min_ns: int, limit_s: float) -> CalibrateReply:
        """See Driver."""
        run_ns, iterations = next(self._runs), 1
        while iterations * run_ns < min_ns:
            iterations *= 2
        self._executor.clock_s += 2 * iterations * run_ns * 1e-9
        return CalibrateReply(protocol=1, event="calibrate", iterations=iterations, elapsed_ns=iterations * run_ns)

    def sample(self, iterations: int, limit_s: float) -> SampleReply:
        """See Driver."""
        if self._samples == self._recording.fails_at:
            raise DriverFailed("sample", "the driver was killed by signal 11 (SIGSEGV)")
        self._samples += 1
        run_ns = next(self._runs)
        self._executor.clock_s += (iterations + self._recording.untimed) * run_ns * 1e-9
        self._executor.taken.append((self._name, iterations))
        figures = self._recording.figures(run_ns)
        return SampleReply(
            protocol=1, event="sample", iterations=iterations, elapsed_ns=iterations * run_ns, figures=figures
        )

    def verify(self, limit_s: float) -> VerifyReply:
        """See Driver."""
        self._executor.clock_s += next(self._runs) * 1e-9
        return VerifyReply.model_validate(
            {"protocol": 1, "event": "verify", "outcome": self._recording.later, "error": 1e-7, "tolerance": 1e-5}
        )

    def peak_bytes(self) -> int:
        """See Driver."""
        return self._recording.peak_bytes

    def leave(self) -> None:
        """See Driver."""

    def close(self) -> None:
        """See Driver."""
        self._executor.held_bytes -= self._recording.peak_bytes


class ReplayExecutor:
    """See Executor. `taken` lists (module, iterations) of every sample in order; twins replay `twins` if given."""

    def __init__(
        self,
        recordings: Mapping[str, Recording],
        twins: Mapping[str, Recording] | None = None,
        available: int = 1 << 40,
    ) -> None:
        self.recordings = recordings
        self.twins = twins or {}
        self.available = available
        self.clock_s = 0.0
        self.held_bytes = 0
        self.most_bytes = 0
        self.taken: list[tuple[str, int]] = []
        self.started: list[str] = []

    def describe(self, module: Module) -> Description:
        """See Executor."""
        return Description(protocol=1, module=module.name)

    def start(self, module: Module, team: Team) -> ReplayDriver:
        """See Executor."""
        again = module.name in self.started
        self.started.append(module.name)
        recording = self.twins.get(module.name) if again else None
        name = module.name + ("'" if again else "")
        chosen = recording or self.recordings[module.name]
        self.held_bytes += chosen.peak_bytes
        self.most_bytes = max(self.most_bytes, self.held_bytes)
        return ReplayDriver(self, chosen, name, team)

    def now_s(self) -> float:
        """See Executor."""
        return self.clock_s

    def available_bytes(self) -> int:
        """See Executor."""
        return self.available - self.held_bytes
