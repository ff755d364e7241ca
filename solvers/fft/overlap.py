"""How much communication a pipelined exchange hides, from pairs of pipelined and blocking runs."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rooftop.measure.compare import spread
from rooftop.solvers.fft.document import Overlap


@dataclass(frozen=True)
class RunTimes:
    """Seconds of one run: in all, and what its ranks computed and waited on average."""

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
        """Share of the blocking run's waiting that the pipelined one does not wait."""
        return 1 - self.pipelined.waiting / self.blocking.waiting

    @property
    def saved(self) -> float:
        """Share of the same by which the whole run is shorter."""
        return (self.blocking.seconds - self.pipelined.seconds) / self.blocking.waiting

    @property
    def contention(self) -> float:
        """How many times as long the pipelined run computes."""
        return self.pipelined.computing / self.blocking.computing


def overlap_of(pairs: Sequence[RunPair]) -> Overlap:
    """Return the medians over pairs, of which there must be one at least."""

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
