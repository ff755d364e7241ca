"""Suspect what holds a program back, from what was seen of it. Each function suspects one cause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rooftop.diagnose import cures, hot_loop, where_time_goes
from rooftop.diagnose.facts import Facts
from rooftop.diagnose.first_touch import first_touch
from rooftop.diagnose.input_output import Spent, input_and_output
from rooftop.diagnose.messages import messages
from rooftop.diagnose.past_a_socket import past_a_socket
from rooftop.diagnose.regions import around_s, late_s, regions, serial_s, told_by_regions
from rooftop.diagnose.small_calls import NAME as SMALL_CALLS
from rooftop.diagnose.small_calls import small_calls
from rooftop.diagnose.suspicion import CROWDED, Suspicion
from rooftop.observe.sleeping import LOCK
from rooftop.text.plural import plural

_LEAST_SHARE = 0.05  # of the elapsed time: less is not worth a line
_FAULT_S = 0.5e-6  # of one page fault, of a zeroed page of 4 KiB; a virtual machine takes up to ten times as long
_ALLOCATION_S = 0.1e-6  # of an allocation with its free, while no other thread allocates
_SWITCHES_PER_S = 100  # of all threads, from which on those that sleep on one lock do not sleep for long each time
_CONVOY_PER_S = 3000  # the same where sleeping was not seen: it is briefer than the time between two looks
_CROWDED = 0.2  # of the elapsed time with more threads that want a core than cores
_INFLATION = 1.5  # of processor time: from which on threads hinder each other
_WAITING = 0.25  # of the samples, from which on a loop's waiting is worth a line
_NEW_BYTES_PER_S = 1e9  # of copying: less is allocated where what is copied was there before
_LANES = 4  # of a vector and of the chains that a core follows at once: what is gained at least without the chain
_DRAWN = 0.2  # of a run's threads' time asleep on a lock, from which on it is one that they queue for


@dataclass(frozen=True)
class _Seen:
    """Facts with what follows from them. `shares`: of the samples, by purpose."""

    facts: Facts
    shares: dict[str, float]

    @property
    def cores_s(self) -> float:
        """The seconds that cores worked for the command."""
        return self.facts.user_s + self.facts.system_s

    @property
    def width(self) -> float:
        """How many cores work at once, on average, at least one: by what work in parallel is divided."""
        return max(1.0, self.cores_s / max(self.facts.elapsed_s, 1e-9))

    @property
    def profiled(self) -> bool:
        """Whether it is known which functions the time goes to."""
        return self.facts.hot is not None

    @property
    def kernel_seen(self) -> bool:
        """Whether the functions of the kernel are among them: perf shows those to few users."""
        return any(one.file.startswith(where_time_goes.KERNEL) for one in self.facts.hot or [])

    @property
    def hindered(self) -> float | None:
        """How many times the processor time of one OpenMP thread all together take; None: that was not looked at."""
        waiting = self.shares.get(where_time_goes.BARRIERS, 0.0)
        return self.cores_s * (1 - waiting) / self.facts.alone_s if self.facts.alone_s else None

    def spent_s(self, *purposes: str) -> float:
        """Return the seconds of the run that go to some purposes."""
        sampled_s = self.cores_s if self.kernel_seen else self.facts.user_s
        return sum(self.shares.get(one, 0.0) for one in purposes) * sampled_s / self.width

    def part(self, seconds: float) -> str:
        """Return seconds beside those of the whole run."""
        elapsed_s = self.facts.elapsed_s
        return f"{seconds:.3g} s of {elapsed_s:.3g} s ({seconds / max(elapsed_s, 1e-9):.0%})"


def _serial(seen: _Seen) -> Iterator[Suspicion]:
    """One thread runs while the others of a parallel program sleep."""
    facts = seen.facts
    most = min(facts.cpus, len(facts.threads), len(facts.levels) - 1)
    if most < 2 or facts.ranks > 1 or _queues(seen):
        return
    alone_s, outside_s = facts.at_level(1), serial_s(facts)
    outside = f"; {seen.part(outside_s)} are outside of parallel regions" if outside_s is not None else ""
    if outside and (ends_s := around_s(facts)) is not None:
        outside += f", {ends_s:.3g} s of it before the first and after the last"
    if outside_s is not None and told_by_regions(facts):
        # A thread that spins until the next region is busy, too; for one that is busy alone in a region, others wait.
        spinning_s = seen.shares.get(where_time_goes.BARRIERS, 0.0) * seen.cores_s / (most - 1)
        alone_s = min(alone_s + spinning_s, outside_s)
    yield Suspicion(
        "serial section",
        alone_s * (1 - 1 / most),
        f"one of {plural(len(facts.threads), 'thread')} was busy for {seen.part(facts.at_level(1))}{outside}",
        "run this part in parallel, or beside another; where threads wait for the slowest, give them smaller pieces",
        (cures.SCHEDULE,) if facts.openmp and not told_by_regions(facts) else (),
    )


def _oversubscribed(seen: _Seen) -> Iterator[Suspicion]:
    """More threads want a core than there are."""
    facts = seen.facts
    busy, over_s = len(facts.threads), sum(facts.levels[facts.cpus + 1 :])
    if busy <= facts.cpus or over_s < _CROWDED * facts.elapsed_s:
        return
    waited_s = sum(thread.wait_s for thread in facts.threads)
    spinning_s = seen.spent_s(where_time_goes.BARRIERS, where_time_goes.BLAS_WAITS, where_time_goes.MESSAGES)
    idle_s = max(0.0, facts.elapsed_s - seen.cores_s / facts.cpus)
    yield Suspicion(
        CROWDED,
        min(facts.elapsed_s, idle_s + spinning_s + seen.spent_s(where_time_goes.SWITCHES) + waited_s / busy),
        f"{busy} busy threads on {plural(facts.cpus, 'core')}; they waited for a core for {waited_s:.3g} s in total",
        f"start at most {plural(facts.cpus, 'busy thread')}: ranks times threads",
        tuple(
            cure
            for cure, fits in (
                (cures.YIELD, facts.ranks > facts.cpus),
                (cures.FEWER_THREADS, facts.openmp),
                (cures.ONE_BLAS_THREAD, not seen.profiled or where_time_goes.calls_blas(facts.hot or [])),
            )
            if fits
        ),
        stands=facts.ranks > facts.cpus,
    )


def _allocation(seen: _Seen) -> Iterator[Suspicion]:
    """Time goes to the allocator, or to locks within it."""
    calls, share = seen.facts.calls, seen.shares.get(where_time_goes.ALLOCATION, 0.0)
    told = [f"{share:.0%} of the samples are in malloc, free and their kin"] if seen.profiled else []
    told += [f"{calls.allocations:,} allocations"] if calls is not None and calls.allocations else []
    spent_s = seen.spent_s(where_time_goes.ALLOCATION)
    if not seen.profiled and calls is not None:
        spent_s = min(calls.allocations * _ALLOCATION_S, seen.cores_s) / seen.width
    yield Suspicion(
        "allocation",
        spent_s,
        "; ".join(told),
        "allocate outside of loops, or give each thread memory of its own",
        (cures.ALLOCATOR, cures.KEEP_MEMORY, cures.PYTHON_ALLOCATOR),
        stands=seen.profiled,
    )


def _copies(seen: _Seen) -> Iterator[Suspicion]:
    """Time goes to copying memory, such as that of arrays that grow."""
    calls, spent_s = seen.facts.calls, seen.spent_s(where_time_goes.COPIES)
    copied_s = spent_s * seen.width  # of all cores
    grows = calls is not None and calls.allocated_bytes > _NEW_BYTES_PER_S * copied_s
    counted = f"; {calls.allocations:,} allocations of {calls.allocated_bytes / 1e9:.3g} GB" if calls and grows else ""
    yield Suspicion(
        "growing memory" if grows else "copying memory",
        spent_s if seen.shares.get(where_time_goes.COPIES, 0.0) >= _WAITING else 0.0,
        f"{seen.part(spent_s)} go to copying memory{counted}",
        "allocate once what is needed in the end: reserve, preallocate" if grows else "copy less: work in place",
    )


def _page_faults(seen: _Seen) -> Iterator[Suspicion]:
    """Memory is handed back to the system and taken again, or simply new."""
    facts = seen.facts
    seconds = seen.spent_s(where_time_goes.FAULTS)
    if not seen.kernel_seen:
        seconds = min(facts.faults * _FAULT_S, facts.system_s) / seen.width
    yield Suspicion(
        "page faults",
        seconds,
        f"{facts.faults:,} page faults; {seen.part(seconds)} go to them",
        "keep memory instead of freeing it, and touch it once; ask for huge pages",
        (cures.KEEP_MEMORY, cures.HUGE_PAGES),
        stands=False,
    )


def _queues(seen: _Seen) -> bool:
    """Return whether threads queue for a lock: they sleep on one address, or very often, while cores are idle."""
    facts = seen.facts
    # Threads of one process share a lock; processes that a pipe joins sleep as often without one.
    of = Counter(thread.process for thread in facts.threads)
    threads = [thread for thread in facts.threads if of[thread.process] > 1]
    if facts.openmp or facts.ranks or not threads or _idle_s(seen) < _LEAST_SHARE * facts.elapsed_s:
        return False
    switches_per_s = sum(thread.switches for thread in threads) / facts.elapsed_s
    drawn_s = _DRAWN * facts.elapsed_s * (len(threads) - 1)
    asleep = bool(facts.locks) and facts.locks[0].sleep_s > drawn_s
    return switches_per_s > (_SWITCHES_PER_S if asleep else _CONVOY_PER_S)


def _idle_s(seen: _Seen) -> float:
    """Return the seconds by which the run would be shorter if its threads kept their cores busy."""
    facts = seen.facts
    return max(0.0, facts.elapsed_s - seen.cores_s / max(1, min(facts.cpus, len(facts.threads))))


def _locks(seen: _Seen) -> Iterator[Suspicion]:
    """Several threads sleep on one lock."""
    facts = seen.facts
    if not _queues(seen):
        return
    switches_per_s = sum(thread.switches for thread in facts.threads) / facts.elapsed_s
    slept = f"; they slept on one lock for {facts.locks[0].sleep_s:.3g} s in total" if facts.locks else ""
    # Without a profile, threads are known by the name of their program.
    files = [one.file for one in facts.hot[:3]] if facts.hot is not None else [one.name for one in facts.threads]
    in_python = any("python" in one for one in files)
    yield Suspicion(
        "interpreter's lock" if in_python else "lock convoy",
        _idle_s(seen) + seen.spent_s(where_time_goes.SWITCHES),
        f"{len(facts.threads)} threads went to sleep {switches_per_s:,.0f} times a second while cores idled{slept}",
        "use processes, or let the work be done in calls that release the lock"
        if in_python
        else "hold the lock for less time, or divide what it protects",
    )


def _barriers(seen: _Seen) -> Iterator[Suspicion]:
    """Threads wait for each other in the OpenMP runtime."""
    facts = seen.facts
    if not facts.openmp or told_by_regions(facts):
        return
    spinning_s = seen.spent_s(where_time_goes.BARRIERS)
    more = seen.hindered
    if more and more >= _INFLATION and (facts.asleep_switches_per_s or 0.0) > _CONVOY_PER_S:
        spinning_s = facts.elapsed_s * (1 - 1 / more)
    crowd = (cures.FEWER_THREADS,) if len(facts.threads) > facts.cpus else ()
    # While one thread is busy alone, the others sleep: that is a serial section.
    threads = max(1, len(facts.threads))
    slept_s = max(0.0, facts.sleep_s(LOCK) - facts.at_level(1) * (threads - 1)) / threads
    yield Suspicion(
        "waiting at barriers",
        min(facts.elapsed_s, spinning_s + slept_s + seen.spent_s(where_time_goes.SWITCHES)),
        f"threads wait for each other in the OpenMP runtime: {spinning_s:.3g} s at work, {slept_s:.3g} s asleep",
        "fewer and larger parallel regions; a schedule that balances them",
        (*crowd, cures.SCHEDULE, cures.SLEEP, cures.BIND, cures.ONE_THREAD),
    )


def _regions(seen: _Seen) -> Iterator[Suspicion]:
    """Threads wait for each other in parallel regions whose times are known."""
    yield from regions(seen.facts)


def _stacked(seen: _Seen) -> Iterator[Suspicion]:
    """Threads share cores while others are idle."""
    facts = seen.facts
    for problem in facts.placed:
        if problem.name in ("stacked", "siblings"):
            yield Suspicion(
                "stacked threads",
                max(0.0, facts.elapsed_s - seen.cores_s / facts.cpus),
                problem.evidence,
                problem.remedy,
                (cures.BIND,),
            )


def _waits(seen: _Seen, kind: str) -> float:
    """Return the share of all samples in which the hottest function waits for something."""
    loop = seen.facts.hot_loop
    return loop.waits.get(kind, 0.0) if loop is not None else 0.0


def _hot_function(seen: _Seen, share: float) -> str:
    loop = seen.facts.hot_loop
    return f"{share:.0%} of the samples are on instructions of {loop.function if loop is not None else 'it'} that wait"


def _first_touch(seen: _Seen) -> Iterator[Suspicion]:
    """Memory lies on the node of the one thread that touched it first."""
    yield from first_touch(seen.facts)


def _past_a_socket(seen: _Seen) -> Iterator[Suspicion]:
    """Threads are on several nodes where one would be as fast."""
    # Threads that wait for the slowest of them would on one node, too.
    late = late_s(seen.facts) * len(seen.facts.threads) / max(seen.cores_s, 1e-9)
    runtime = max(0.0, seen.shares.get(where_time_goes.BARRIERS, 0.0) - late)
    runtime += sum(seen.shares.get(one, 0.0) for one in (where_time_goes.BLAS_WAITS, where_time_goes.SWITCHES))
    yield from past_a_socket(seen.facts, _waits(seen, hot_loop.SHARED_LINE), runtime)


def _false_sharing(seen: _Seen) -> Iterator[Suspicion]:
    """Threads modify the same cache line: the same work takes more processor time than by one thread."""
    facts = seen.facts
    share = _waits(seen, hot_loop.SHARED_LINE)
    more = seen.hindered
    # Without a profile it may as well be memory that all cores share.
    if more is not None and facts.hot_loop is not None and len(facts.threads) > 1 and more >= _INFLATION:
        yield Suspicion(
            "false sharing",
            facts.elapsed_s * (1 - 1 / more),
            f"{_hot_function(seen, share)} for a line that they modify; all threads together take {more:.3g} times the "
            "processor time of one thread alone",
            "give each thread a cache line of its own: pad to 64 bytes or 128, or sum in a register and store once",
        )


def _strided(seen: _Seen) -> Iterator[Suspicion]:
    """A loop's next access is a line or more away."""
    share = _waits(seen, hot_loop.STRIDED)
    yield Suspicion(
        "strided access",
        share * seen.facts.elapsed_s if share >= _WAITING else 0.0,
        f"{_hot_function(seen, share)} for a value whose address moves by a cache line or more in each turn",
        "exchange the loops, or the order in memory: neighbours in memory should be neighbours in time; or block them",
    )


def _chain(seen: _Seen) -> Iterator[Suspicion]:
    """A loop adds one number at a time, each to the sum of the one before."""
    share = _waits(seen, hot_loop.CHAIN)
    yield Suspicion(
        "dependent chain",
        share * seen.facts.elapsed_s * (1 - 1 / _LANES) if share >= _WAITING else 0.0,
        f"{_hot_function(seen, share)} for the result of the turn before: one number at a time",
        "several sums at once: omp simd reduction, -ffast-math where order may change, or a few partial sums by hand",
    )


def _small_calls(seen: _Seen) -> Iterator[Suspicion]:
    """Small functions are called very often."""
    if seen.facts.function_calls is not None:
        yield from small_calls(seen.facts.function_calls, seen.facts.elapsed_s, seen.width)


def _blas_threads(seen: _Seen) -> Iterator[Suspicion]:
    """Threads of a BLAS wait for each other."""
    facts = seen.facts
    waits, switches = (seen.shares.get(one, 0.0) for one in (where_time_goes.BLAS_WAITS, where_time_goes.SWITCHES))
    # OpenBLAS's threads yield while they wait: most of that is in the kernel.
    has_threads = len(facts.threads) > 1 and not facts.ranks and where_time_goes.calls_blas(facts.hot or [])
    yield Suspicion(
        "threads of a BLAS",
        seen.spent_s(where_time_goes.BLAS_WAITS, where_time_goes.SWITCHES) if waits or has_threads else 0.0,
        f"{waits:.0%} of the samples are where threads of a BLAS wait for work, {switches:.0%} in switching threads",
        "one thread for small matrices: OPENBLAS_NUM_THREADS=1, or threadpoolctl in Python",
        (cures.ONE_BLAS_THREAD,),
        stands=False,
    )


def _messages(seen: _Seen) -> Iterator[Suspicion]:
    """Ranks wait inside MPI."""
    ranks = seen.facts.mpi
    if ranks is not None and len(ranks) > 1:
        yield from messages(ranks, seen.facts.elapsed_s)


def _input_and_output(seen: _Seen) -> Iterator[Suspicion]:
    """Threads wait for files, read again what they had read, or spend their time in calls of the system."""
    facts = seen.facts
    in_kernel_s = seen.spent_s(where_time_goes.CALLS)
    if facts.calls is not None and not seen.kernel_seen:
        in_kernel_s = facts.system_s / seen.width
    spent = Spent(in_kernel_s, seen.spent_s(where_time_goes.UNPACKING), seen.width)
    yield from input_and_output(facts, spent, _LEAST_SHARE * facts.elapsed_s)


_CAUSES: tuple[Callable[[_Seen], Iterator[Suspicion]], ...] = (
    _serial,
    _oversubscribed,
    _allocation,
    _copies,
    _page_faults,
    _locks,
    _barriers,
    _regions,
    _stacked,
    _first_touch,
    _past_a_socket,
    _false_sharing,
    _strided,
    _chain,
    _small_calls,
    _blas_threads,
    _messages,
    _input_and_output,
)


def suspicions(facts: Facts) -> list[Suspicion]:
    """Return what is suspected, by the seconds at stake, without what is not worth a line."""
    seen = _Seen(facts, where_time_goes.shares(facts.hot or []))
    found = [one for cause in _CAUSES for one in cause(seen)]
    return sorted((one for one in found if one.stake_s >= _least_s(one, facts)), key=lambda one: -one.stake_s)


def _least_s(one: Suspicion, facts: Facts) -> float:
    """Return the seconds from which on a suspicion is worth a line. What counts calls may take most of a run."""
    counting = facts.function_calls.counting if one.name == SMALL_CALLS and facts.function_calls is not None else 0.0
    return _LEAST_SHARE * facts.elapsed_s * (1.0 - counting)
