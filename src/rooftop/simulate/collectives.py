"""Algorithms of collectives as steps, and how long they take: all to all, broadcast, sum on all ranks.

`bytes` is what an MPI call's count says: of an all-to-all the block for each rank, of a broadcast and a sum the whole
array. An algorithm's name is what ``--alltoall``, ``--bcast`` and ``--allreduce`` take.

Sources: Bruck et al., Efficient Algorithms for All-to-All Communications in Multiport Message-Passing Systems
(1997); Thakur, Rabenseifner and Gropp, Optimization of Collective Communication Operations in MPICH (2005); Chan et
al., Collective Communication: Theory, Practice, and Experience (2007).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from rooftop.errors import Misuse
from rooftop.simulate.contention import uniform_load
from rooftop.simulate.layout import Layout
from rooftop.simulate.steps import (
    Floats,
    Steps,
    copy_seconds_per_byte,
    farthest_links_s,
    message_seconds,
    total_seconds,
    within_messages,
)
from rooftop.text.nearest import nearest

BEST = "best"
Algorithm = Callable[[Layout, float], float]


def _powers(ranks: int) -> Floats:
    """Return 1, 2, 4, … below the number of ranks."""
    return np.asarray(2.0 ** np.arange(max(0, math.ceil(math.log2(ranks)))), dtype=np.float64)


# All to all


def pairwise(layout: Layout, bytes_: float) -> float:
    """In step d each rank sends to the one d further on."""
    return total_seconds(layout, Steps.of(np.arange(1, layout.ranks), bytes_))


def linear(layout: Layout, bytes_: float) -> float:
    """Send all blocks at once: the slowest of the ranks' calls, the nodes' links, and the busiest link or memory."""
    platform, network, ranks = layout.platform, layout.platform.network, layout.ranks
    crowd, nodes = layout.crowd, layout.nodes
    one, inside = platform.messages, within_messages(layout)
    away, near = ranks - crowd, crowd - 1
    calls = (ranks - 1) * max(2 * one.overhead_s, one.gap_s)
    sent = crowd * away * bytes_ / network.node_bytes_per_s
    linked = crowd**2 * uniform_load(network.shape, nodes) * bytes_ / network.link_bytes_per_s if nodes > 1 else 0.0
    through = 0.0
    if network.backbone_bytes_per_s is not None:
        through = ranks * away * bytes_ / network.backbone_bytes_per_s
    own = away * bytes_ * one.gap_s_per_byte + near * bytes_ * inside.gap_s_per_byte
    copied = max(
        near * bytes_ * copy_seconds_per_byte(layout), crowd * near * bytes_ * 2 / platform.node.memory_bytes_per_s
    )
    first = one.latency_s + 2 * one.overhead_s + farthest_links_s(layout) if away else inside.latency_s
    return float(first + max(calls, sent, linked, through, own + copied))


def ring(layout: Layout, bytes_: float) -> float:
    """Blocks travel by way of all ranks between: in step i each hands on the P - i blocks that go further."""
    left = layout.ranks - np.arange(1, layout.ranks)
    return total_seconds(layout, Steps.of(1, left * bytes_)) if layout.ranks > 1 else 0.0


def bruck(layout: Layout, bytes_: float) -> float:
    """In log2 P steps, blocks whose way has that bit set travel together; copied before, between and after."""
    ranks, powers = layout.ranks, _powers(layout.ranks)
    # Of 0 … P - 1 so many have the bit of this power.
    rest = np.mod(ranks, 2 * powers)
    blocks = np.floor(ranks / (2 * powers)) * powers + np.maximum(0, rest - powers)
    copied = (2 * blocks.sum() + 2 * ranks) * bytes_
    return total_seconds(layout, Steps.of(powers, blocks * bytes_)) + float(copied) * copy_seconds_per_byte(layout)


def _groups_of(layout: Layout) -> int:
    """Return the size of the groups of a two-level all-to-all: a node, or about the root of so many ranks."""
    if 1 < layout.crowd < layout.ranks:
        return layout.crowd
    root = math.isqrt(layout.ranks)
    return next((size for size in range(root, 1, -1) if layout.ranks % size == 0), 1)


def two_level(layout: Layout, bytes_: float) -> float:
    """Exchange within groups, so that ranks have what goes to those of their place in other groups; then with these."""
    group = _groups_of(layout)
    if group == 1:
        return pairwise(layout, bytes_)
    others = math.ceil(layout.ranks / group)
    inner = Steps.of(np.arange(1, group), others * bytes_)
    outer = Steps.of(group * np.arange(1, others), group * bytes_)
    copied = 2 * layout.ranks * bytes_ * copy_seconds_per_byte(layout)
    return total_seconds(layout, inner) + total_seconds(layout, outer) + copied


# Broadcast


def binomial(layout: Layout, bytes_: float) -> float:
    """Halve the distance in each step, far ranks first: a message leaves each block of 2 d ranks."""
    powers = _powers(layout.ranks)
    return total_seconds(layout, Steps.of(powers, bytes_, every=2 * powers, aligned=True))


def near_first(layout: Layout, bytes_: float) -> float:
    """Double the distance in each step: the last one has half of all ranks send at once, all of a node among them."""
    return total_seconds(layout, Steps.of(_powers(layout.ranks), bytes_))


def flat(layout: Layout, bytes_: float) -> float:
    """The root sends to one rank after the other."""
    platform, network = layout.platform, layout.platform.network
    away = layout.ranks - layout.crowd
    slowest = 1 / min(network.node_bytes_per_s, network.link_bytes_per_s)
    one, inside = platform.messages, within_messages(layout)
    # It goes on to the next as soon as its overhead and the bytes allow.
    far = max(one.overhead_s, one.gap_s) + bytes_ * max(slowest, one.gap_s_per_byte)
    by_core = copy_seconds_per_byte(layout)
    near = max(inside.overhead_s, inside.gap_s) + bytes_ * max(by_core, inside.gap_s_per_byte)
    if away:
        last = float(message_seconds(one, bytes_, slowest, farthest_links_s(layout)))
        return (layout.crowd - 1) * near + (away - 1) * far + last
    return (layout.ranks - 2) * near + float(message_seconds(inside, bytes_, by_core)) if layout.ranks > 1 else 0.0


def chain(layout: Layout, bytes_: float) -> float:
    """From rank to rank in segments, as many as make it fastest: P - 2 + S steps of a segment."""
    if layout.ranks < 2:
        return 0.0

    def taking(segments: float) -> float:
        return total_seconds(layout, Steps.of(1, bytes_ / segments, times=layout.ranks - 2 + segments))

    most = max(1.0, bytes_)
    tried = {1.0, most, *(2.0**power for power in range(math.ceil(math.log2(most)) + 1) if 2.0**power < most)}
    return min(taking(segments) for segments in tried)


def scatter_allgather(layout: Layout, bytes_: float) -> float:
    """Scatter along a binomial tree, then pass the parts round a ring: each byte moves about twice."""
    ranks, powers = layout.ranks, _powers(layout.ranks)
    down = Steps.of(powers, bytes_ * np.minimum(powers, ranks - powers) / ranks, every=2 * powers, aligned=True)
    return total_seconds(layout, down) + total_seconds(layout, Steps.of(1, bytes_ / ranks, times=ranks - 1))


# Sum on all ranks


def _adding(layout: Layout, bytes_: float) -> float:
    """Return the seconds of adding arrays: two are read and one is written, by the cores of a node at once."""
    node = layout.platform.node
    one = node.core_memory_bytes_per_s or node.group_memory_bytes_per_s
    return 3 * bytes_ / min(one, node.memory_bytes_per_s / layout.crowd)


def _beyond_a_power(layout: Layout) -> tuple[int, float]:
    """Return the power of two of ranks that take part, and how many steps of whole arrays the others add."""
    power = 2 ** int(math.log2(layout.ranks))
    return power, 0.0 if power == layout.ranks else 1.0


def recursive_doubling(layout: Layout, bytes_: float) -> float:
    """Pairs exchange whole arrays and add them, at distances 1, 2, 4, …."""
    power, extra = _beyond_a_power(layout)
    powers = _powers(power)
    folded = total_seconds(layout, Steps.of(1, bytes_, every=2, times=2 * extra))
    added = (len(powers) + extra) * _adding(layout, bytes_)
    return folded + total_seconds(layout, Steps.of(powers, bytes_, aligned=True)) + added


def ring_sum(layout: Layout, bytes_: float) -> float:
    """A part of the array goes round and is added to, then round again: 2 (P - 1) steps of 1 / P."""
    ranks = layout.ranks
    round_s = total_seconds(layout, Steps.of(1, bytes_ / ranks, times=2 * (ranks - 1)))
    return round_s + (ranks - 1) / ranks * _adding(layout, bytes_)


def rabenseifner(layout: Layout, bytes_: float) -> float:
    """Halves are exchanged with the nearest and added, quarters with the next, …; then gathered on the way back."""
    power, extra = _beyond_a_power(layout)
    powers = _powers(power)
    folded = total_seconds(layout, Steps.of(1, bytes_, every=2, times=2 * extra))
    halves = Steps.of(powers, bytes_ / (2 * powers), times=2, aligned=True)
    return folded + total_seconds(layout, halves) + ((power - 1) / power + extra) * _adding(layout, bytes_)


ALGORITHMS: Mapping[str, Mapping[str, Algorithm]] = {
    "alltoall": {"pairwise": pairwise, "bruck": bruck, "ring": ring, "linear": linear, "two_level": two_level},
    "bcast": {
        "binomial": binomial,
        "near_first": near_first,
        "flat": flat,
        "chain": chain,
        "scatter_allgather": scatter_allgather,
    },
    "allreduce": {"recursive_doubling": recursive_doubling, "ring": ring_sum, "rabenseifner": rabenseifner},
}


@dataclass(frozen=True)
class Chosen:
    """An algorithm, and the seconds of one call."""

    algorithm: str
    seconds: float


def usual(collective: str) -> str:
    """Return the algorithm where none is asked for: the first of the table."""
    return next(iter(ALGORITHMS[collective]))


def check_algorithm(collective: str, name: str, called: str) -> str:
    """Return the name of an algorithm. Raises Misuse, which calls the option as it is `called`."""
    if name != BEST and name not in ALGORITHMS[collective]:
        raise Misuse(f"{called} is {name!r}; {nearest(name, [*ALGORITHMS[collective], BEST])}")
    return name


def collective_seconds(layout: Layout, collective: str, bytes_: float, algorithm: str | None = None) -> Chosen:
    """Return how long a collective takes by an algorithm, by the usual one, or by the best."""
    known = ALGORITHMS[collective]
    if layout.ranks == 1:
        return Chosen(algorithm or usual(collective), 0.0)
    if algorithm == BEST:
        return min((Chosen(name, call(layout, bytes_)) for name, call in known.items()), key=lambda one: one.seconds)
    name = algorithm or usual(collective)
    return Chosen(name, known[name](layout, bytes_))
