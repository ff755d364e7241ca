"""How much communication a pipelined exchange hides, from pairs of pipelined and blocking runs."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rooftop.measure.compare import spread
from rooftop.solvers.fft.document import Overlap


@dataclass(frozen=True)
class RunTimes:
    """Times of one run in seconds: total, and mean computing and waiting time of its ranks."""

    seconds: float
    computing: float
    waiting: float


@dataclass(frozen=True)
class RunPair:
    """Two runs, one right after the other."""

    blocking: RunTimes
    pipelined: RunTimes

    @property
    def hidden(self) -> float:
        """Share of the blocking run's waiting time that the pipelined run avoids."""
        return 1 - self.pipelined.waiting / self.blocking.waiting

    @property
    def saved(self) -> float:
        """Reduction of the run time, as a share of the blocking run's waiting time."""
        return (self.blocking.seconds - self.pipelined.seconds) / self.blocking.waiting

    @property
    def contention(self) -> float:
        """Computing time of the pipelined run, relative to the blocking run."""
        return self.pipelined.computing / self.blocking.computing


def overlap_of(pairs: Sequence[RunPair]) -> Overlap:
    """Return the medians over one or more pairs."""

    def middle(of: Callable[[RunPair], float]) -> float:
        return statistics.median(map(of, pairs))

    hidden = spread([pair.hidden for pair in pairs])
    assert hidden is not None
    return Overlap(
        pairs=len(pairs),
        blocking_s=middle(lambda pair: pair.blocking.seconds),
        pipelined_s=middle(lambda pair: pair.pipelined.seconds),
        blocking_waiting_s=middle(lambda pair: pair.blocking.waiting),
        pipelined_waiting_s=middle(lambda pair: pair.pipelined.waiting),
        hidden=hidden.median,
        hidden_lo=hidden.lo if hidden.proven else None,
        hidden_hi=hidden.hi if hidden.proven else None,
        saved=middle(lambda pair: pair.saved),
        contention=middle(lambda pair: pair.contention),
    )
