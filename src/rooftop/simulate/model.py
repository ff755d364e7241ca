"""The time of a program on a platform by counting alone: roofline for work, LogGP with contention for exchanges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from rooftop.simulate.collectives import collective_seconds
from rooftop.simulate.contention import shift_hops, shift_load
from rooftop.simulate.layout import Layout
from rooftop.simulate.platform import Messages
from rooftop.simulate.program import Call, Exchange, Halo, Phase, Work
from rooftop.simulate.steps import copy_seconds_per_byte, message_seconds, within_messages
from rooftop.simulate.team import Team, team_seconds

Algorithms = Mapping[str, str]


@dataclass(frozen=True)
class PhaseTime:
    """Seconds of a phase, all its times together.

    compute_s  of the rank that has most work
    mean_s     of all ranks
    limit      what limits the work: "compute", "memory"; "" where there is none
    transfer_s of its exchanges alone
    hidden_s   of that, during the work
    """

    name: str
    compute_s: float
    mean_s: float
    limit: str
    transfer_s: float
    hidden_s: float
    algorithms: Mapping[str, str] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """From its beginning to its end."""
        return self.compute_s + self.transfer_s - self.hidden_s

    @property
    def most_hidden_s(self) -> float:
        """The bound of overlap: no more can be hidden than there is of either."""
        return min(self.compute_s, self.transfer_s)


@dataclass(frozen=True)
class Predicted:
    """A program on so many ranks."""

    layout: Layout
    phases: tuple[PhaseTime, ...]

    @property
    def seconds(self) -> float:
        """From the beginning to the end."""
        return sum(one.seconds for one in self.phases)

    @property
    def compute_s(self) -> float:
        """Of the rank that has most work."""
        return sum(one.compute_s for one in self.phases)

    @property
    def transfer_s(self) -> float:
        """Of all exchanges, hidden or not."""
        return sum(one.transfer_s for one in self.phases)

    @property
    def hidden_s(self) -> float:
        """Of the exchanges, during work."""
        return sum(one.hidden_s for one in self.phases)

    @property
    def algorithms(self) -> dict[str, str]:
        """Those of its collectives, as a replay is asked for them."""
        return {name: used for phase in self.phases for name, used in phase.algorithms.items()}

    @property
    def balance(self) -> float:
        """Mean work over that of the rank that has most: 1 where all have the same."""
        return sum(one.mean_s for one in self.phases) / self.compute_s if self.compute_s else 1.0

    @property
    def transfer_efficiency(self) -> float:
        """Work of the rank that has most, over the whole time."""
        return self.compute_s / self.seconds if self.seconds else 1.0


def _cores_taken(layout: Layout) -> float:
    """Return what the thread that moves messages takes of a team while some are under way: nothing from spare cores."""
    busy = layout.core_share * layout.crowd >= layout.platform.node.cores
    return layout.platform.progress.thread_cores if busy else 0.0


def work_seconds(layout: Layout, work: Work, taken: float = 0.0, late_s: float = 0.0) -> tuple[float, str]:
    """Return the seconds of a rank's work, once, and what limits it.

    taken   cores of its team that others use
    late_s  when the first of its threads joins the others, where it has a schedule
    """
    node, team = layout.platform.node, Team(layout.core_share, taken, late_s)
    cores = team.free_cores if work.schedule is None else team.cores
    computing = work.flops / (cores * node.flops_per_s(work.kind)) if work.flops else 0.0
    rate = node.memory_bytes_per_s / layout.crowd
    if node.core_memory_bytes_per_s is not None:
        rate = min(rate, cores * node.core_memory_bytes_per_s)
    # A rank's cores reach the memory of the groups that they are in.
    per_group = node.cores / node.groups
    groups = min(node.groups, max(1.0, np.ceil(layout.core_share / per_group)))
    rate = min(rate, groups * node.group_memory_bytes_per_s)
    moving = work.bytes / rate if work.bytes else 0.0
    limit = "" if not (computing or moving) else "compute" if computing >= moving else "memory"
    if (by := work.schedule) is None or not limit:
        return work.slowdown * max(computing, moving), limit
    pieces = by.pieces / cores, by.pieces / team.threads
    computing_s, moving_s = (work.slowdown * one / each for one, each in zip((computing, moving), pieces, strict=True))
    return team_seconds(by, computing_s, moving_s, team), limit


def _start_s(messages: Messages, size: float, per_byte: float, links_s: float) -> float:
    """Return what a message takes beside its bytes."""
    gap = max(messages.gap_s_per_byte, per_byte)
    return max(0.0, float(message_seconds(messages, size, per_byte, links_s)) - max(0.0, size - 1) * gap)


def _halo_between_nodes(layout: Layout, sides: Sequence[tuple[int, float]]) -> float:
    """Return the seconds of the messages that leave the fullest node."""
    network, messages, crowd = layout.platform.network, layout.platform.messages, layout.crowd
    per_byte = 1 / min(network.node_bytes_per_s, network.link_bytes_per_s)
    start_s = sent = linked = own = 0.0
    for distance, size in sides:
        crossing, apart = min(distance, crowd), max(1, distance // crowd)
        links_s = float(shift_hops(network.shape, layout.nodes, apart)) * network.link_latency_s
        start_s = max(start_s, _start_s(messages, size, per_byte, links_s))
        sent += crossing * size
        linked = max(linked, crossing * max(1.0, float(shift_load(network.shape, layout.nodes, apart))) * size)
        own += size * messages.gap_s_per_byte
    through = 0.0
    if network.backbone_bytes_per_s is not None:
        through = sent * layout.nodes / network.backbone_bytes_per_s
    return start_s + max(sent / network.node_bytes_per_s, linked / network.link_bytes_per_s, through, own)


def _halo_within_node(layout: Layout, sides: Sequence[tuple[int, float]]) -> float:
    """Return the seconds of the messages that stay within the fullest node."""
    messages, by_core = within_messages(layout), copy_seconds_per_byte(layout)
    start_s = max((_start_s(messages, size, by_core, 0.0) for _, size in sides), default=0.0)
    leaving = 0 if layout.nodes == 1 else layout.crowd
    moved = sum((layout.crowd - min(distance, leaving)) * size for distance, size in sides)
    own = sum(size * max(messages.gap_s_per_byte, by_core) for _, size in sides)
    return start_s + max(moved * 2 / layout.platform.node.memory_bytes_per_s, own)


def halo_seconds(layout: Layout, halo: Halo) -> float:
    """Return the seconds of messages to all neighbours, all under way at once.

    Sides share the node's link, and each has its direction's links between switches for itself.
    """
    sides = [(distance, size) for distance, size in halo.sides if distance < layout.ranks]
    within = [(distance, size) for distance, size in sides if layout.nodes == 1 or distance < layout.crowd]
    calls_s = sum(2 * layout.platform.messages.overhead_s for _ in sides)
    between_s = _halo_between_nodes(layout, sides) if layout.nodes > 1 and sides else 0.0
    return max(calls_s, between_s, _halo_within_node(layout, within) if within else 0.0)


def exchange_seconds(layout: Layout, exchange: Exchange, algorithms: Algorithms) -> tuple[float, dict[str, str]]:
    """Return the seconds of an exchange, once, and the algorithm of each collective."""
    if layout.ranks == 1:
        return 0.0, {}
    if isinstance(exchange, Call):
        chosen = collective_seconds(layout, exchange.collective, exchange.bytes, algorithms.get(exchange.collective))
        return exchange.calls * chosen.seconds, {exchange.collective: chosen.algorithm}
    return halo_seconds(layout, exchange), {}


def phase_time(layout: Layout, phase: Phase, algorithms: Algorithms) -> PhaseTime:
    """Return the seconds of a phase."""
    taken = _cores_taken(layout) if phase.overlap and phase.exchanges else 0.0
    compute_s, limit = work_seconds(layout, phase.work, taken)
    transfer_s = 0.0
    chosen: dict[str, str] = {}
    for one in phase.exchanges:
        seconds, used = exchange_seconds(layout, one, algorithms)
        transfer_s += seconds
        chosen |= used
    share = layout.platform.progress.share()
    hidden_s = min(transfer_s, share * compute_s) if phase.overlap else 0.0
    if phase.overlap and phase.master and phase.work.schedule is not None and transfer_s:
        hidden_s = compute_s + transfer_s - work_seconds(layout, phase.work, taken, transfer_s)[0]
    times = phase.times
    return PhaseTime(
        phase.name,
        times * compute_s,
        times * compute_s * phase.work.mean,
        limit,
        times * transfer_s,
        times * hidden_s,
        chosen,
    )


def predict(layout: Layout, phases: list[Phase], algorithms: Algorithms | None = None) -> Predicted:
    """Return the time of a program's phases, one after the other."""
    return Predicted(layout, tuple(phase_time(layout, one, algorithms or {}) for one in phases))
