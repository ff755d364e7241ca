"""The ant colony's baseline: processes build tours from texts, and threads of a rank share one pool of memory.

The source tells three figures: one process of 192 threads is the baseline, 64 ranks of 3 threads are 5.3 times as
fast, of which a scalable allocator is 6 %. A law of one constant follows: threads of a process take 1 + c (threads
- 1) times as long for the same work (Gunther's contention; laws.py of rooftop scale has its general form), with c
from (1 + 191 c) / (1 + 2 c) = 5.3 / 1.06. It knows nothing of what a rank costs by itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from rooftop.errors import Misuse
from rooftop.simulate.program import Phase, Work

GAIN, GAIN_OF_ALLOCATOR = 5.3, 1.06
_RATIO = GAIN / GAIN_OF_ALLOCATOR
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
    # As the rung counts: a row of choices and one of pheromones each step, half of a text copied.
    work = Work(
        flops=steps * cities,
        bytes=steps * cities * (2 * 8 + 4),
        mean=tours / ranks / most,
        kind="ants",
        slowdown=1 + given["contention"] * (threads - 1),
    )
    return [Phase("tours", work)]
