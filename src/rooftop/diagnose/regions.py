"""Suspect what holds OpenMP's parallel regions back, by the time in them and in their bodies: see suspicions.py."""

from __future__ import annotations

from collections.abc import Iterator

from rooftop.diagnose import cures
from rooftop.diagnose.facts import Facts
from rooftop.diagnose.region_facts import OpenMpFacts, OpenMpRegion
from rooftop.diagnose.suspicion import Suspicion
from rooftop.observe import openmp


def told_by_regions(facts: Facts) -> bool:
    """Return whether the regions show where threads wait: most of their time is outside of tasks."""
    told = facts.openmp_regions
    return told is not None and told.inside_s > 2 * told.tasks_s


def _scale(facts: Facts) -> float:
    """Return by what the seconds of the regions' run are multiplied to be those of the run without observation."""
    ran_s = facts.openmp_regions.elapsed_s if facts.openmp_regions is not None else 0.0
    return facts.elapsed_s / max(ran_s, 1e-9)


def _own(facts: Facts) -> float:
    """Return the same for waits: where threads wait for a core, they are late for that reason, too."""
    ran_s, waited_s = sum(one.run_s for one in facts.threads), sum(one.wait_s for one in facts.threads)
    return _scale(facts) * ran_s / max(ran_s + waited_s, 1e-9)


def late_s(facts: Facts) -> float:
    """Return the seconds that the mean thread waits for the slowest of its region; 0 where they are not known."""
    return facts.openmp_regions.imbalance_s * _own(facts) if facts.openmp_regions is not None else 0.0


def serial_s(facts: Facts) -> float | None:
    """Return the seconds outside of all parallel regions; None where they are not known."""
    if facts.openmp_regions is None or not facts.openmp_regions.regions:
        return None
    return max(0.0, facts.elapsed_s - facts.openmp_regions.inside_s * _scale(facts))


def around_s(facts: Facts) -> float | None:
    """Return the seconds before the first parallel region and after the last one; None where they are not known."""
    if facts.openmp_regions is None or facts.openmp_regions.span_s is None:
        return None
    return max(0.0, facts.elapsed_s - facts.openmp_regions.span_s * _scale(facts))


def _loop(region: OpenMpRegion) -> str:
    chunk = f", {region.chunk}" if region.chunk else ""
    return f"schedule({region.schedule}{chunk})" if region.schedule else "no schedule but static"


def _balanced(region: OpenMpRegion) -> str:
    """Return what to do in the program for threads that wait for the slowest."""
    if region.schedule == openmp.RUNTIME:
        return f"OMP_SCHEDULE=dynamic, or schedule(dynamic) for the loop in {region.site}"
    if region.schedule in (openmp.DYNAMIC, openmp.GUIDED):
        return f"smaller chunks, or the longest pieces of work first, in {region.site}"
    if region.sections:
        return f"more sections than threads, of equal length, or tasks, in {region.site}"
    if region.single:
        return f"share among the threads what {region.site} leaves to one: omp single or master"
    return f"schedule(dynamic) for the loop in {region.site}, or parts of equal work"


def _imbalance(facts: Facts, told: OpenMpFacts, known: list[OpenMpRegion]) -> Iterator[Suspicion]:
    slowest = max(known, key=lambda one: one.imbalance_s)
    seconds, its_s = late_s(facts), slowest.imbalance_s * _own(facts)
    yield Suspicion(
        "imbalance of threads",
        min(facts.elapsed_s, seconds),
        f"threads wait for the slowest of them for {seconds:.3g} s of {facts.elapsed_s:.3g} s; {its_s:.3g} s of it in "
        f"{slowest.site}: {slowest.calls:,} regions of {slowest.threads:.3g} threads, {_loop(slowest)}",
        _balanced(slowest),
        (cures.SCHEDULE,) if any(one.schedule == openmp.RUNTIME and one.imbalance_s for one in known) else (),
    )


def _overhead(facts: Facts, told: OpenMpFacts, known: list[OpenMpRegion]) -> Iterator[Suspicion]:
    worst = max(known, key=lambda one: one.overhead_s)
    crowd = (cures.FEWER_THREADS,) if len(facts.threads) > facts.cpus else ()
    pieces = max(1.0, worst.calls + worst.barriers)
    between = "from one wait to the next" if worst.barriers else "each"
    seconds = told.overhead_s * _own(facts)
    yield Suspicion(
        "waiting at barriers",
        min(facts.elapsed_s, seconds),
        f"{seconds:.3g} s of {facts.elapsed_s:.3g} s go to starting and joining threads; most in {worst.site}: "
        f"{worst.calls:,} regions of {worst.threads:.3g} threads, {worst.seconds / pieces * 1e6:,.3g} µs {between}, "
        f"{worst.work_s / pieces * 1e6:,.3g} µs of it at work",
        f"fewer and larger parallel regions: one omp parallel around the loop that begins {worst.site} again and again"
        if not worst.barriers
        else f"fewer barriers in {worst.site}: nowait where the next loop does not need this one's results",
        (*crowd, cures.SLEEP, cures.BIND, cures.ONE_THREAD),
    )


def _critical(facts: Facts, told: OpenMpFacts) -> Iterator[Suspicion]:
    worst = max(told.regions, key=lambda one: one.lock_s)
    seconds = told.lock_s * _own(facts)
    yield Suspicion(
        "critical sections",
        min(facts.elapsed_s, seconds),
        f"a thread waits for critical sections and locks for {seconds:.3g} s of {facts.elapsed_s:.3g} s; "
        f"most in {worst.site}, where it enters {worst.locks:,.0f} of them",
        f"a reduction, an atomic operation or a copy for each thread in place of the critical section in {worst.site}",
        (cures.ONE_THREAD,),
    )


def regions(facts: Facts) -> Iterator[Suspicion]:
    """Yield what the regions' threads wait for: the slowest of them, each other's start and end, and locks.

    Where regions with tasks take most of the time, samples tell of all waiting but that for locks.
    """
    told = facts.openmp_regions
    if told is None or not told.regions:
        return
    yield from _critical(facts, told)
    if told_by_regions(facts) and (known := [one for one in told.regions if not one.tasks]):
        yield from _imbalance(facts, told, known)
        yield from _overhead(facts, told, known)
