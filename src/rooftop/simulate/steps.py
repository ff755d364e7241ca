"""The steps that a collective's algorithm takes, and how long each takes on a platform, by LogGP with contention.

In a step a rank sends to another and receives from one, all at once. It takes what a message of that size takes
alone, and in addition what the busiest place takes longer than one message: the node's own link, a link between
switches, a backbone or, within a node, its memory. Steps follow each other, none begins before the one before has
ended.

Sources: Alexandrov, Ionescu, Schauser and Scheiman, LogGP (1995); Thakur, Rabenseifner and Gropp, Optimization of
Collective Communication Operations in MPICH (2005).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rooftop.simulate.contention import most_hops, shift_hops, shift_load
from rooftop.simulate.layout import Layout
from rooftop.simulate.platform import Messages

Floats = NDArray[np.float64]


def _array(values: ArrayLike) -> Floats:
    return np.atleast_1d(np.asarray(values, dtype=float))


@dataclass(frozen=True)
class Steps:
    """Steps of all ranks, as arrays of equal length; times are added up.

    distance  how many ranks further on the receiver is
    bytes     of each message
    every     one in so many ranks sends
    times     how often the step is taken
    aligned   blocks of 2 x distance ranks keep their messages among themselves, as in a butterfly
    """

    distance: Floats = field(default_factory=lambda: np.zeros(0))
    bytes: Floats = field(default_factory=lambda: np.zeros(0))
    every: Floats = field(default_factory=lambda: np.ones(0))
    times: Floats = field(default_factory=lambda: np.ones(0))
    aligned: bool = False

    @classmethod
    def of(
        cls,
        distance: ArrayLike,
        bytes_: ArrayLike,
        *,
        every: ArrayLike = 1,
        times: ArrayLike = 1,
        aligned: bool = False,
    ) -> Self:
        """Return steps; what is one number is the same in all."""
        apart, size, one_in, how_often = np.broadcast_arrays(*map(_array, (distance, bytes_, every, times)))
        return cls(apart, size, one_in, how_often, aligned)


def message_seconds(
    messages: Messages, bytes_: ArrayLike, per_byte: float, links_s: ArrayLike = 0.0, *, exchange: bool = False
) -> Floats:
    """Return what messages take alone.

    per_byte  seconds of the slowest part of the way, for each byte
    links_s   latency of the links that are crossed
    exchange  each rank sends and receives at once, which was measured where times are
    """
    size = np.asarray(bytes_, dtype=float)
    if messages.by_size:
        known = np.array([one.bytes for one in messages.by_size], dtype=float)
        taken = np.array(
            [one.exchange_s if exchange and one.exchange_s is not None else one.message_s for one in messages.by_size]
        )
        last = (
            (taken[-1] / known[-1] if known[-1] else per_byte)
            if len(known) < 2
            else ((taken[-1] - taken[-2]) / (known[-1] - known[-2]))
        )
        beyond = np.maximum(0.0, size - known[-1]) * max(last, 0.0)
        return np.asarray(np.interp(size, known, taken) + beyond)
    gap = max(messages.gap_s_per_byte, per_byte)
    once = messages.latency_s + np.asarray(links_s, dtype=float) + 2 * messages.overhead_s
    taken_s = once + np.maximum(0.0, size - 1) * gap
    if messages.eager_limit_bytes is not None:
        shake = 2 * once if messages.handshake_s is None else messages.handshake_s
        taken_s = taken_s + np.where(size > messages.eager_limit_bytes, shake, 0.0)
    return np.asarray(taken_s)


def _alone(messages: Messages, steps: Steps, per_byte: float, links_s: ArrayLike) -> Floats:
    """Return what the messages of steps take alone: where all ranks send, each of them also receives."""
    one, both = (message_seconds(messages, steps.bytes, per_byte, links_s, exchange=two) for two in (False, True))
    return np.where(steps.every == 1, both, one)


def within_messages(layout: Layout) -> Messages:
    """Return what messages within a node cost."""
    return layout.platform.within_node or layout.platform.messages


def copy_seconds_per_byte(layout: Layout) -> float:
    """Return what a core takes for each byte that it copies: a read and a write."""
    node = layout.platform.node
    return 2.0 / (node.core_memory_bytes_per_s or node.group_memory_bytes_per_s)


def _crossing(layout: Layout, distance: Floats, every: Floats, aligned: bool) -> tuple[Floats, Floats]:
    """Return, for the busiest node, how many messages leave it in each step, and how many stay within."""
    crowd = float(layout.crowd)
    senders = np.maximum(1.0, crowd / every)
    if layout.nodes == 1:
        return np.zeros_like(distance), senders
    if aligned:
        # Nodes of 2 x distance ranks, or of a multiple of that, keep their messages.
        kept = (distance < crowd) & (np.mod(crowd, 2 * distance) == 0)
        leaving = np.where(kept, 0.0, senders * np.minimum(distance, crowd) / crowd)
    else:
        near = np.minimum(distance, layout.ranks - distance)
        leaving = senders * np.minimum(np.maximum(near, 0.0), crowd) / crowd
    leaving = np.where(leaving > 0, np.maximum(leaving, 1.0), 0.0)
    return leaving, np.maximum(0.0, senders - leaving)


def step_seconds(layout: Layout, steps: Steps) -> Floats:
    """Return the seconds of each step, once."""
    platform, network = layout.platform, layout.platform.network
    distance, size = steps.distance, steps.bytes
    leaving, staying = _crossing(layout, distance, steps.every, steps.aligned)
    nodes_apart = np.maximum(1.0, np.floor(distance / layout.crowd))
    sending = np.maximum(1.0, steps.every / layout.crowd)  # one in so many nodes
    one_link = 1 / min(network.node_bytes_per_s, network.link_bytes_per_s)
    links_s = shift_hops(network.shape, layout.nodes, nodes_apart) * network.link_latency_s
    alone = _alone(platform.messages, steps, one_link, links_s)
    load = np.maximum(1.0, shift_load(network.shape, layout.nodes, nodes_apart) / sending)
    moved = np.maximum(0.0, size - 1)  # LogGP's first byte belongs to the latency
    busiest = leaving * moved * np.maximum(1 / network.node_bytes_per_s, load / network.link_bytes_per_s)
    if network.backbone_bytes_per_s is not None:
        through = leaving * np.ceil(layout.nodes / sending) * moved
        busiest = np.maximum(busiest, through / network.backbone_bytes_per_s)
    slowest = max(one_link, platform.messages.gap_s_per_byte)
    between = np.where(leaving > 0, alone + np.maximum(0.0, busiest - moved * slowest), 0.0)
    by_core = max(copy_seconds_per_byte(layout), within_messages(layout).gap_s_per_byte)
    by_node = staying * moved * 2 / platform.node.memory_bytes_per_s
    inside = _alone(within_messages(layout), steps, by_core, 0.0) + np.maximum(0.0, by_node - moved * by_core)
    taken = np.maximum(between, np.where(staying > 0, inside, 0.0))
    return np.where(distance > 0, np.maximum(taken, platform.messages.gap_s), 0.0)


def total_seconds(layout: Layout, steps: Steps) -> float:
    """Return the seconds of all steps, one after the other."""
    return float(np.dot(step_seconds(layout, steps), steps.times))


def farthest_links_s(layout: Layout) -> float:
    """Return the latency of the links between the two nodes that are farthest apart."""
    network = layout.platform.network
    return most_hops(network.shape, layout.nodes) * network.link_latency_s
