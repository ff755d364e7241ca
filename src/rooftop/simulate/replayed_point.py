"""A point of a simulation by replay: how long the program takes, and what of its exchanges is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rooftop.simulate.counted_recording import recording_of
from rooftop.simulate.layout import Layout
from rooftop.simulate.model import Predicted
from rooftop.simulate.program import Phase
from rooftop.simulate.replay import replay


@dataclass(frozen=True)
class ReplayedPoint:
    """A program's time on so many ranks.

    compute_s            of the rank that has most work
    transfer_s           what exchanges add to that if none is begun before the work
    hidden_s             what of that the overlap saves
    balance              mean work of the ranks over the most that one has
    transfer_efficiency  work of the rank that has most over the whole time
    """

    seconds: float
    compute_s: float
    transfer_s: float
    hidden_s: float
    balance: float
    transfer_efficiency: float


def replayed_point(layout: Layout, phases: Sequence[Phase], predicted: Predicted) -> ReplayedPoint:
    """Replay a program, a second time without overlap if it has any. Raises Misuse and NotBuilt."""
    choices = {name: used for phase in predicted.phases for name, used in phase.algorithms.items()}
    found = replay(recording_of(layout, phases), layout, choices)
    blocking_s = found.seconds
    if any(phase.overlap for phase in phases):
        blocking = [replace(phase, overlap=False) for phase in phases]
        blocking_s = replay(recording_of(layout, blocking), layout, choices).seconds
    compute_s = max(one.computing_s for one in found.ranks)
    return ReplayedPoint(
        seconds=found.seconds,
        compute_s=compute_s,
        transfer_s=max(0.0, blocking_s - compute_s),
        hidden_s=max(0.0, blocking_s - found.seconds),
        balance=found.balance,
        transfer_efficiency=compute_s / found.seconds if found.seconds else 1.0,
    )
