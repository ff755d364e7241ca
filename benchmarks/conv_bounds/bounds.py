"""Times that a layer cannot undercut on a core: of arithmetic alone, of stages one after the other, of memory."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.conv_bounds.cores import Core
from benchmarks.conv_bounds.stages import Layer, Stage, least_bytes, stages
from benchmarks.memory import Memory

LINE = 64


@dataclass(frozen=True)
class Machine:
    """Cores alike, at the clock at which they do their multiply-adds."""

    core: Core
    cores: int
    clock_hz: float
    memory: Memory

    @classmethod
    def at_peak(cls, core: Core, cores: int, peak: float, memory: Memory) -> Machine:
        """Return the machine whose clock explains its peak of multiply-adds, in flop/s of all cores."""
        return cls(core, cores, peak / (cores * core.multiply_adds * 2 * core.lanes), memory)


@dataclass(frozen=True)
class Bound:
    """Seconds that a layer takes at least by one algorithm.

    arithmetic  if stages overlapped as they like and nothing but arithmetic took time
    parts       of each stage by itself, with what sets it: "arithmetic", "loads", "stores", "issue", "L2"
    memory      of image, filter and output, each moved once, but for as much as the L3 cache can hold
    """

    algorithm: str
    arithmetic: float
    parts: dict[str, tuple[float, str]]
    memory: float

    @property
    def stages(self) -> float:
        """Of stages one after the other."""
        return sum(seconds for seconds, _ in self.parts.values())

    @property
    def seconds(self) -> float:
        """The larger of stages and memory."""
        return max(self.stages, self.memory)

    @property
    def by(self) -> str:
        """What sets it."""
        if self.memory > self.stages:
            return "memory"
        return ", ".join(f"{name} by {by}" for name, (_, by) in self.parts.items())


def arithmetic_cycles(stage: Stage, core: Core) -> float:
    """Return the cycles of a stage's arithmetic."""
    every = (stage.multiply_adds + stage.additions) / core.operations
    return max(stage.multiply_adds / core.multiply_adds, every)


def stage_cycles(stage: Stage, core: Core) -> tuple[float, str]:
    """Return the cycles of a stage and what sets them."""
    parts = (
        (arithmetic_cycles(stage, core), "arithmetic"),
        (stage.loads / core.loads, "loads"),
        (stage.stores / core.stores, "stores"),
        (stage.instructions / core.issue, "issue"),
        (stage.l2_lines * LINE / core.l2_bytes, "L2"),
    )
    return max(parts, key=lambda part: part[0])


def bound(layer: Layer, algorithm: str, machine: Machine) -> Bound:
    """Return the bound of a layer by "direct" or "F(m)"."""
    parts = stages(layer, algorithm, machine.core.lanes)
    rate = machine.cores * machine.clock_hz
    found = {part.name: stage_cycles(part, machine.core) for part in parts}
    whole = Stage("all", sum(part.multiply_adds for part in parts), sum(part.additions for part in parts))
    return Bound(
        algorithm,
        arithmetic_cycles(whole, machine.core) / rate,
        {name: (cycles / rate, by) for name, (cycles, by) in found.items()},
        machine.memory.seconds(least_bytes(layer, algorithm)),
    )
