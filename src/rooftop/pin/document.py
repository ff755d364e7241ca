"""What ``rooftop pin --json`` prints."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

from pydantic import Field

from rooftop.compare.document import CompareDocument
from rooftop.documents import Doubt
from rooftop.files.document import Document
from rooftop.machine.processor import format_cpu_list
from rooftop.pin.findings import Placement
from rooftop.pin.recording import Recording
from rooftop.pin.threads import Ground, ThreadStory


class ThreadFigures(Document):
    """One thread. Times in seconds, lists of CPUs as Linux writes them."""

    pid: int
    tid: int
    name: str
    rank: int | None = None
    allowed: str  # where it may run, as last seen
    busy: bool  # whether it ran, or was ready to, for more than a tenth of the time
    seen_s: float  # while it was looked at
    run_s: float
    wait_s: float  # ready to run without a CPU; 0 where the kernel does not tell
    shares: dict[int, float]  # CPU to the share of its running time there
    migrations: int
    migrations_per_s: float
    voluntary_switches: int
    involuntary_switches: int


class CpuFigures(Document):
    """One usable CPU."""

    cpu: int
    core: int  # the lowest CPU of its core: hardware threads of one core have the same
    node: int
    command: float  # share of the time in which busy threads of the command ran on it
    anybody: float | None = None  # share of the time in which anybody did, as the system counts


class Sampling(Document):
    """Number of samples, and what sampling cost."""

    looks: int
    interval_s: float | None  # the median between looks
    spent_s: float  # processor time of the looking
    share: float  # of one CPU's time


class FixLine(Document):
    """A line to copy. `launcher`: its name, or openmp where none starts the program."""

    launcher: str
    line: str


class PinDocument(Document):
    """Where the threads of a command ran, the problems found, and the fix."""

    schema_: Literal["rooftop/pin/1"] = Field(default="rooftop/pin/1", alias="schema")
    rooftop: str
    started: str  # ISO 8601, UTC
    command: list[str]
    status: int | None  # its exit code, or minus the signal that ended it; None: interrupted
    failure: str | None = None  # why it did not end as it should
    cut: bool = False  # it was ended because it had been looked at for long enough
    elapsed_s: float
    at_once: int  # busy threads at once, for a quarter of the time in which any was
    quota: float | None = None  # CPUs' worth of time that the control group allows
    sampling: Sampling
    threads: list[ThreadFigures]
    cores: list[CpuFigures]
    findings: list[Placement]
    hints: list[Placement]
    fixes: list[FixLine] = Field(default_factory=list)
    fix: str | None = None  # the line that is measured
    no_fix: str | None = None  # why there is none
    left: list[str] | None = None  # names of the findings with the fix, None where it was not looked at
    doubts: list[Doubt] = Field(default_factory=list)  # of what was seen
    cost: CompareDocument | None = None  # the command as it was given, compared with the fixed one
    no_cost: str | None = None  # why nothing was measured


def thread_figures(story: ThreadStory) -> ThreadFigures:
    """Return the figures of a thread."""
    facts = story.facts
    return ThreadFigures(
        pid=story.thread.pid,
        tid=story.thread.tid,
        name=facts.comm,
        rank=facts.rank,
        allowed=format_cpu_list(facts.allowed),
        busy=story.busy,
        seen_s=story.seen_s,
        run_s=story.run_s,
        wait_s=story.wait_s,
        shares=story.shares,
        migrations=story.moves,
        migrations_per_s=story.moves_per_s,
        voluntary_switches=facts.voluntary,
        involuntary_switches=facts.involuntary,
    )


def cpu_figures(ground: Ground) -> list[CpuFigures]:
    """Return the usable CPUs with their use by the command and in total."""
    carried = ground.scene.carried()
    return [
        CpuFigures(
            cpu=cpu,
            core=ground.places.core[cpu],
            node=ground.places.node[cpu],
            command=carried.get(cpu, 0.0),
            anybody=ground.anybody.get(cpu),
        )
        for cpu in sorted(ground.cpus)
    ]


def sampling(recording: Recording) -> Sampling:
    """Return the figures of the sampling."""
    between = sorted(later.at_ns - before.at_ns for before, later in pairwise(recording.looks))
    return Sampling(
        looks=len(recording.looks),
        interval_s=between[len(between) // 2] * 1e-9 if between else None,
        spent_s=recording.spent_ns * 1e-9,
        share=recording.spent_ns / recording.elapsed_ns if recording.elapsed_ns > 0 else 0.0,
    )
