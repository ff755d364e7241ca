"""Suspect what holds a program back, from what was seen of it. Each function suspects one cause.

A suspicion has the seconds at stake, at most: what the run would take less if the cause were gone altogether. Whether
it is the cause, the cures decide: see `findings.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rooftop.diagnose import cures
from rooftop.diagnose.facts import Facts
from rooftop.observe.sleeping import IO, LOCK
from rooftop.text.plural import plural

_LEAST_SHARE = 0.04  # of the elapsed time: less is not worth a line
_MALLOC = ("malloc", "_int_free", "cfree", "free_", "arena_get", "unlink_chunk", "sysmalloc", "systrim", "calloc")
_EXACT_MALLOC = frozenset({"free", "realloc", "brk", "madvise", "mprotect", "memalign"})
_SPINNING = ("gomp_barrier", "gomp_team_barrier", "do_spin", "do_wait", "__kmp_wait", "__kmp_hyper", "__kmp_barrier")
_BLAS = ("blas_thread_server", "exec_blas", "libopenblas", "mkl_", "blis")
_BLAS_WAITS = ("blas_thread_server", "sched_yield")
_PROGRESS = ("opal_progress", "MPIDI", "MPID_Progress", "btl_", "ucp_worker_progress", "poll_device", "sm_poll")
_FAULT_S = 0.25e-6  # of one page fault with a zeroed page, at least: 0.1 µs to enter and 4 KiB to write


@dataclass(frozen=True)
class Suspicion:
    """A cause.

    name      of the finding
    stake_s   seconds at stake, at most
    evidence  what was seen
    remedy    what to do in the program itself
    cures     names of what can be tried from outside, the best first
    stands    whether it is told even if no cure helps: what was seen has no other explanation
    """

    name: str
    stake_s: float
    evidence: str
    remedy: str
    cures: tuple[str, ...] = ()
    stands: bool = True


def _share(seconds: float, facts: Facts) -> str:
    return f"{seconds:.3g} s of {facts.elapsed_s:.3g} s ({seconds / max(facts.elapsed_s, 1e-9):.0%})"


def _cores(facts: Facts) -> float:
    """Return how many cores' time the command used, at least one."""
    return max(1.0, (facts.user_s + facts.system_s) / max(facts.elapsed_s, 1e-9))


def _serial(facts: Facts) -> Iterator[Suspicion]:
    """One thread runs while the others of a parallel program sleep."""
    most = min(facts.cpus, len(facts.levels) - 1)
    if most < 2 or facts.ranks > 1:
        return
    alone_s = facts.at_level(1)
    yield Suspicion(
        "serial section",
        alone_s * (1 - 1 / most),
        f"one of {most} threads was busy for {_share(alone_s, facts)}",
        "run this part in parallel, or beside another; where threads wait for the slowest, give them smaller pieces",
        (cures.SCHEDULE,),
    )


def _oversubscribed(facts: Facts) -> Iterator[Suspicion]:
    """More threads want a core than there are."""
    most = len(facts.levels) - 1
    if most <= facts.cpus:
        return
    over_s = sum(facts.levels[facts.cpus + 1 :])
    waited_s = sum(thread.wait_s for thread in facts.threads)
    yield Suspicion(
        "oversubscription",
        min(over_s, waited_s / max(1, facts.cpus)),
        f"up to {most} threads wanted {plural(facts.cpus, 'core')} for {_share(over_s, facts)}; they waited for one "
        f"for {waited_s:.3g} s in total",
        f"start at most {plural(facts.cpus, 'busy thread')}: ranks times threads",
        (cures.FEWER_THREADS, cures.ONE_BLAS_THREAD, cures.YIELD, cures.SLEEP),
        stands=False,
    )


def _allocation(facts: Facts) -> Iterator[Suspicion]:
    """Time goes to the allocator, or to locks within it."""
    share = sum(
        one.share
        for one in facts.hot or ()
        if one.function in _EXACT_MALLOC or any(part in one.function for part in _MALLOC)
    )
    if share:
        seconds = share * (facts.user_s + facts.system_s) / _cores(facts)
        slept_s = facts.sleep_s(LOCK) if len(facts.threads) > 1 else 0.0
        yield Suspicion(
            "allocation",
            seconds,
            f"{share:.0%} of the samples are in malloc, free and their kin"
            + (f"; threads slept on locks for {slept_s:.3g} s" if slept_s > _LEAST_SHARE * facts.elapsed_s else ""),
            "allocate outside of loops, or give each thread memory of its own",
            (cures.ALLOCATOR, cures.KEEP_MEMORY),
        )


def _page_faults(facts: Facts) -> Iterator[Suspicion]:
    """Memory is handed back to the system and taken again, or simply new."""
    seconds = min(facts.faults * _FAULT_S, facts.system_s) if facts.system_s else 0.0
    seconds = max(seconds, facts.hot_share("clear_page", "page_fault", "handle_mm_fault") * facts.elapsed_s)
    yield Suspicion(
        "page faults",
        max(seconds, min(facts.system_s, seconds * 4)) / _cores(facts),
        f"{facts.faults:,} page faults, and {_share(facts.system_s, facts)} in the kernel",
        "keep memory instead of freeing it, and touch it once; ask for huge pages",
        (cures.KEEP_MEMORY, cures.HUGE_PAGES),
        stands=False,
    )


def _locks(facts: Facts) -> Iterator[Suspicion]:
    """Several threads sleep on one lock."""
    if not facts.locks or len(facts.threads) < 2:
        return
    lock = facts.locks[0]
    switches = sum(thread.switches for thread in facts.threads)
    at_once = facts.elapsed_s * (len(facts.threads) - 1)
    if lock.sleep_s < _LEAST_SHARE * at_once or switches < 1000 * facts.elapsed_s:
        return
    running = sum(thread.run_s for thread in facts.threads)
    possible_s = running / min(facts.cpus, len(facts.threads))
    yield Suspicion(
        "lock convoy",
        max(0.0, facts.elapsed_s - possible_s),
        f"{lock.threads} threads slept on one lock for {lock.sleep_s:.3g} s in total, and changed "
        f"{switches / facts.elapsed_s:,.0f} times a second from running to waiting",
        "hold the lock for less, or divide what it protects; in Python the interpreter's lock lets one thread run: use "
        "processes",
        (),
    )


def _barriers(facts: Facts) -> Iterator[Suspicion]:
    """Threads spin in the OpenMP runtime."""
    share = facts.hot_share(*_SPINNING)
    if share and facts.openmp:
        yield Suspicion(
            "waiting at barriers",
            share * facts.elapsed_s,
            f"{share:.0%} of the samples are in the OpenMP runtime, where threads wait for each other",
            "fewer and larger parallel regions; a schedule that balances them",
            (cures.SCHEDULE, cures.SLEEP, cures.FEWER_THREADS),
        )


def _blas_threads(facts: Facts) -> Iterator[Suspicion]:
    """Threads of a BLAS wait for each other."""
    share = facts.hot_share(*_BLAS_WAITS)
    if share and facts.hot_share(*_BLAS):
        yield Suspicion(
            "threads of a BLAS",
            share * facts.elapsed_s,
            f"{share:.0%} of the samples are where the threads of a BLAS wait for work",
            "one thread for small matrices: OPENBLAS_NUM_THREADS=1, or threadpoolctl in Python",
            (cures.ONE_BLAS_THREAD,),
            stands=False,
        )


def _messages(facts: Facts) -> Iterator[Suspicion]:
    """Ranks wait inside MPI."""
    if not facts.mpi:
        return
    longest = max(rank.seconds for rank in facts.mpi)
    inside = [rank.inside_s for rank in facts.mpi]
    shortest, mean = min(inside), sum(inside) / len(inside)
    calls = sum(rank.calls for rank in facts.mpi)
    # What the rank waits that waits least is communication; what the others wait beyond is for that rank.
    yield Suspicion(
        "imbalance of ranks",
        mean - shortest,
        f"ranks were inside MPI for {shortest:.3g} to {max(inside):.3g} s of {longest:.3g} s",
        "divide the work evenly among the ranks",
        (cures.BIND,),
    )
    yield Suspicion(
        "communication",
        shortest,
        f"every rank was inside MPI for at least {shortest:.3g} s of {longest:.3g} s, in {calls:,} calls",
        "fewer and larger messages, and work while they are under way",
        (cures.YIELD, cures.BIND),
    )


def _waits_for_io(facts: Facts) -> Iterator[Suspicion]:
    """Threads wait for files, or spend their time in calls of the system."""
    slept_s = facts.sleep_s(IO) / max(1, len(facts.threads))
    system_s = facts.system_s / _cores(facts)
    calls = facts.hot_share("read", "write", "syscall_enter", "entry_SYSCALL", "vfs_")
    seconds = slept_s + (system_s if calls > 0 and facts.faults * _FAULT_S < facts.system_s / 2 else 0.0)
    yield Suspicion(
        "input and output",
        seconds,
        f"{slept_s:.3g} s asleep in reads and writes, {_share(facts.system_s, facts)} in the kernel",
        "read and write larger pieces: buffers of 1 MiB, whole chunks",
        (cures.BUFFER,),
    )


_CAUSES: tuple[Callable[[Facts], Iterator[Suspicion]], ...] = (
    _serial,
    _oversubscribed,
    _allocation,
    _page_faults,
    _locks,
    _barriers,
    _blas_threads,
    _messages,
    _waits_for_io,
)


def suspicions(facts: Facts) -> list[Suspicion]:
    """Return what is suspected, by the seconds at stake, without what is not worth a line."""
    found = [one for cause in _CAUSES for one in cause(facts)]
    return sorted((one for one in found if one.stake_s >= _LEAST_SHARE * facts.elapsed_s), key=lambda one: -one.stake_s)
