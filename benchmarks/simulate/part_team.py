"""What schedules of a node's threads give: the lecture's curve over chunk sizes, by model and replay."""

from __future__ import annotations

from benchmarks.form import Asked, table
from benchmarks.simulate import part_model, part_replay
from benchmarks.simulate.part_model import CHUNKS_S, OVERLAP_S, STATIC_S
from benchmarks.simulate.simulate import Part
from rooftop.simulate.platform_files import named_platform
from rooftop.simulate.program import Schedule
from rooftop.simulate.programs.elasticity import PARAMETERS
from rooftop.simulate.replay import missing
from rooftop.simulate.team import Team, team_seconds

ORDER = 40
TITLE = "Threads of a node: schedules and chunks"

_NODES, _THREADS = 12, 16
_ITERATIONS = 100


def seconds(chunk: int, *, overlap: bool, replay: bool = False) -> float:
    """Return an iteration's time on the lecture's cluster; a chunk of 0 is the static schedule."""
    lecture = named_platform("lecture_cluster")
    given = {"overlap": int(overlap), "chunk": chunk, "iterations": _ITERATIONS}
    if replay:
        return part_replay.run("elasticity", lecture, _NODES, _THREADS, None, **given)[0].seconds / _ITERATIONS
    return part_model.run("elasticity", lecture, _NODES, _THREADS, None, **given).seconds / _ITERATIONS


def slowed(*, dynamic: bool, taken: float = 0.05, chunk: int = 200) -> float:
    """Return how many percent longer computing takes where one thread of 16 has so much less of its core."""
    rows = int(PARAMETERS["nx"]) * int(PARAMETERS["ny"]) * int(PARAMETERS["nz"]) // _NODES
    schedule = Schedule(rows / chunk, True) if dynamic else Schedule(rows)
    of_piece = 1 / schedule.pieces
    alone, less = (team_seconds(schedule, of_piece, 0.0, Team(_THREADS, one)) for one in (0.0, taken))
    return 100 * (less / alone - 1)


def curve() -> str:
    """Return the table over chunk sizes."""
    rows = []
    static_s = seconds(0, overlap=False)
    replayed = missing() is None
    for chunk, published_s in CHUNKS_S.items():
        own = [seconds(chunk, overlap=False), seconds(chunk, overlap=True)]
        own += [seconds(chunk, overlap=True, replay=True)] if replayed else []
        off = (f"{one:.4f} s, {100 * (one / static_s - 1):+.2f} %" for one in own)
        published = f"{published_s:.3f} s, {100 * (published_s / STATIC_S - 1):+.1f} %"
        rows.append((chunk, published, *off, *(() if replayed else ("–",))))
    head = ("rows of a chunk", "published, overlapped", "no overlap, model", "overlapped, model", "overlapped, replay")
    return table(head, rows)


_READING = f"""\
The lecture's three programs: threads with equal parts ({STATIC_S:g} s an iteration), the same with the halo under way
({OVERLAP_S:g} s), and chunks of rows, during which the first thread waits for the halo and then joins the others.
Percentages are over the static schedule without overlap, the lecture's and ours. A chunk costs
{PARAMETERS["fetch_s"] * 1e9:g} ns more, which is assumed; nothing else here is, and nothing is fitted.

A node's memory limits the product, and sixteen threads share it, so that neither the schedule nor the thread that
waits changes much: a chunk of 1000 rows, the most that can be left over at the end, is 0.2 % of a thread's part, and
the halo 0.25 %. The published curve falls by 4.5 % from static to 200 rows and rises again. It is **not explained**: a
thread that gets less than its part of the memory, pages on the wrong side of a node and rows that a cache has kept
would each do it, and the lecture tells none of them.
"""


def part() -> Part:
    """Return the section."""
    static_s = seconds(0, overlap=False)
    spread = [100 * (seconds(chunk, overlap=True) / static_s - 1) for chunk in CHUNKS_S]
    published = [100 * (one / STATIC_S - 1) for one in CHUNKS_S.values()]
    uneven = {way: slowed(dynamic=way) for way in (False, True)}
    coarse = 100 * (seconds(1000, overlap=False) / static_s - 1)
    rows = [
        Asked(
            "Elasticity: what chunks of 1000 rows leave over at the end",
            "0.2 %",
            f"{coarse:.2f} %",
            abs(coarse) <= 0.2,
        ),
        Asked(
            "Elasticity: the curve over chunk sizes, 50 to 1000 rows, overlapped",
            "reported as not explained, not fitted",
            f"{min(spread):+.2f} to {max(spread):+.2f} %; published: {min(published):+.1f} to {max(published):+.1f} %",
            None,
        ),
        Asked(
            "One thread of 16 has 5 % less of its core, where the cores limit",
            "chunks absorb it",
            f"{uneven[False]:.2f} % longer with equal parts, {uneven[True]:.2f} % with chunks of 200 rows",
            uneven[True] < uneven[False] / 5,
        ),
    ]
    return Part(rows, [_READING, curve()])
