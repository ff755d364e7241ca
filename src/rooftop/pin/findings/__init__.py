"""What is wrong with where threads are. One file is one kind of finding; none looks at anything but the scene.

A file with HINT finds what is worth knowing and not wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import Field

from rooftop.documents import Finding
from rooftop.machine.cpu_list import format_cpu_list
from rooftop.machine.places import Places
from rooftop.pin.threads import Scene, ThreadStory
from rooftop.plugins import found as found_by_files

UNUSED = 0.01  # of a CPU's time


class Placement(Finding):
    """One thing that is wrong with where threads are, or in a hint one that is worth knowing.

    cpus     a list as Linux writes it: those that the finding is about
    threads  their numbers (tid)
    """

    name: str = Field(alias="finding")
    cpus: str = ""
    threads: list[int] = Field(default_factory=list)


@dataclass(frozen=True)
class Ground:
    """What a finding is judged from.

    quota    CPUs' worth of time that the control group allows; None: any
    anybody  CPU to the share of time in which anybody used it, as far as the system tells
    """

    scene: Scene
    places: Places
    quota: float | None = None
    anybody: Mapping[int, float] = field(default_factory=dict)

    @property
    def level(self) -> int:
        """How many threads are busy at once."""
        return self.scene.level()

    def used(self) -> frozenset[int]:
        """Return the usable CPUs on which busy threads ran for more than a hundredth of the time."""
        return frozenset(cpu for cpu, share in self.scene.carried().items() if share > UNUSED) & self.cpus

    def others(self) -> dict[int, float]:
        """Return CPU to the share of time in which something else used it."""
        carried = self.scene.carried()
        return {cpu: max(0.0, self.anybody.get(cpu, 0.0) - carried.get(cpu, 0.0)) for cpu in sorted(self.cpus)}

    @property
    def cpus(self) -> frozenset[int]:
        """The usable CPUs."""
        return self.places.cpus


def cpus_text(cpus: frozenset[int] | set[int]) -> str:
    """Return CPUs in words."""
    return f"CPU{'' if len(cpus) == 1 else 's'} {format_cpu_list(cpus)}"


def busy_threads(count: int) -> str:
    """Return a number of busy threads in words."""
    return f"{count} busy thread{'' if count == 1 else 's'}"


def waited(stories: Sequence[ThreadStory]) -> float:
    """Return the share of the time in which threads wanted a CPU that they waited for one."""
    wait_s = sum(story.wait_s for story in stories)
    return wait_s / max(wait_s + sum(story.run_s for story in stories), 1e-9)


def made(name: str, stories: Sequence[ThreadStory], cpus: frozenset[int] | set[int], said: str, do: str) -> Placement:
    """Return a finding about threads and CPUs."""
    tids = [story.thread.tid for story in stories]
    return Placement(finding=name, evidence=said, remedy=do, cpus=format_cpu_list(cpus), threads=tids)


def found(ground: Ground, *, hints: bool = False) -> list[Placement]:
    """Return all findings, or all hints."""
    return found_by_files(__name__, ground, lambda kind: hasattr(kind, "HINT") == hints)
