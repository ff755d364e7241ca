"""A point of a simulation by replay: how long the program takes, and what of its exchanges is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rooftop.simulate.counted_recording import recording_of
from rooftop.simulate.efficiencies import Efficiencies, efficiencies
from rooftop.simulate.layout import Layout
from rooftop.simulate.model import Predicted
from rooftop.simulate.platform import Platform
from rooftop.simulate.program import Halo, Phase
from rooftop.simulate.replay import replay

MOST_LINKS = 10


@dataclass(frozen=True)
class ReplayedPoint:
    """A program's time on so many ranks.

    compute_s            of the rank that has most work
    transfer_s           what exchanges add to that if none is begun before the work
    hidden_s             what of that the overlap saves
    balance              mean work of the ranks over the most that one has
    transfer_efficiency  work of the rank that has most over the whole time
    efficiencies         their factors, where they were asked for
    links                bytes that each carried in what was simulated, most first
    """

    seconds: float
    compute_s: float
    transfer_s: float
    hidden_s: float
    balance: float
    transfer_efficiency: float
    efficiencies: Efficiencies | None = None
    links: list[tuple[str, float]] = field(default_factory=list)


def notes(platform: Platform, phases: Sequence[Phase]) -> list[str]:
    """Return what a replay does otherwise than the program and the platform say."""
    found = []
    if any(isinstance(one, Halo) for phase in phases for one in phase.exchanges):
        found.append("halos wrap round in the replay: the first and the last ranks are neighbours")
    if any(one is not None and one.by_size for one in (platform.messages, platform.within_node)):
        found.append("the platform's times by size are not replayed: its latency, overhead and gaps are")
    return found


def replayed_point(
    layout: Layout, phases: Sequence[Phase], predicted: Predicted, *, factors: bool = False
) -> ReplayedPoint:
    """Replay a program, a second time without overlap if it has any. Raises Misuse and NotBuilt.

    factors  whether it is replayed once more for its efficiencies
    """
    recording = recording_of(layout, phases)
    found = replay(recording, layout, predicted.algorithms)
    blocking_s = found.seconds
    if any(phase.overlap for phase in phases):
        blocking = [replace(phase, overlap=False) for phase in phases]
        blocking_s = replay(recording_of(layout, blocking), layout, predicted.algorithms).seconds
    compute_s = max(one.computing_s for one in found.ranks)
    return ReplayedPoint(
        seconds=found.seconds,
        compute_s=compute_s,
        transfer_s=max(0.0, blocking_s - compute_s),
        hidden_s=max(0.0, blocking_s - found.seconds),
        balance=found.balance,
        transfer_efficiency=compute_s / found.seconds if found.seconds else 1.0,
        efficiencies=efficiencies(recording, layout, predicted.algorithms, found) if factors else None,
        links=found.links[:MOST_LINKS],
    )
