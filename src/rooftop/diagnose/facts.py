"""What was seen of a command: plain figures, from which suspicions are derived."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from pydantic import Field

from rooftop.diagnose.chunk_facts import ChunkFacts
from rooftop.diagnose.function_facts import FunctionFacts
from rooftop.diagnose.region_facts import OpenMpFacts
from rooftop.diagnose.roofline import Roofline
from rooftop.diagnose.stacks import SampledThread, Stacks
from rooftop.documents import Finding
from rooftop.files.document import Document
from rooftop.observe.profile import HotFunction
from rooftop.observe.recording import Recording, Thread
from rooftop.observe.threads import Scene

_PAIR_BYTES = 8  # of two words that a futex may have


class ThreadFacts(Document):
    """One busy thread; seconds.

    sleeps  by what it sleeps in
    nodes   shares of its running time by NUMA node
    """

    name: str
    process: int
    rank: int | None = None
    seen_s: float
    run_s: float
    wait_s: float  # ready to run without a CPU
    system_s: float
    faults: int
    switches: int  # that it asked for: it had to wait for something
    sleeps: dict[str, float] = Field(default_factory=dict)
    nodes: dict[int, float] = Field(default_factory=dict)


class Lock(Document):
    """A lock on which several threads of one process sleep: thread-seconds asleep, and threads."""

    sleep_s: float
    threads: int


class HotLoop(Document):
    """What the instructions of the function with most samples wait for, each with its share of all samples."""

    function: str
    waits: dict[str, float]


class CallFacts(Document):
    """Calls of the allocator, and of input and output with their bytes and the seconds inside.

    reread_bytes  read beyond the size of their file: they were read before
    """

    allocations: int
    allocated_bytes: int
    reads: int
    read_bytes: int
    writes: int
    written_bytes: int
    input_output_s: float
    reread_bytes: int = 0


class MpiCall(Document):
    """The calls of one name by one rank: how many, the seconds inside, and the bytes that the rank gave to be sent."""

    calls: int
    inside_s: float
    sent_bytes: int


class Sent(Document):
    """What one rank sent to another from point to point."""

    messages: int
    sent_bytes: int


class RankFacts(Document):
    """One rank of an MPI program: seconds between MPI_Init and MPI_Finalize, those inside MPI, and calls.

    to  what it sent, by the receiver's rank in MPI_COMM_WORLD
    """

    seconds: float
    inside_s: float
    calls: int
    by_name: dict[str, MpiCall] = Field(default_factory=dict)
    to: dict[int, Sent] = Field(default_factory=dict)


class Facts(Document):
    """One command.

    nodes    NUMA nodes of the CPUs
    node_cores  usable cores of each, by its number
    huge_pages  when the system backs memory by them: always, madvise or never; None: not known
    levels   seconds with none, one, two, … busy threads that run or want to
    placed   what is wrong with where threads run
    alone_s  processor time of the same command with one OpenMP thread; None: that was not looked at
    sampled  threads by their samples
    stacks   what was called from where; python_stacks: of the functions of Python
    asleep_switches_per_s  how often OpenMP threads went to sleep when told to wait asleep; None: that was not looked at
    function_calls  how often functions are called, in programs that were built to tell
    roofline  operations and memory traffic, where they are counted
    sealed   why no library can be loaded before the command's own program; None if it can
    missing  what could not be looked at, with the reason
    """

    elapsed_s: float
    cpus: int
    nodes: int = 1
    node_cores: dict[int, int] = Field(default_factory=dict)
    huge_pages: str | None = None
    ranks: int = 0
    processes: int = 0
    levels: list[float]
    user_s: float
    system_s: float
    faults: int
    threads: list[ThreadFacts]
    locks: list[Lock] = Field(default_factory=list)
    openmp: bool = False
    openmp_regions: OpenMpFacts | None = None
    hot: list[HotFunction] | None = None
    hot_loop: HotLoop | None = None
    alone_s: float | None = None
    asleep_switches_per_s: float | None = None
    sealed: str | None = None
    calls: CallFacts | None = None
    function_calls: FunctionFacts | None = None
    chunks: ChunkFacts | None = None
    mpi: list[RankFacts] | None = None
    roofline: Roofline | None = None
    placed: list[Finding] = Field(default_factory=list)
    sampled: list[SampledThread] = Field(default_factory=list)
    stacks: Stacks | None = None
    python_stacks: Stacks | None = None
    missing: list[str] = Field(default_factory=list)

    def sleep_s(self, kind: str) -> float:
        """Return the thread-seconds that busy threads sleep in something."""
        return sum(thread.sleeps.get(kind, 0.0) for thread in self.threads)

    def at_level(self, count: int) -> float:
        """Return the seconds with so many busy threads at once."""
        return self.levels[count] if count < len(self.levels) else 0.0


def _sleeps(recording: Recording) -> tuple[dict[Thread, dict[str, float]], dict[tuple[int, int], dict[Thread, float]]]:
    """Return what threads sleep in, and who sleeps on which lock of which process, in seconds."""
    of_thread: dict[Thread, dict[str, float]] = {}
    of_lock: dict[tuple[int, int], dict[Thread, float]] = {}
    before_ns = recording.began_ns
    for look in recording.looks:
        held_s = max(0, look.at_ns - before_ns) * 1e-9
        before_ns = look.at_ns
        for thread, seen in look.seen.items():
            if not seen.sleeps:
                continue
            kinds = of_thread.setdefault(thread, {})
            kinds[seen.sleeps] = kinds.get(seen.sleeps, 0.0) + held_s
            if seen.on:
                # The two groups of waiters of one condition variable of glibc sleep on neighbouring words.
                sleepers = of_lock.setdefault((thread.pid, seen.on & -_PAIR_BYTES), {})
                sleepers[thread] = sleepers.get(thread, 0.0) + held_s
    return of_thread, of_lock


def levels(scene: Scene) -> list[float]:
    """Return the seconds with none, one, two, … busy threads that run or want to."""
    counts = scene.demanding.sum(axis=0)
    most = int(counts.max(initial=0))
    return [float(value) for value in np.bincount(counts, weights=scene.weights, minlength=most + 1)]


def facts(recording: Recording, scene: Scene, cpus: int, times: Mapping[str, float]) -> Facts:
    """Return what a recording tells. `times`: "elapsed", "user" and "system" of the whole command, in seconds."""
    sleeps, locks = _sleeps(recording)
    busy = {story.thread for story in scene.busy}
    ranks = {story.facts.rank for story in scene.stories if story.facts.rank is not None}
    shared = [Lock(sleep_s=sum(of.values()), threads=len(of)) for of in locks.values() if len(of.keys() & busy) > 1]
    return Facts(
        elapsed_s=times["elapsed"],
        cpus=cpus,
        ranks=len(ranks),
        processes=len({story.thread.pid for story in scene.busy}),
        levels=levels(scene),
        user_s=times["user"],
        system_s=times["system"],
        faults=sum(one.faults for one in recording.facts.values()),
        threads=[
            ThreadFacts(
                name=story.name,
                process=story.thread.pid,
                rank=story.facts.rank,
                seen_s=story.seen_s,
                run_s=story.run_s,
                wait_s=story.wait_s,
                system_s=story.facts.system_ns * 1e-9,
                faults=story.facts.faults,
                switches=story.facts.voluntary,
                sleeps=sleeps.get(story.thread, {}),
            )
            for story in scene.busy
        ],
        locks=sorted(shared, key=lambda lock: -lock.sleep_s)[:8],
        openmp=any(story.facts.openmp for story in scene.stories),
    )
