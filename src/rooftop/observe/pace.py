"""How long to wait between looks so that looking takes a small share of a CPU."""

from __future__ import annotations

_SHARE = 0.027  # of a CPU; 0.03 is asked for, and what the last looks of a run took is made up for by none
_PAID_IN = 3  # looks: what is seldom spent puts off the next ones a part each


class Pace:
    """The time between looks by what they took.

    shortest_s  the least time between two looks
    """

    def __init__(self, shortest_s: float) -> None:
        self.shortest_s = shortest_s
        self._owed_s = 0.0  # by which looks were too early for what they took
        self._before_s: float | None = None

    def next_s(self, now_s: float, spent_ns: float, seldom_ns: float = 0.0) -> float:
        """Return the time until the next look after one that took so much of a CPU.

        now_s      the time, which may be later than was asked for
        seldom_ns  the part that few looks take: several make up for it
        """
        waited_s = now_s - self._before_s if self._before_s is not None else 0.0
        self._before_s = now_s
        usual_s = (spent_ns - seldom_ns) * 1e-9 / _SHARE
        self._owed_s = max(0.0, self._owed_s - waited_s) + spent_ns * 1e-9 / _SHARE
        return max(self.shortest_s, usual_s + (self._owed_s - usual_s) / _PAID_IN)
