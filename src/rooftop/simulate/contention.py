"""How many messages share a link of a topology, and how many links a message crosses.

Both are counted for the first nodes of a machine, by number, and for two patterns: each node sends to the one that
is `distance` further on, all at once; and each node sends to each other. Routes are those of SimGrid: by dimension
in a torus, to the nearest common switch in a fat tree (spread evenly over its links), the shortest in a dragonfly.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rooftop.simulate.topologies import Crossbar, Dragonfly, FatTree, Topology, Torus

Floats = NDArray[np.float64]


def _extents(torus: Torus, nodes: int) -> Iterator[tuple[int, int, bool]]:
    """Yield the stride, the extent and whether it is closed of each dimension that the first nodes fill."""
    stride = 1
    for size in torus.dimensions:
        extent = min(size, -(-nodes // stride))
        if extent > 1:
            yield stride, extent, extent == size
        stride *= size


def _group(shape: Dragonfly) -> int:
    return shape.chassis * shape.routers * shape.nodes_per_router


def _subtrees(shape: FatTree, nodes: int) -> Iterator[tuple[int, int]]:
    """Yield the size of each subtree that some nodes lie outside of, and how many links lead up from it."""
    size = links_up = 1
    for down, up, links in zip(shape.down, shape.up, shape.links, strict=True):
        links_up *= up
        if size >= nodes:
            return
        yield size, links_up * links
        size *= down


def shift_load(shape: Topology, nodes: int, distance: ArrayLike) -> Floats:
    """Return the messages on the busiest link between switches when each node sends one to the node at a distance."""
    d = np.mod(np.asarray(distance, dtype=float), nodes)
    load = np.where(d > 0, 1.0, 0.0)
    around = np.minimum(d, nodes - d)
    if isinstance(shape, Torus):
        for stride, extent, _ in _extents(shape, nodes):
            # A carry of the lower dimensions lets some nodes go one step further; either goes the shorter way round.
            steps = np.floor(np.mod(d / stride, extent))
            further = np.mod(d / stride, 1.0)
            forward, backward = np.zeros_like(d), np.zeros_like(d)
            for way, part in ((steps, 1 - further), (np.mod(steps + 1, extent), further)):
                forward = forward + np.where(2 * way <= extent, part * way, 0.0)
                backward = backward + np.where(2 * way > extent, part * (extent - way), 0.0)
            load = np.maximum(load, np.where(d > 0, np.maximum(forward, backward), 0.0))
    elif isinstance(shape, FatTree):
        for size, links in _subtrees(shape, nodes):
            load = np.maximum(load, np.minimum(around, size) / links) if size > 1 else load
    elif isinstance(shape, Dragonfly):
        group = _group(shape)
        if nodes > shape.nodes_per_router:
            within = shape.nodes_per_router / min(shape.router_links, shape.chassis_links)
            load = np.maximum(load, np.minimum(around, within))
        if nodes > group:
            # Those who leave go to one group or, where the distance is no multiple of a group, to two that follow each
            # other. They meet at the router that has the link, and are spread out behind it.
            groups = -(-nodes // group)
            apart, rest = np.floor(d / group), np.mod(d, group)
            leaving = np.maximum(
                np.where(np.mod(apart, groups) > 0, group - rest, 0.0),
                np.where(np.mod(apart + 1, groups) > 0, rest, 0.0),
            )
            behind = [shape.group_links]
            behind += [shape.routers * shape.router_links] if shape.routers > 1 else []
            behind += [shape.chassis * shape.chassis_links] if shape.chassis > 1 else []
            load = np.maximum(load, leaving / min(behind))
    return load


def uniform_load(shape: Topology, nodes: int) -> float:
    """Return the messages on the busiest link between switches when each node sends one to each other."""
    if nodes < 2:
        return 0.0
    if isinstance(shape, Torus):
        # Messages go half way round a closed dimension at most. Across the middle of an open one go all of a half.
        return max(
            nodes / extent * ((extent // 2) * (extent // 2 + 1) / 2 if closed else (extent // 2) * -(-extent // 2))
            for _, extent, closed in _extents(shape, nodes)
        )
    if isinstance(shape, FatTree):
        return max(min(size, nodes) * max(0, nodes - size) / links for size, links in _subtrees(shape, nodes))
    if isinstance(shape, Dragonfly):
        group, of_router = _group(shape), shape.nodes_per_router
        loads = [float(nodes - 1)]
        # Within a group: what is for its own routers, and what passes to and from those with the links to others.
        others = -(-nodes // group) - 1
        if nodes > of_router and shape.routers > 1:
            passing = min(others, 1) * shape.chassis * group + (min(others, 2) - 1) * group if others else 0
            loads.append(of_router * (of_router * shape.chassis + passing) / shape.router_links)
        if nodes > of_router and shape.chassis > 1:
            passing = group * max(shape.routers, others) if others else 0
            loads.append(of_router * (of_router * shape.routers + passing) / shape.chassis_links)
        if nodes > group:
            loads.append(float(group) * min(group, nodes - group) / shape.group_links)
        return max(loads)
    return float(nodes - 1)


def shift_hops(shape: Topology, nodes: int, distance: ArrayLike) -> Floats:
    """Return the links that a message to the node at a distance crosses at most."""
    d = np.mod(np.asarray(distance, dtype=float), nodes)
    between = d > 0
    around = np.minimum(d, nodes - d)
    if isinstance(shape, Crossbar):
        return np.where(between, 2.0, 0.0)
    if isinstance(shape, Torus):
        hops = np.zeros_like(d)
        for stride, extent, closed in _extents(shape, nodes):
            steps = np.floor(np.mod(d / stride, extent))
            further = np.where(np.mod(d / stride, 1.0) > 0, np.mod(steps + 1, extent), steps)
            ways = []
            for way in (steps, further):
                around_ring = np.where(way > 0, extent - way, 0.0)
                ways.append(np.minimum(way, around_ring) if closed else np.maximum(way, around_ring))
            hops += np.maximum(*ways)
        return np.where(between, np.maximum(hops, 1.0), 0.0)
    if isinstance(shape, FatTree):
        hops = np.zeros_like(d)
        for size, _ in _subtrees(shape, nodes):
            # Someone crosses each subtree's edge, whatever the distance, where the subtree is left at all.
            hops += np.where(around > 0, 2.0, 0.0) if size < nodes else 0.0
        return np.asarray(hops)
    assert isinstance(shape, Dragonfly)
    inside = float(shape.routers > 1) + float(shape.chassis > 1)
    hops = 2.0 + (inside if nodes > shape.nodes_per_router else 0.0)
    # To the router that has the link to the other group, over it, and from there on.
    hops += 1.0 + inside if nodes > _group(shape) else 0.0
    return np.where(between, hops, 0.0)


def most_hops(shape: Topology, nodes: int) -> float:
    """Return the links between the two nodes that are farthest apart."""
    if nodes < 2:
        return 0.0
    if isinstance(shape, Torus):
        return float(sum(extent // 2 if closed else extent - 1 for _, extent, closed in _extents(shape, nodes)))
    return float(shift_hops(shape, nodes, nodes // 2 or 1))
