"""Which algorithm MPI libraries choose by themselves, by collective, bytes and ranks.

Open MPI 4.1: the fixed rules of its component coll/tuned (coll_tuned_decision_fixed.c, as of 2020: from averaged
measurements of several clusters), for communicators of 64 to 127 and of 1024 to 2047 ranks. MPICH: Thakur,
Rabenseifner and Gropp, Optimization of Collective Communication Operations in MPICH (2005), for 8 ranks and more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

#: (ranks from, to) -> names, each with the bytes below which it is taken; None: all.
Rule = Sequence[tuple[int | None, str]]
OPEN_MPI: Mapping[tuple[str, int, int], Rule] = {
    ("alltoall", 64, 127): [
        (1024, "bruck"),
        (2048, "linear"),
        (4096, "linear_sync"),
        (262144, "linear"),
        (None, "pairwise"),
    ],
    ("alltoall", 1024, 2047): [
        (512, "bruck"),
        (1024, "linear_sync"),
        (2048, "linear"),
        (16384, "linear_sync"),
        (262144, "linear"),
        (None, "linear_sync"),
    ],
    ("bcast", 64, 127): [(None, "knomial")],
    ("bcast", 1024, 2047): [(524288, "knomial"), (None, "scatter_allgather")],
    ("allreduce", 64, 127): [(262144, "recursive_doubling"), (None, "rabenseifner")],
    ("allreduce", 1024, 2047): [(2048, "nonoverlapping"), (16384, "recursive_doubling"), (None, "rabenseifner")],
}
MPICH: Mapping[str, Rule] = {
    "alltoall": [(257, "bruck"), (None, "pairwise")],
    "bcast": [(12288, "binomial"), (None, "scatter_allgather")],
    "allreduce": [(2049, "recursive_doubling"), (None, "rabenseifner")],
}
#: What comes nearest of ours: a tree of four children for each rank as one of two, and windows of messages as all.
NEAREST = {"linear_sync": "linear", "knomial": "binomial"}


def _by_size(rule: Rule, bytes_: int) -> str:
    return next(name for below, name in rule if below is None or bytes_ < below)


def open_mpi(collective: str, bytes_: int, ranks: int) -> str:
    """Return Open MPI's name of the algorithm that it chooses. Raises LookupError for ranks without a rule here."""
    for (name, least, most), rule in OPEN_MPI.items():
        if name == collective and least <= ranks <= most:
            return _by_size(rule, bytes_)
    raise LookupError(f"no rule of {collective} on {ranks} ranks")


def mpich(collective: str, bytes_: int) -> str:
    """Return MPICH's choice."""
    return _by_size(MPICH[collective], bytes_)
