"""FT of the NAS Parallel Benchmarks by slabs: a transform of the field and an all-to-all in each iteration.

Operations are the customary 5 N log2 N of a transform. Bytes are those of the ladder's fused transposes, 96 a point and
transform (experiments/ft/README.md). With ``pipelined`` the all-to-all of one iteration is under way while columns and
planes of others are computed, as in the ladder's rung of that name and in its source.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log2

from rooftop.errors import Misuse
from rooftop.simulate.program import Call, Phase, Work

PARAMETERS = {"nx": 512, "ny": 512, "nz": 512, "iterations": 20, "pipelined": 0}
KIND = "fft"
_BYTES_OF_VALUE = 16
_BYTES_MOVED = 96


def phases(ranks: int, threads: int, given: Mapping[str, float]) -> list[Phase]:
    """Return the first transform and the iterations. Raises Misuse for more ranks than planes."""
    nx, ny, nz, iterations = (int(given[name]) for name in ("nx", "ny", "nz", "iterations"))
    if ranks > min(ny, nz):
        raise Misuse(f"ft: {ranks} ranks cannot share {nz} planes and {ny} rows: expected at most {min(ny, nz)} ranks")
    points = nx * ny * nz
    # The ranks with most planes, and what all of them have on average.
    fullest = -(-nz // ranks) * nx * ny
    mean = points / ranks / fullest
    flops = fullest * 5 * log2(points)
    work = Work(flops, fullest * _BYTES_MOVED, mean, KIND)
    first = Work(flops, fullest * (_BYTES_MOVED - _BYTES_OF_VALUE), mean, KIND)  # U0 is drawn into it, not read
    block = -(-nz // ranks) * -(-ny // ranks) * nx * _BYTES_OF_VALUE
    exchange = (Call("alltoall", block),)
    found = [Phase("first transform", first, exchange)]
    if iterations:
        overlap = bool(given["pipelined"])
        found.append(Phase("iterations", work, (*exchange, Call("allreduce", 16)), iterations, overlap))
    return found
