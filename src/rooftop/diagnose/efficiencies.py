"""How efficient a program is in parallel, as POP factors it: by ranks, and by the threads within them.

Of a hybrid program the parallel efficiency is that over all threads: the product of MPI's and the threads'. Each is
load balance × communication efficiency. What MPI takes is measured, the factors over all threads come from samples, and
those of the threads are the quotients.
Source: POP Centre of Excellence, https://pop-coe.eu/node/69, and its multiplicative model of hybrid programs,
https://co-design.pop-coe.eu/metrics/hm/parallel_efficiency.html.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from statistics import fmean

from pydantic import Field

from rooftop.diagnose.facts import Facts, RankFacts
from rooftop.diagnose.stacks import SampledThread
from rooftop.files.document import Document
from rooftop.scale.pop import Factors, communication_efficiency, load_balance
from rooftop.text.quantities import percent, seconds

_HELPER, _HELPER_S = 0.02, 0.02  # of the useful time of the busiest thread, and in seconds: one with less is no worker
_TOGETHER = 0.75  # of the threads: with fewer at once they come and go, and have no balance
_STARVED = 0.1  # from which on it is told
_MOST_STARVED = 0.9
_LEAST_S = 0.1  # of useful time, which are 50 samples
_TOLD = 0.05  # of the runtime: an overlap that saves less is not told
_NOTHING_TO_HIDE = frozenset(
    ("Barrier", "Init", "Init_thread", "Finalize", "Abort", "Win_fence", "Comm_dup", "Comm_split", "Comm_create")
)  # who calls these has no message under way behind which to work


class ThreadFactors(Document):
    """The factors of threads within processes.

    serialisation  the busiest thread's useful time over the time in which it could work
    useful_s       of each thread that works: outside the runtimes, on a core or, as MPI's times have it, without one
    starved        share of the time in which busy threads ran or wanted to, in which they had no core
    exact          whether waiting that spins is known, and left out
    """

    parallel_efficiency: float
    load_balance: float
    serialisation: float
    processes: int
    useful_s: list[float] = Field(default_factory=list)
    exact: bool = True
    starved: float = 0.0


class Efficiencies(Document):
    """The parallel efficiency, and what it is the product of. None: there is only one rank, or one thread each.

    overlap_s  what the run would take less at most, if all communication that can be were hidden behind work
    runtime_s  of the run with MPI of which that is told
    """

    parallel_efficiency: float
    ranks: Factors | None = None
    threads: ThreadFactors | None = None
    overlap_s: float | None = None
    runtime_s: float | None = None


def _of_ranks(ranks: Sequence[RankFacts]) -> Factors | None:
    useful = [one.seconds - one.inside_s for one in ranks]
    runtime_s = max((one.seconds for one in ranks), default=0.0)
    if len(ranks) < 2 or runtime_s <= 0:
        return None
    return Factors(
        parallel_efficiency=fmean(useful) / runtime_s,
        load_balance=load_balance(useful),
        communication_efficiency=communication_efficiency(useful, runtime_s),
        runs=1,
        runtime_s=runtime_s,
        useful_s=useful,
    )


def overlap_s(ranks: Sequence[RankFacts]) -> float:
    """Return what the run would take less at most, if communication were hidden behind work.

    A rank hides at most min(time in calls that wait for messages, useful time); the slowest rank then tells.
    """
    left_s = []
    for rank in ranks:
        hideable_s = sum(call.inside_s for name, call in rank.by_name.items() if name not in _NOTHING_TO_HIDE)
        left_s.append(rank.seconds - min(hideable_s, rank.seconds - rank.inside_s))
    return max(rank.seconds for rank in ranks) - max(left_s)


@dataclass(frozen=True)
class _Team:
    """The threads of one process that work: their useful times, and the time in which they could work."""

    useful_s: list[float]
    whole_s: float


def _at_once(threads: Sequence[SampledThread]) -> int:
    """Return how many threads there are at once, at most."""
    changes = sorted([*((one.first_s, 1) for one in threads), *((one.last_s, -1) for one in threads)])
    return max(accumulate(change for _, change in changes), default=0)


def _sampled(threads: Sequence[SampledThread], most: int) -> list[_Team]:
    """Return the `most` processes that work most, of which each has threads that are there at once."""
    busiest_s = max((one.useful_s for one in threads), default=0.0)
    by_process: dict[int, list[SampledThread]] = {}
    for one in threads:
        if one.useful_s > max(_HELPER * busiest_s, _HELPER_S):
            by_process.setdefault(one.process, []).append(one)
    chosen = sorted(by_process.values(), key=lambda team: -sum(one.useful_s for one in team))[:most]
    if any(_at_once(team) < _TOGETHER * len(team) for team in chosen):
        return []
    return [
        _Team([one.useful_s for one in team], max(one.last_s for one in team) - min(one.first_s for one in team))
        for team in chosen
    ]


def _running(facts: Facts) -> list[_Team]:
    """Return the process that works most, where nothing was sampled: waiting that spins cannot be told from work."""
    by_process: dict[int, list[float]] = {}
    for thread in facts.threads:
        by_process.setdefault(thread.process, []).append(thread.run_s + thread.wait_s)
    return [_Team(times, facts.elapsed_s) for times in sorted(by_process.values(), key=sum)[-1:]]


def _of_threads(facts: Facts, ranks: Factors | None) -> ThreadFactors | None:
    """Return the factors of the threads; None where each process has one, or too little was seen."""
    exact = bool(facts.sampled)
    if exact:  # processes that no MPI joins have nothing in common: only one of them is told
        teams = _sampled(facts.sampled, len(facts.mpi or []) if ranks is not None else 1)
    else:
        teams = _running(facts) if ranks is None else []
    waited_s = sum(one.wait_s for one in facts.threads)
    starved = waited_s / max(waited_s + sum(one.run_s for one in facts.threads), 1e-9)
    # Samples are taken on cores alone.
    ready = 1 / (1 - min(starved, _MOST_STARVED)) if exact else 1.0
    useful_s = [value * ready for team in teams for value in team.useful_s]
    if max(useful_s, default=0.0) < _LEAST_S or max(len(team.useful_s) for team in teams) < 2:
        return None
    whole_s = ranks.runtime_s if ranks is not None else teams[0].whole_s
    balance, serialisation = load_balance(useful_s), communication_efficiency(useful_s, max(whole_s, *useful_s))
    if ranks is not None:  # the ranks were timed in another run, so that a quotient may be above one
        balance = min(1.0, balance / max(ranks.load_balance, 1e-9))
        serialisation = min(1.0, serialisation / max(ranks.communication_efficiency, 1e-9))
    return ThreadFactors(
        parallel_efficiency=balance * serialisation,
        load_balance=balance,
        serialisation=serialisation,
        processes=len(teams),
        useful_s=useful_s,
        exact=exact,
        starved=starved,
    )


def efficiencies(facts: Facts) -> Efficiencies | None:
    """Return the efficiencies; None of a program with one thread, or of which too little was seen."""
    ranks = _of_ranks(facts.mpi or [])
    threads = _of_threads(facts, ranks)
    if ranks is None and threads is None:
        return None
    found = Efficiencies(parallel_efficiency=1.0, ranks=ranks, threads=threads)
    for factors in (ranks, threads):
        found.parallel_efficiency *= factors.parallel_efficiency if factors is not None else 1.0
    if ranks is not None and facts.mpi:
        found.overlap_s, found.runtime_s = overlap_s(facts.mpi), ranks.runtime_s
    return found


def lines(found: Efficiencies) -> Iterator[str]:
    """Yield the efficiencies in words."""
    told = []
    if (ranks := found.ranks) is not None:
        told.append(
            f"ranks {percent(ranks.parallel_efficiency)} = load balance {percent(ranks.load_balance)}"
            f" × communication {percent(ranks.communication_efficiency)}"
        )
    if (threads := found.threads) is not None:
        remark = "" if threads.exact else ", where waiting that spins counts as work"
        if threads.starved >= _STARVED:
            remark += f"; busy threads lacked a core for {percent(threads.starved)} of their time, which counts as work"
        told.append(
            f"threads {percent(threads.parallel_efficiency)} = load balance {percent(threads.load_balance)}"
            f" × serialisation {percent(threads.serialisation)}{remark}"
        )
    yield f"parallel efficiency: {percent(found.parallel_efficiency)}: {'; '.join(told)}"
    saved_s, runtime_s = found.overlap_s or 0.0, found.runtime_s or 0.0
    if saved_s > _TOLD * runtime_s > 0:
        told_s = f"{seconds(saved_s)} of {seconds(runtime_s)}"
        yield f"overlap: at most {told_s} could be saved by working while messages are under way"
