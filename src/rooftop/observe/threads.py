"""Derive running time, waiting time, CPUs and migrations of each thread from the samples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.machine.topology import Places
from rooftop.observe.recording import Facts, Recording, Seen, Thread

# A thread is busy if it ran for a share _RUNS of its time, or wanted to run for a share _WANTS; others are helpers.
# _WANTS is higher, since a helper waits long at each wakeup if other programs use the CPUs.
_RUNS = 0.1
_WANTS = 0.5
_LEAST_LOOKS = 3
_LEAST_S = 0.1  # the kernel needs time to balance threads, and counts waiting only when it ends
_DEMANDS = 0.5  # of the time between two samples
_LASTING = 0.25  # of the time when any thread was busy
UNUSED = 0.01  # of a CPU's time


@dataclass(frozen=True)
class ThreadStory:
    """One thread over the whole recording; times in seconds.

    seen_s  time during which it was observed
    busy    whether it used, or wanted, a substantial share of a CPU
    shares  estimated share of its running time by CPU
    moves   number of migrations: the kernel's count, or else `changes`, a lower bound
    changes number of CPU changes between samples
    """

    thread: Thread
    facts: Facts
    seen_s: float
    run_s: float
    wait_s: float
    busy: bool
    shares: dict[int, float]
    moves: int
    changes: int

    @property
    def moves_per_s(self) -> float:
        return self.moves / self.seen_s if self.seen_s > 0 else 0.0

    @property
    def home(self) -> int | None:
        """The CPU on which it ran most."""
        return max(self.shares, key=lambda cpu: self.shares[cpu], default=None)

    @property
    def name(self) -> str:
        """Its name in messages, with rank and thread id."""
        rank = f"rank {self.facts.rank} " if self.facts.rank is not None else ""
        return f"{rank}thread {self.thread.tid} ({self.facts.comm})"


@dataclass(frozen=True)
class Scene:
    """All threads of a recording, with arrays of shape (busy threads, samples).

    demanding  whether the thread was running or ready
    cpu        its CPU; -1 if it did not exist then
    weights    seconds that each sample stands for, of shape (samples,)
    """

    elapsed_s: float
    stories: tuple[ThreadStory, ...]
    busy: tuple[ThreadStory, ...]
    demanding: NDArray[np.bool_]
    cpu: NDArray[np.int32]
    weights: NDArray[np.float64]

    def carried(self) -> dict[int, float]:
        """Return, by CPU, the share of the whole time during which busy threads ran on it."""
        found: dict[int, float] = {}
        for story in self.busy:
            for cpu, share in story.shares.items():
                found[cpu] = found.get(cpu, 0.0) + share * story.run_s
        return {cpu: min(1.0, run_s / self.elapsed_s) for cpu, run_s in found.items()} if self.elapsed_s > 0 else {}

    @property
    def active_s(self) -> float:
        """Seconds during which any thread was busy."""
        return float(self.weights[self.demanding.any(axis=0)].sum())

    def level(self, chosen: NDArray[np.bool_] | None = None, lasting: float = _LASTING) -> int:
        """Return how many `chosen` threads want a CPU at once, for a share `lasting` of the time when any does."""
        return self._at_once(self.demanding if chosen is None else self.demanding[chosen], lasting)

    def processes(self, lasting: float = _LASTING) -> int:
        """Return how many processes want a CPU at once, for a share `lasting` of the time when any does."""
        pids = np.array([story.thread.pid for story in self.busy])
        rows = [self.demanding[pids == pid].any(axis=0) for pid in np.unique(pids)]
        return self._at_once(np.array(rows, dtype=np.bool_).reshape(len(rows), len(self.weights)), lasting)

    def _at_once(self, rows: NDArray[np.bool_], lasting: float) -> int:
        counts = rows.sum(axis=0)
        lasting_s = lasting * float(self.weights[counts > 0].sum())
        found = 0
        while lasting_s > 0 and float(self.weights[counts > found].sum()) >= lasting_s:
            found += 1
        return found


@dataclass(frozen=True)
class Ground:
    """Everything that findings are derived from.

    quota    CPU quota of the control group, in CPUs; None: no limit
    anybody  by CPU, share of the time during which any program used it, as counted by the system
    """

    scene: Scene
    places: Places
    quota: float | None = None
    anybody: Mapping[int, float] = field(default_factory=dict)

    @property
    def level(self) -> int:
        """Number of threads busy at once."""
        return self.scene.level()

    def used(self) -> frozenset[int]:
        """Return the usable CPUs on which busy threads ran for more than 1 % of the time."""
        return frozenset(cpu for cpu, share in self.scene.carried().items() if share > UNUSED) & self.cpus

    def others(self) -> dict[int, float]:
        """Return, by CPU, the share of the time during which other programs used it."""
        carried = self.scene.carried()
        return {cpu: max(0.0, self.anybody.get(cpu, 0.0) - carried.get(cpu, 0.0)) for cpu in sorted(self.cpus)}

    @property
    def cpus(self) -> frozenset[int]:
        return self.places.cpus


@dataclass
class _Rows:
    """Samples of a thread while they are collected, and their indices (`places`)."""

    places: list[int]
    seen: list[Seen]


def _story(thread: Thread, facts: Facts, rows: _Rows, weights: NDArray[np.float64]) -> tuple[ThreadStory, Any, Any]:
    at = np.array(rows.places)
    cpus = np.array([one.cpu for one in rows.seen], dtype=np.int32)
    run_ns = np.diff(np.array([one.run_ns for one in rows.seen], dtype=np.float64), prepend=0.0)
    wait_ns = np.diff(np.array([one.wait_ns for one in rows.seen], dtype=np.float64), prepend=0.0)
    held_s = weights[at]
    ready = np.array([one.state == "R" for one in rows.seen])
    demanding = ready | ((run_ns + wait_ns) * 1e-9 >= _DEMANDS * held_s)
    seen_s = float(held_s.sum())
    whole_ns = float(run_ns.sum())
    shares = {}
    if whole_ns > 0:
        shares = {int(cpu): float(run_ns[cpus == cpu].sum()) / whole_ns for cpu in np.unique(cpus)}
    ran = whole_ns * 1e-9 >= _RUNS * seen_s > 0
    counted = whole_ns + float(wait_ns.sum()) > 0
    judged = len(at) >= _LEAST_LOOKS and seen_s >= _LEAST_S and counted
    changes = int((np.diff(cpus) != 0).sum())
    story = ThreadStory(
        thread=thread,
        facts=facts,
        seen_s=seen_s,
        run_s=whole_ns * 1e-9,
        wait_s=float(wait_ns.sum()) * 1e-9,
        busy=judged and (ran or float(held_s[demanding].sum()) >= _WANTS * seen_s),
        shares={cpu: share for cpu, share in shares.items() if share > 0},
        moves=max(changes, facts.migrations or 0),
        changes=changes,
    )
    return story, demanding, cpus


def scene(recording: Recording) -> Scene:
    """Return what the threads of a recording did, ordered by rank, process and thread.

    If there are ranks, all other threads (of the launcher and its daemons) count as not busy: they need no placement.
    """
    looks = recording.looks
    moments = [recording.began_ns, *(look.at_ns for look in looks)]
    weights = np.maximum(np.diff(np.array(moments, dtype=np.float64)), 0.0) * 1e-9
    gathered: dict[Thread, _Rows] = {}
    for place, look in enumerate(looks):
        for thread, seen in look.seen.items():
            rows = gathered.setdefault(thread, _Rows([], []))
            rows.places.append(place)
            rows.seen.append(seen)

    def order(thread: Thread) -> tuple[int, Thread]:
        rank = recording.facts[thread].rank
        return (-1 if rank is None else rank, thread)

    ranks = any(recording.facts[thread].rank is not None for thread in gathered)
    stories, busy, demands, cpus = [], [], [], []
    for thread in sorted(gathered, key=order):
        rows = gathered[thread]
        story, demanding, cpu = _story(thread, recording.facts[thread], rows, weights)
        if ranks and story.facts.rank is None:
            story = replace(story, busy=False)
        stories.append(story)
        if story.busy:
            busy.append(story)
            row = np.zeros(len(looks), dtype=np.bool_)
            row[rows.places] = demanding
            demands.append(row)
            where = np.full(len(looks), -1, dtype=np.int32)
            where[rows.places] = cpu
            cpus.append(where)
    shape = (len(busy), len(looks))
    return Scene(
        elapsed_s=recording.elapsed_ns * 1e-9,
        stories=tuple(stories),
        busy=tuple(busy),
        demanding=np.array(demands, dtype=np.bool_).reshape(shape),
        cpu=np.array(cpus, dtype=np.int32).reshape(shape),
        weights=weights,
    )
