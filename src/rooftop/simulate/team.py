"""A team of threads that shares out a loop: how long its slowest thread takes.

native/simulate/team.cpp has the same for replays.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass

from rooftop.simulate.program import Schedule


@dataclass(frozen=True)
class Team:
    """Threads on so many cores, which are fewer where hardware threads share them.

    taken   cores that are not theirs: of one thread's, or of as few as have that much, and at most half of each
    late_s  when the first thread joins the others
    """

    cores: float
    taken: float = 0.0
    late_s: float = 0.0

    @property
    def threads(self) -> int:
        """How many there are."""
        return max(1, math.floor(self.cores + 0.5))

    @property
    def free_cores(self) -> float:
        """Cores of a team whose work is shared out evenly, whatever each thread has."""
        return max(self.cores - self.taken, self.cores / 2)


def _shortly_before(pieces: float, threads: list[tuple[float, float]], late_s: float) -> float:
    """Return a time at which at most so many pieces are begun, and all but a few of them."""
    early = [of_piece for since, of_piece in threads if since <= 0]
    without = (pieces - len(early)) / sum(1 / one for one in early) if early else late_s
    if without <= late_s:
        return without
    offset = sum(since / of_piece - 1 for since, of_piece in threads)
    return max(late_s, (pieces + offset) / sum(1 / of_piece for _, of_piece in threads))


def _dynamic(pieces: float, threads: list[tuple[float, float]], late_s: float) -> float:
    """Return when the last piece is done if the thread that is free first takes the next one."""
    when = _shortly_before(pieces, threads, late_s)
    begun = [math.floor((when - since) / of_piece) + 1 if 0 < when >= since else 0 for since, of_piece in threads]
    if sum(begun) > pieces:
        begun = [0] * len(threads)
    free = [(since + begun[index] * each, index) for index, (since, each) in enumerate(threads)]
    ended = max((at for (at, _), many in zip(free, begun, strict=True) if many), default=0.0)
    heapq.heapify(free)
    left = pieces - sum(begun)
    while left > 0:
        at, index = free[0]
        at += threads[index][1] * min(left, 1.0)
        ended = max(ended, at)
        heapq.heapreplace(free, (at, index))
        left -= 1
    return ended


def team_seconds(schedule: Schedule, computing_s: float, moving_s: float, team: Team) -> float:
    """Return the seconds until all pieces are done and the first thread has come.

    computing_s  of a piece, on a core
    moving_s     of a piece, at a thread's share of the memory
    """
    many, slowed = team.threads, min(math.ceil(team.taken), team.threads)
    share = team.cores / many
    slow = share * max(0.5, 1 - team.taken / slowed) if slowed else share
    threads = [
        (
            0.0 if one else team.late_s,
            max(computing_s / (slow if one < slowed else share), moving_s) + schedule.fetch_s,
        )
        for one in range(many)
    ]
    if threads[-1][1] <= 0 or schedule.pieces <= 0:
        return team.late_s
    if schedule.dynamic:
        done_s = _dynamic(schedule.pieces, threads, team.late_s)
        return max(done_s, schedule.pieces * schedule.fetch_s, team.late_s)
    most = min(math.ceil(schedule.pieces / many), schedule.pieces)
    return max(since + most * each for since, each in threads)
