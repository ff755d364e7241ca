"""Observe a command: one run for each pass, none of which is timed."""

from __future__ import annotations

import os
import platform
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from rooftop.campaign.bench import Bench
from rooftop.command.check import Check, failure
from rooftop.command.environment import own_environment
from rooftop.command.files import OF_THE_SYSTEM, files_of
from rooftop.command.line import CommandLine
from rooftop.command.not_started import not_started
from rooftop.command.process import Finished, Limits, Output, run
from rooftop.diagnose.chunk_facts import chunk_facts
from rooftop.diagnose.facts import CallFacts, HotLoop, MpiCall, RankFacts, Sent
from rooftop.diagnose.function_facts import function_facts, hot_function
from rooftop.diagnose.hot_loop import SHARED_LINE, waits_for
from rooftop.diagnose.observed import Observed, seen
from rooftop.diagnose.region_facts import openmp_facts
from rooftop.diagnose.regions import told_by_regions
from rooftop.diagnose.roofline import roofline
from rooftop.diagnose.sampled import sampled_threads
from rooftop.diagnose.stacks import Stacks, folded
from rooftop.errors import Misuse
from rooftop.launchers import launcher_of
from rooftop.launchers.team import openmp
from rooftop.machine import SystemFiles
from rooftop.machine.cgroup import cgroup_limits
from rooftop.machine.identity import physical_memory
from rooftop.machine.topology import places
from rooftop.observe import call_counts, chunk_cache, function_calls, mpi_times
from rooftop.observe import openmp as openmp_regions
from rooftop.observe import python_stacks as py_spy
from rooftop.observe.addresses import places as source_places
from rooftop.observe.operations import NoCounters, counted
from rooftop.observe.profile import HZ, NoProfile, profile
from rooftop.observe.sampler import Sampler
from rooftop.observe.symbols import names_at
from rooftop.observe.threads import Ground, scene

ToldT = TypeVar("ToldT")

_INTERVAL_S = 0.002
_IN_KERNEL = 0.1  # of the processor time, from which on it is told that the kernel's functions are hidden
_MODIFIED = 0.1  # of all samples at one line that is read and written, from which on one thread alone is looked at


def rank_facts(told: mpi_times.RankCalls) -> RankFacts:
    """Convert the calls of a rank to facts, with names that do not start with MPI_."""
    return RankFacts(
        seconds=told.times.whole_ns * 1e-9,
        inside_s=told.times.inside_ns * 1e-9,
        calls=told.times.calls,
        by_name={
            name.removeprefix("MPI_"): MpiCall(
                calls=call.calls, inside_s=call.inside_ns * 1e-9, sent_bytes=call.sent_bytes
            )
            for name, call in told.by_name.items()
        },
        to={peer: Sent(messages=one.messages, sent_bytes=one.sent_bytes) for peer, one in told.to.items()},
    )


class _Failed(Exception):
    """An observation cannot be made, or its run failed and is no evidence. The text says why."""


class _NothingTold(_Failed):
    """A library that was loaded before a program told nothing, or nothing that can be read."""


class Here:
    """The real machine.

    given   the file that is the command's standard input
    output  where its output goes
    check   which exit codes are accepted; its output is not looked at
    """

    def __init__(self, bench: Bench, given: Path | None, output: Output, check: Check | None = None) -> None:
        self._build_folder, self._place = bench.settings.build_folder, bench.place
        self._given, self._output, self._check = given, output, check or Check()

    def observe(self, command: CommandLine, limits: Limits) -> Observed:
        """Run a command once for each pass. After an interrupt, return what was seen. Raises Misuse."""
        sampler = Sampler(interval_s=_INTERVAL_S, sleeps=True)
        finished: Finished | None = None
        try:
            finished = self._run(command.words, limits, {}, sampler)
        except OSError as error:
            raise Misuse(not_started(command.words, error)) from error
        except KeyboardInterrupt:
            pass  # what was recorded is told
        recording = sampler.ended()
        allowed = (one.allowed for one in recording.facts.values())
        here = places(SystemFiles(), os.sched_getaffinity(0).union(*allowed))
        ground = Ground(scene(recording), here, cgroup_limits(SystemFiles()).cpu_quota, recording.busy)
        observed = Observed(recording, ground, finished, interrupted=finished is None)
        if finished is not None:
            observed.ran("threads", finished, recording.spent_ns * 1e-9)
        if recording.hidden:
            number = "a process" if len(recording.hidden) == 1 else f"{len(recording.hidden)} processes"
            observed.missing.append(
                f"what threads sleep in: {number} may not be traced (setuid, or a container's rule)"
            )
        observed.sealed = call_counts.why_silent(command.words[0], own_environment())
        if finished is not None and failure(finished, self._check, limits) is None:
            try:
                self._look_closer(command, limits, observed)
            except KeyboardInterrupt:
                observed.interrupted = True
        return observed

    def _look_closer(self, command: CommandLine, limits: Limits, observed: Observed) -> None:
        """Make the passes that follow the first, each of which may need what the ones before it saw."""
        passes: dict[str, Callable[[CommandLine, Limits, Observed], None]] = {
            "functions by their time": self._profile,
            "a roofline point": self._count_operations,
            "OpenMP regions": self._time_regions,
            "one thread alone": self._alone,
            "threads that wait asleep": self._asleep,
            "calls of functions": self._count_functions,
            "calls of the allocator and of input and output": self._count_calls,
            "chunks of HDF5": self._watch_chunks,
            "MPI calls": self._time_messages,
            "functions of Python": self._python,
        }
        for what, one in passes.items():
            try:
                one(command, limits, observed)
            except _Failed as reason:
                observed.missing.append(f"{what}: {reason}")

    def _succeeded(self, finished: Finished, limits: Limits) -> Finished:
        """Return a run under observation that did not fail. Raises _Failed."""
        reason = failure(finished, self._check, limits)
        if reason is not None:
            raise _Failed(f"the observed run {reason}{': raise --timeout' if finished.timed_out else ''}")
        return finished

    def _in_time(self, words: Sequence[str], limits: Limits) -> Finished:
        """Run a command under a profiler, which reports its own failures. Raises _Failed on a timeout."""
        finished = self._run(words, limits, {})
        return self._succeeded(finished, limits) if finished.timed_out else finished

    def _run(
        self, words: Sequence[str], limits: Limits, more: Mapping[str, str], sampler: Sampler | None = None
    ) -> Finished:
        return run(
            words,
            limits,
            environment=own_environment(more),
            observer=sampler,
            given=self._given,
            output=self._output,
        )

    def _profile(self, command: CommandLine, limits: Limits, observed: Observed) -> None:
        try:
            ran = observed.finished
            cpu_s = ran.user_s + ran.system_s if ran is not None else 0.0
            found = profile(command.words, lambda words: self._in_time(words, limits), cpu_s)
        except (NoProfile, OSError) as reason:
            observed.missing.append(f"functions by their time: {reason}")
            return
        ended = self._succeeded(found.finished, limits)
        observed.ran("functions", ended)
        observed.hot = found.functions
        observed.sampled = sampled_threads(found.samples, HZ)
        if found.samples.stacks:
            observed.stacks = Stacks(taken_by="perf", hz=HZ, folded=folded(found.samples.stacks))
        hidden = not any(one.kernel for one in found.functions)
        if hidden and ended.system_s > _IN_KERNEL * (ended.user_s + ended.system_s):
            observed.missing.append("functions of the kernel: hidden from this user (kernel.perf_event_paranoid)")
        if found.hottest is None:
            return
        if platform.machine() != "x86_64":
            observed.missing.append(f"instructions of {found.hottest.function}: read on x86-64 only")
            return
        share = found.hottest.share
        waits = {name: share * part for name, part in waits_for(found.instructions).items()}
        observed.hot_loop = HotLoop(function=found.hottest.function, waits=waits)

    def _count_operations(self, command: CommandLine, limits: Limits, observed: Observed) -> None:
        try:
            found = counted(command.words, lambda words: self._in_time(words, limits), SystemFiles())
        except NoCounters as reason:
            observed.missing.append(str(reason))
            return
        except OSError as reason:
            observed.missing.append(f"a roofline point: {reason}")
            return
        observed.ran("operations and memory traffic", self._succeeded(found.finished, limits))
        observed.missing += found.lacking
        threads = max(1, min(len(observed.ground.scene.busy), len(observed.ground.cpus)))
        roofs = self._place.known_roofs(self._place.identity())
        observed.roofline = roofline(found, observed.hot or [], threads, roofs)

    def _alone(self, command: CommandLine, limits: Limits, observed: Observed) -> None:
        """Run a threaded program with a single thread, if that may explain something.

        It does where threads modify one line again and again, and where nothing else tells whether they wait.
        """
        busy = observed.ground.scene.busy
        if len(busy) < 2 or not any(story.facts.openmp for story in busy):
            return
        if observed.hot is None:
            asked = not told_by_regions(seen(observed))
        else:
            waits = observed.hot_loop.waits if observed.hot_loop is not None else {}
            asked = waits.get(SHARED_LINE, 0.0) >= _MODIFIED
        if asked:
            finished = self._succeeded(self._run(command.words, limits, openmp(threads=1)), limits)
            observed.ran("one thread", finished)
            observed.alone_s = finished.user_s + finished.system_s

    def _asleep(self, command: CommandLine, limits: Limits, observed: Observed) -> None:
        """Run an OpenMP program whose threads wait asleep: how often they do shows barriers that no profile shows."""
        if observed.hot is not None or observed.alone_s is None:
            return
        sampler = Sampler(interval_s=_INTERVAL_S)
        passive = {"OMP_WAIT_POLICY": "passive"}
        finished = self._succeeded(self._run(command.words, limits, passive, sampler), limits)
        observed.ran("threads that wait asleep", finished)
        switches = sum(one.voluntary for one in sampler.ended().facts.values())
        observed.asleep_switches_per_s = switches / max(finished.elapsed_ns * 1e-9, 1e-9)

    def _preloaded(
        self, module: ModuleType, read: Callable[[Path], ToldT], command: CommandLine, limits: Limits
    ) -> tuple[ToldT, Finished]:
        """Run a command with a module's library loaded before it, and return what that told. Raises _Failed."""
        if reason := module.missing(self._build_folder):
            raise _Failed(reason)
        with tempfile.TemporaryDirectory(prefix="rooftop-told-") as folder:
            more = module.variables(module.library(self._build_folder), Path(folder), own_environment())
            finished = self._succeeded(self._run(command.words, limits, more), limits)
            try:
                return read(Path(folder)), finished
            except (OSError, ValueError) as reason:
                raise _NothingTold(str(reason)) from reason

    def _count_calls(self, command: CommandLine, limits: Limits, observed: Observed) -> None:
        if observed.sealed is not None:
            observed.missing.append(f"calls of the command's own program: {observed.sealed}")
        try:
            counts, finished = self._preloaded(call_counts, call_counts.read_counts, command, limits)
        except _NothingTold:
            if observed.sealed is None:
                raise
            return
        observed.ran("calls", finished)
        observed.calls = CallFacts(
            allocations=counts.allocations.calls,
            allocated_bytes=counts.allocations.bytes,
            reads=counts.reads.calls,
            read_bytes=counts.reads.bytes,
            writes=counts.writes.calls,
            written_bytes=counts.writes.bytes,
            input_output_s=counts.input_output.ns * 1e-9,
            reread_bytes=counts.rereads.bytes,
        )

    def _count_functions(self, command: CommandLine, limits: Limits, observed: Observed) -> None:
        """Count how often functions are called, where the program was built to tell; else say so where one is hot."""
        files = files_of(command.words, environment=own_environment())
        if reason := observed.sealed or function_calls.why_not(files):
            own = {file.name for file in files if not str(file).startswith(OF_THE_SYSTEM)}
            if (name := hot_function(observed.hot or [], own)) is not None:
                observed.missing.append(f"how often {name} is called: {reason}")
            return
        told, finished = self._preloaded(function_calls, function_calls.read_calls, command, limits)
        observed.ran("calls of functions", finished)
        observed.functions = function_facts(told, observed.hot, observed.sampled_s, names_at)
        if told.lost:
            observed.missing.append(f"calls of functions: {told.lost:,} were of functions that could not be told apart")

    def _watch_chunks(self, command: CommandLine, limits: Limits, observed: Observed) -> None:
        if not any(story.facts.hdf5 for story in observed.ground.scene.stories):
            return
        processes, finished = self._preloaded(chunk_cache, chunk_cache.read_chunks, command, limits)
        observed.ran("chunks of HDF5", finished)
        files = SystemFiles()
        memory = min((one for one in (physical_memory(files), cgroup_limits(files).memory_bytes) if one), default=None)
        observed.chunks = chunk_facts(processes, finished.elapsed_ns * 1e-9, memory)
        if refused := sorted({version for one in processes for version in one.refused}):
            observed.missing.append(f"chunks of HDF5: version {', '.join(refused)}, expected 1.10 or later")
        if lost := sum(one.lost for one in processes):
            observed.missing.append(f"chunks of HDF5: {lost:,} calls read more datasets than are told apart")

    def _time_regions(self, command: CommandLine, limits: Limits, observed: Observed) -> None:
        if not any(story.facts.openmp for story in observed.ground.scene.stories):
            return
        processes, finished = self._preloaded(openmp_regions, openmp_regions.read_regions, command, limits)
        observed.ran("OpenMP regions", finished)
        observed.openmp = openmp_facts(processes, finished.elapsed_ns * 1e-9, source_places)
        if lost := sum(one.lost for one in processes):
            observed.missing.append(f"OpenMP regions: {lost:,} were at more places than are told apart")

    def _time_messages(self, command: CommandLine, limits: Limits, observed: Observed) -> None:
        launcher = launcher_of(command.words[0])
        if launcher is None:
            return
        if reason := mpi_times.missing(self._build_folder, launcher.name):
            observed.missing.append(f"MPI calls: {reason}")
            return
        library = mpi_times.library(self._build_folder, launcher.name)
        with tempfile.TemporaryDirectory(prefix="rooftop-mpi-") as folder:
            times = Path(folder) / "times"
            more = mpi_times.variables(library, times, own_environment())
            finished = self._succeeded(self._run(command.words, limits, more), limits)
            try:
                ranks = mpi_times.read_calls(times.read_text(encoding="ascii"))
            except FileNotFoundError:
                observed.missing.append("MPI calls: no rank told its times: the program exits without MPI_Finalize?")
                return
            except ValueError as reason:
                observed.missing.append(f"MPI calls: {reason}")
                return
        observed.ran("MPI calls", finished)
        observed.mpi = [rank_facts(one) for one in ranks]

    def _python(self, command: CommandLine, limits: Limits, observed: Observed) -> None:
        if not py_spy.interpreted(command.words):
            return
        try:
            stacks, finished = py_spy.python_stacks(command.words, lambda words: self._in_time(words, limits))
        except (py_spy.NoPythonStacks, OSError) as reason:
            observed.missing.append(f"functions of Python: {reason}")
            return
        observed.ran("functions of Python", self._succeeded(finished, limits))
        observed.python_stacks = Stacks(taken_by="py-spy", hz=py_spy.HZ, folded=folded(stacks))
