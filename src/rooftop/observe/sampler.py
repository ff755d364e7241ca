"""Sample all threads of a running command periodically."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable

from rooftop.machine.system_files import Processes
from rooftop.observe.pace import Pace
from rooftop.observe.proc_lines import (
    has_hdf5,
    has_openmp,
    parse_cpu_times,
    parse_migrations,
    parse_schedstat,
    parse_stat,
    parse_status,
    parse_syscall,
    rank_of,
    variables,
)
from rooftop.observe.recording import Facts, Look, Recording, Seen, Thread
from rooftop.observe.sleeping import LOCK, OTHER, kind_of

_INTERVAL_S = 0.02
_MOST_KEPT = 200_000  # thread entries; beyond it every other sample is dropped, and the interval doubles
_DENSE = 16  # so many first samples search for new processes; after that every fourth does
_SEARCH_EVERY = 4
_FACTS_EVERY = 10  # samples of a thread between readings of its facts, which seldom change


class Sampler:
    """An Observer that samples a command's processes in the tree `root`. Entries that vanish meanwhile are skipped.

    interval_s  the time between two samples, unless they take too much of a CPU
    sleeps      whether to look at what sleeping threads wait for
    """

    def __init__(self, root: str = "/proc", interval_s: float = _INTERVAL_S, *, sleeps: bool = False) -> None:
        self._proc = Processes(root)
        self._tick_ns = 10**9 // os.sysconf("SC_CLK_TCK")
        self._surrounding = dict(os.environ)
        self._pace = Pace(interval_s)
        self._sleeps = sleeps
        self._processes: list[int] = []
        self._looked: dict[Thread, int] = {}
        self._mains: dict[int, Facts] = {}
        self._kept = 0
        self._count = 0
        self._facts_ns = 0
        self._busy_before = self._cpu_times()
        self.interval_s = interval_s
        self.recording = Recording(began_ns=time.monotonic_ns())

    # --- Observer --------------------------------------------------------------------------------------------------

    def look(self, roots: Iterable[int]) -> None:
        """Take one sample of these processes and their descendants."""
        spent_before_ns = time.thread_time_ns()
        self._facts_ns = 0
        if self._count < _DENSE or self._count % _SEARCH_EVERY == 0:
            self._processes = self._proc.all_below(roots)
        self._count += 1
        at_ns = time.monotonic_ns()
        seen: dict[Thread, Seen] = {}
        for pid in self._processes:
            for tid in self._proc.numbers(f"{pid}/task"):
                self._see(pid, tid, seen)
        self._keep(Look(at_ns, seen))
        spent_ns = time.thread_time_ns() - spent_before_ns
        self.recording.spent_ns += spent_ns
        # Facts are seldom read: all those of the first look would put off the next one of a program with many ranks.
        self.interval_s = self._pace.next_s(time.monotonic(), spent_ns, self._facts_ns)

    def ended(self) -> Recording:
        """Return the recording once the command has ended."""
        self.recording.busy = {
            cpu: 1 - (idle - self._busy_before[cpu][0]) / (total - self._busy_before[cpu][1])
            for cpu, (idle, total) in self._cpu_times().items()
            if cpu in self._busy_before and total > self._busy_before[cpu][1]
        }
        return self.recording

    # --- One thread ------------------------------------------------------------------------------------------------

    def _see(self, pid: int, tid: int, seen: dict[Thread, Seen]) -> None:
        folder = f"{pid}/task/{tid}"
        try:
            stat = parse_stat(self._proc.text(f"{folder}/stat"))
        except (OSError, ValueError):
            return
        if stat.state in "ZXx":
            return
        try:
            run_ns, wait_ns = parse_schedstat(self._proc.text(f"{folder}/schedstat"))
        except (OSError, ValueError):
            run_ns, wait_ns = stat.ticks * self._tick_ns, 0
        thread = Thread(pid, tid, stat.started)
        sleeps, on = self._asleep(pid, folder) if self._sleeps and stat.state in "SD" else ("", 0)
        seen[thread] = Seen(stat.cpu, stat.state, run_ns, wait_ns, sleeps, on)
        looked = self._looked.get(thread, 0)
        self._looked[thread] = looked + 1
        facts = self.recording.facts.setdefault(thread, Facts(stat.comm))
        facts.system_ns, facts.faults = stat.system * self._tick_ns, stat.faults
        # A new process becomes another program soon after the fork, so its facts are read several times at first.
        if looked in {0, 1, 3} or looked % _FACTS_EVERY == 0:
            facts.comm = stat.comm
            began_ns = time.thread_time_ns()
            self._read_facts(folder, facts, main=pid == tid)
            self._facts_ns += time.thread_time_ns() - began_ns
            if pid == tid:
                self._mains[pid] = facts
            elif (main := self._mains.get(pid)) is not None:
                facts.rank, facts.starter, facts.openmp = main.rank, main.starter, main.openmp

    def _asleep(self, pid: int, folder: str) -> tuple[str, int]:
        """Return what a thread sleeps in, and the address of the lock that it waits for, or 0."""
        try:
            wait = parse_syscall(self._proc.text(f"{folder}/syscall"))
        except PermissionError:  # it may not be traced
            self.recording.hidden.add(pid)
            return OTHER, 0
        except OSError:
            return OTHER, 0
        kind = kind_of(wait)
        return kind, wait.argument if wait is not None and kind == LOCK else 0

    def _read_facts(self, folder: str, facts: Facts, *, main: bool) -> None:
        try:
            status = parse_status(self._proc.text(f"{folder}/status"))
        except (OSError, ValueError):
            return
        facts.allowed, facts.voluntary, facts.involuntary = status.allowed, status.voluntary, status.involuntary
        try:
            facts.migrations = parse_migrations(self._proc.text(f"{folder}/sched"))
        except OSError:
            facts.migrations = None
        if not main:
            return
        try:
            rank = rank_of(variables(self._proc.content(f"{folder}/environ")), self._surrounding)
            facts.starter, facts.rank = rank if rank is not None else (None, None)
            maps = self._proc.text(f"{folder}/maps")
            facts.openmp, facts.hdf5 = facts.openmp or has_openmp(maps), facts.hdf5 or has_hdf5(maps)
        except OSError:
            return  # a process of another user

    def _cpu_times(self) -> dict[int, tuple[int, int]]:
        try:
            return parse_cpu_times(self._proc.text("stat"))
        except (OSError, ValueError):
            return {}

    # --- Storing samples -------------------------------------------------------------------------------------------

    def _keep(self, look: Look) -> None:
        looks = self.recording.looks
        looks.append(look)
        self._kept += len(look.seen)
        if self._kept > _MOST_KEPT:
            # The last sample stays. Nothing is lost between two samples, since their counters are cumulative.
            looks[:] = looks[(len(looks) - 1) % 2 :: 2]
            self._kept = sum(len(one.seen) for one in looks)
            self._pace.shortest_s *= 2
