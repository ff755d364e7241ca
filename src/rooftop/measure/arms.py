"""One arm of a case: a rung, peer, command, point of a curve, or the twin that gives the A/A floor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import geometric_mean, median
from typing import Literal

from rooftop.documents import Outcome
from rooftop.driver.executor import Driver
from rooftop.driver.protocol import Work
from rooftop.driver.timeline import Timeline
from rooftop.ladder.discovery import Module
from rooftop.measure.metric import TIME, Metric

_NEWEST = 9  # samples that tell what a run takes now
_LONG_RUN_S = 1.0  # long_run_ns of native/include/rooftop/timing.hpp

Role = Literal["rung", "peer", "command", "point", "twin"]


@dataclass(frozen=True)
class Sample:
    """One sample. `elapsed_ns` is the slowest rank's time for all iterations; `taken_ns` is the time of day.

    `figures` are what else is known of it, each for one run.
    """

    block: int
    position: int
    iterations: int
    elapsed_ns: float
    taken_ns: int
    ranks_ns: tuple[float, ...] | None = None
    figures: dict[str, float] | None = None

    @property
    def run_s(self) -> float:
        """Seconds for one run."""
        return self.elapsed_ns * 1e-9 / self.iterations


@dataclass
class Arm:
    """A rung, peer, command, point or twin on one case.

    outcome     None while it has not been set up
    iterations  runs per sample by its own calibration, 0 before it
    run_s       estimate of one run, for planning only
    slower_than_s  a run takes longer than this: it was given up then; for planning only
    first_cost  what the first run cost in the metric, where it is known; it verifies, and is no sample
    metric      what is compared
    timeline    what its ranks did when in the run that was verified last, where the driver tells
    figures     beside the time, of the run that was verified last, where the driver tells
    key         of its row in the store
    """

    module: Module
    role: Role
    outcome: Outcome | None = None
    reason: str | None = None
    stage: str | None = None
    error: float | None = None
    tolerance: float | None = None
    work: Work | None = None
    binding: list[list[int]] | None = None
    timeline: Timeline | None = None
    figures: dict[str, float] | None = None
    iterations: int = 0
    run_s: float = 0.0
    slower_than_s: float = 0.0
    first_cost: float | None = None
    samples: list[Sample] = field(default_factory=list)
    driver: Driver | None = None
    metric: Metric = TIME
    key: int | None = None
    # By iterations: how many samples were looked at, and their costs. A race asks for them after every sample.
    _known_costs: dict[int, tuple[int, dict[int, float]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def name(self) -> str:
        """The module's name; a twin shares its rung's."""
        return self.module.name

    @property
    def alive(self) -> bool:
        """Whether it can be sampled."""
        return self.outcome == "ok" and self.driver is not None

    def add(self, sample: Sample) -> None:
        """Take a sample into account."""
        self.samples.append(sample)
        self.run_s = median(one.run_s for one in self.samples[-_NEWEST:])

    def began(self, first_s: float, figures: Mapping[str, float] | None) -> None:
        """Take the first run into account, and what it told besides its time."""
        if not self.samples:
            self.run_s = first_s
        told = figures or {}
        known = self.metric.figure is None or self.metric.figure in told or bool(self.metric.names(told))
        value = self._measured(first_s, told) if known else None
        self.first_cost = self.metric.cost(value) if value else None

    def likely_cost(self) -> float | None:
        """Return what a run costs in the metric by the newest samples, else by the first run; None: unknown."""
        if self.samples:
            return median(self.metric.cost(self.value(one)) for one in self.samples[-_NEWEST:])
        if self.first_cost is None and self.metric.figure is None and self.run_s > 0:
            # Of a first run in an earlier session, the store keeps the time only.
            return self.run_s
        return self.first_cost

    def value(self, sample: Sample) -> float:
        """Return what a sample measured, for one run, in the metric's unit."""
        return self._measured(sample.run_s, sample.figures or {})

    def _measured(self, run_s: float, figures: Mapping[str, float]) -> float:
        if self.metric.figure is None:
            return run_s
        if self.metric.each:
            return geometric_mean(figures[name] for name in self.metric.names(figures))
        return figures[self.metric.figure]

    def costs(self, iterations: int) -> Mapping[int, float]:
        """Return block to cost of the samples with this many iterations: of two arms, the lower is the faster."""
        looked_at, known = self._known_costs.get(iterations, (0, {}))
        for sample in self.samples[looked_at:]:
            if sample.iterations == iterations:
                known[sample.block] = self.metric.cost(self.value(sample))
        self._known_costs[iterations] = len(self.samples), known
        return known

    def cost_s(self, iterations: int) -> float:
        """Seconds that a sample takes: one untimed run unless runs are long, then the timed ones."""
        return self.run_s * (iterations + (self.run_s < _LONG_RUN_S))

    def end(self, outcome: Outcome, reason: str, stage: str | None = None) -> None:
        """Take it out of the measurement; its samples stay where they are stored."""
        self.outcome, self.reason, self.stage = outcome, reason, stage
        self.close()

    def close(self) -> None:
        """End its driver."""
        if self.driver is not None:
            self.driver.close()
            self.driver = None


def close_all(arms: Iterable[Arm]) -> None:
    """End the drivers of all of these, together: one that hangs takes a second or two."""
    held = list(arms)
    for arm in held:
        if arm.driver is not None:
            arm.driver.leave()
    for arm in held:
        arm.close()


def pair_iterations(a: Arm, b: Arm) -> int:
    """Return the iterations that both sides of a comparison take: those of the faster, so that neither is too short."""
    return max(a.iterations, b.iterations)


def paired_costs(subject: Arm, against: Arm) -> tuple[list[float], list[float]]:
    """Return the costs of both from the blocks that have both, with the same iterations, in the order of the blocks."""
    iterations = pair_iterations(subject, against)
    ours, theirs = subject.costs(iterations), against.costs(iterations)
    blocks = sorted(ours.keys() & theirs.keys())
    return [ours[block] for block in blocks], [theirs[block] for block in blocks]
