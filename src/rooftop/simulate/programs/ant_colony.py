"""The ant colony's baseline: processes build tours from texts, and threads of a rank share one pool of memory.

The source tells that 64 ranks of 3 threads on 192 hardware threads are 5.3 times as fast as its baseline, a process
of threads, and that 6 % of this are a scalable allocator's. That the baseline had 192 threads is assumed. A law of
one constant follows: threads of a process take 1 + c (threads - 1) times as long for the same work (Gunther's
contention, of which the laws of ``rooftop scale`` have the general form), with (1 + 191 c) / (1 + 2 c) = 5.3 /
1.06. Of what a rank costs by itself it has the end of a run: each sends a last text to the first, and all meet.
"""

from __future__ import annotations

from collections.abc import Mapping

from rooftop.errors import Misuse
from rooftop.simulate.program import Call, Phase, Work

GAIN, GAIN_OF_ALLOCATOR = 5.3, 1.06
_RATIO = GAIN / GAIN_OF_ALLOCATOR
_ANTS_OF_GROUP = 8
#: What each further thread of a process costs the others.
CONTENTION = (_RATIO - 1) / (191 - 2 * _RATIO)
PARAMETERS = {"cities": 1000, "tours": 192 * 64, "contention": CONTENTION}


def phases(ranks: int, threads: int, given: Mapping[str, float]) -> list[Phase]:
    """Return the building of tours. Raises Misuse for fewer tours than threads."""
    cities, tours = int(given["cities"]), int(given["tours"])
    if tours < ranks * threads:
        raise Misuse(
            f"ant_colony: {ranks} ranks of {threads} threads cannot share {tours} tours: expected one for each"
        )
    most = -(-tours // (ranks * threads)) * threads  # of a rank, whose threads have equally many
    steps = float(most) * cities
    # As the rung counts: a row of choices and one of pheromones each step, half of a text copied; and a process reads
    # and writes its pheromones each month.
    renewals = most / _ANTS_OF_GROUP
    work = Work(
        flops=(steps + renewals * cities) * cities,
        bytes=(steps * (2 * 8 + 4) + renewals * cities * 2 * 8) * cities,
        mean=tours / ranks / most,
        kind="ants",
        slowdown=1 + given["contention"] * (threads - 1),
    )
    # The last text and the barrier are each about as long as the sum of a number.
    return [Phase("tours", work), Phase("end", Work(), (Call("allreduce", 8, 2),))]
