"""Suspect what ranks of an MPI program wait for, by the calls that they make: see suspicions.py."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rooftop.diagnose import cures
from rooftop.diagnose.facts import MpiCall, RankFacts
from rooftop.diagnose.mpi_cures import EAGER_BYTES, dearest_collective
from rooftop.diagnose.suspicion import Suspicion

MESSAGES = ("communication", "large collectives", "small messages", "late sender")
_SENDS = ("Send", "Ssend", "Rsend", "Bsend", "Isend", "Issend", "Irsend", "Sendrecv", "Sendrecv_replace", "Start")
_WAITS = ("Recv", "Mrecv", "Probe", "Mprobe", "Wait", "Waitall", "Waitany", "Waitsome", "Sendrecv", "Sendrecv_replace")
_COLLECTIVES = [
    "Bcast",
    "Gather",
    "Gatherv",
    "Scatter",
    "Scatterv",
    "Allgather",
    "Allgatherv",
    "Alltoall",
    "Alltoallv",
    "Alltoallw",
    "Reduce",
    "Allreduce",
    "Reduce_scatter",
    "Reduce_scatter_block",
    "Scan",
    "Exscan",
]
_SMALL_BYTES = 1024  # of a message: less takes as long as none
_LARGE_BYTES = 1 << 20  # of a rank's part of a collective
_ALWAYS_EAGER_BYTES = 4096  # of a message: libraries send less at once anyway
_MESSAGES_PER_S = 10_000  # of one rank
_MESSAGE_S, _BYTE_S = 5e-6, 1e-9  # what a message may take within a node or between nodes, generously


def _sum(ranks: Sequence[RankFacts], names: Sequence[str]) -> MpiCall:
    """Return the calls of some names, of the mean rank."""
    found = [rank.by_name[name] for rank in ranks for name in names if name in rank.by_name]
    return MpiCall(
        calls=sum(one.calls for one in found) // len(ranks),
        inside_s=sum(one.inside_s for one in found) / len(ranks),
        sent_bytes=sum(one.sent_bytes for one in found) // len(ranks),
    )


def _named(ranks: Sequence[RankFacts], inside_s: float, longest_s: float) -> tuple[str, str, str]:
    """Return the name of what communication waits for, what was seen of it, and what to do."""
    sent, waits, collective = (_sum(ranks, names) for names in (_SENDS, _WAITS, _COLLECTIVES))
    if collective.inside_s > 0.5 * inside_s and collective.sent_bytes > _LARGE_BYTES * collective.calls > 0:
        mean = collective.sent_bytes / collective.calls
        told = f"{collective.calls:,} collective calls of {mean / 1e6:,.3g} MB a rank on average"
        return "large collectives", told, "send less: only what has changed, only to those that need it"
    if sent.calls > _MESSAGES_PER_S * longest_s and sent.sent_bytes < _SMALL_BYTES * sent.calls:
        mean = sent.sent_bytes / sent.calls
        told = f"{sent.calls:,} messages of {mean:,.0f} bytes a rank on average"
        return "small messages", told, "gather what goes to one rank into one message"
    transfer_s = sent.calls * _MESSAGE_S + sent.sent_bytes * _BYTE_S
    if waits.inside_s > 0.5 * inside_s and waits.inside_s > 5 * transfer_s:
        told = f"{waits.inside_s:.3g} s a rank in receiving and waiting, for messages that take some {transfer_s:.2g} s"
        return "late sender", told, "send earlier, or do other work before receiving: what is waited for is sent late"
    calls = sum(rank.calls for rank in ranks)
    return "communication", f"{calls:,} calls", "fewer and larger messages, and work while they are under way"


def _of_the_library(ranks: Sequence[RankFacts], inside_s: float) -> tuple[str, ...]:
    """Return the cures by settings of the MPI library that fit the calls of the mean rank."""
    sent, dearest = _sum(ranks, _SENDS), dearest_collective(ranks)
    half_s = 0.5 * inside_s * len(ranks)
    found = [cures.COLLECTIVE] if dearest is not None and dearest[1].inside_s > half_s else []
    if _ALWAYS_EAGER_BYTES * sent.calls < sent.sent_bytes <= EAGER_BYTES * sent.calls:
        found.append(cures.EAGER)
    return tuple(found)


def messages(ranks: Sequence[RankFacts], elapsed_s: float) -> Iterator[Suspicion]:
    """Yield what the ranks wait for inside MPI: for the busiest one, and beside that for messages.

    elapsed_s  of the whole command where its messages were not looked at
    """
    longest_s = max(rank.seconds for rank in ranks)
    undisturbed = min(1.0, elapsed_s / max(longest_s, 1e-9))
    inside = [rank.inside_s for rank in ranks]
    shortest_s, mean_s = min(inside), sum(inside) / len(inside)
    # The rank that waits least shows what communication takes; the others wait for that rank.
    yield Suspicion(
        "imbalance of ranks",
        (mean_s - shortest_s) * undisturbed,
        f"ranks were inside MPI for {shortest_s:.3g} to {max(inside):.3g} s of {longest_s:.3g} s",
        "divide the work evenly among the ranks",
        (cures.BIND,),
    )
    name, told, remedy = _named(ranks, mean_s, longest_s)
    yield Suspicion(
        name,
        shortest_s * undisturbed,
        f"every rank was inside MPI for at least {shortest_s:.3g} s of {longest_s:.3g} s: {told}",
        remedy,
        (*_of_the_library(ranks, mean_s), cures.YIELD, cures.BIND),
    )
