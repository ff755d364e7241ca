"""The document printed by ``rooftop pin --json``."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

from pydantic import Field

from rooftop.compare.document import CompareDocument
from rooftop.documents import Doubt
from rooftop.files.document import Document
from rooftop.machine.processor import format_cpu_list
from rooftop.observe.recording import Recording
from rooftop.observe.threads import Ground, ThreadStory
from rooftop.pin.findings import Placement


class ThreadFigures(Document):
    """One thread. Times are in seconds, CPU lists in Linux's format."""

    pid: int
    tid: int
    name: str
    rank: int | None = None
    allowed: str  # CPUs on which it may run, as last read
    busy: bool  # whether it ran for a tenth of the time, or wanted to run for half of it
    seen_s: float  # time during which it was observed
    run_s: float
    wait_s: float  # ready to run without a CPU; 0 if the kernel does not report it
    shares: dict[int, float]  # share of its running time by CPU
    migrations: int
    migrations_per_s: float
    voluntary_switches: int
    involuntary_switches: int


class CpuFigures(Document):
    """One usable CPU."""

    cpu: int
    core: int  # lowest CPU of its core, which all hardware threads of the core share
    node: int
    command: float  # share of the time during which busy threads of the command ran on it
    anybody: float | None = None  # share of the time during which any program ran on it, as counted by the system


class Sampling(Document):
    """Number and cost of the samples."""

    looks: int
    interval_s: float | None  # median time between samples
    spent_s: float  # CPU time used for sampling
    share: float  # that time as a share of one CPU


class FixLine(Document):
    """A line to copy. `launcher` is a launcher's name, or "openmp" if the program is started without one."""

    launcher: str
    line: str


class PinDocument(Document):
    """Where the threads of a command ran, the problems found, the fix, and what the problems cost."""

    schema_: Literal["rooftop/pin/1"] = Field(default="rooftop/pin/1", alias="schema")
    rooftop: str
    started: str  # ISO 8601, UTC
    command: list[str]
    status: int | None  # exit code, or the negative number of the signal that ended it; None: interrupted
    failure: str | None = None  # why the run counts as failed
    cut: bool = False  # whether it was stopped after the time given by --for
    elapsed_s: float
    at_once: int  # number of threads busy at once, for at least a quarter of the time when any was busy
    quota: float | None = None  # CPU quota of the control group, in CPUs
    sampling: Sampling
    threads: list[ThreadFigures]
    cores: list[CpuFigures]
    findings: list[Placement]
    hints: list[Placement]
    fixes: list[FixLine] = Field(default_factory=list)
    fix: str | None = None  # the line used for the comparison
    no_fix: str | None = None  # why there is no fix
    left: list[str] | None = None  # names of the findings with the fix; None: not observed
    doubts: list[Doubt] = Field(default_factory=list)  # about the observation
    cost: CompareDocument | None = None  # comparison of the command as given with the fixed one
    no_cost: str | None = None  # why there was no comparison


def thread_figures(story: ThreadStory) -> ThreadFigures:
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
    """Return the usable CPUs with their usage by the command and in total."""
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
    between = sorted(later.at_ns - before.at_ns for before, later in pairwise(recording.looks))
    return Sampling(
        looks=len(recording.looks),
        interval_s=between[len(between) // 2] * 1e-9 if between else None,
        spent_s=recording.spent_ns * 1e-9,
        share=recording.spent_ns / recording.elapsed_ns if recording.elapsed_ns > 0 else 0.0,
    )
