"""The exchange of a collective write to HDF5: ranks bring their pieces into the order of the file, in rounds.

Every rank owns an equal domain of the file (two-phase I/O, Thakur, Gropp and Lusk 1999; ROMIO's ``cb_nodes`` as many as
ranks), and its pieces lie evenly over all domains. A round fills a buffer of each domain: pieces are packed, exchanged
all to all, and put in their places. What the file system takes is not predicted.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

from rooftop.simulate.program import Call, Phase, Work

PARAMETERS = {"mib": 16384, "buffer_mib": 16}
KIND = "copy"
_COPIES = 2  # each reads and writes a byte


def phases(ranks: int, threads: int, given: Mapping[str, float]) -> list[Phase]:
    """Return the rounds. ``mib``: that are written in all; ``buffer_mib``: of each domain, ROMIO's cb_buffer_size."""
    domain_mib = given["mib"] / ranks
    rounds = ceil(domain_mib / given["buffer_mib"])
    bytes_ = domain_mib * 2**20 / rounds
    work = Work(bytes=2 * _COPIES * bytes_, kind=KIND)
    return [Phase("rounds", work, (Call("alltoall", bytes_ / ranks),), rounds)]
