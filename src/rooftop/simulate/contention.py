"""How many messages share a link of a topology, and how many links a message crosses.

Both are counted for the first nodes of a machine, by number, and for two patterns: each node sends to the one that
is `distance` further on, all at once; and each node sends to each other. Routes are those of SimGrid: by dimension
in a torus, to the nearest common switch in a fat tree (spread evenly over its links), the shortest in a dragonfly.
"""

from __future__ import annotations

import math
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
            # The mean way along this dimension. A carry of the lower ones lets some nodes go one further.
            steps = np.mod(d / stride, extent)
            load = np.maximum(load, np.where(d > 0, np.minimum(steps, extent - steps), 0.0))
    elif isinstance(shape, FatTree):
        for size, links in _subtrees(shape, nodes):
            load = np.maximum(load, np.minimum(around, size) / links) if size > 1 else load
    elif isinstance(shape, Dragonfly):
        group = _group(shape)
        if nodes > shape.nodes_per_router:
            within = shape.nodes_per_router / min(shape.router_links, shape.chassis_links)
            load = np.maximum(load, np.minimum(around, within))
        if nodes > group:
            # Those who leave meet at the router that has the link to the next group, and are spread out behind it.
            leaving = np.minimum(around, group)
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
        # Across the middle of a dimension go those from either half to the other; a closed one is cut in two places.
        return max(
            (nodes * extent / 8 if closed and extent > 2 else nodes * extent / 4)
            for _, extent, closed in _extents(shape, nodes)
        )
    if isinstance(shape, FatTree):
        return max(min(size, nodes) * max(0, nodes - size) / links for size, links in _subtrees(shape, nodes))
    if isinstance(shape, Dragonfly):
        group, of_router = _group(shape), shape.nodes_per_router
        loads = [float(nodes - 1)]
        # Within a group: what is for its own routers, and what leaves and enters by those with links to others.
        passing = 1 + 2 * (-(-nodes // group) - 1)
        if nodes > of_router:
            loads.append(of_router**2 * shape.chassis * passing / shape.router_links if shape.routers > 1 else 0.0)
            loads.append(of_router**2 * shape.routers * passing / shape.chassis_links if shape.chassis > 1 else 0.0)
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
            steps = np.mod(d / stride, extent)
            far = (
                np.minimum(steps, extent - steps)
                if closed
                else np.maximum(steps, np.where(steps > 0, extent - steps, 0))
            )
            hops += np.ceil(far)
        return np.where(between, np.maximum(hops, 1.0), 0.0)
    if isinstance(shape, FatTree):
        hops = np.zeros_like(d)
        for size, _ in _subtrees(shape, nodes):
            # Someone crosses each subtree's edge, whatever the distance, where the subtree is left at all.
            hops += np.where(around > 0, 2.0, 0.0) if size < nodes else 0.0
        return hops
    hops = np.full_like(d, 2.0)
    routers, chassis = shape.nodes_per_router, shape.routers * shape.nodes_per_router
    hops += 1.0 if nodes > routers else 0.0
    hops += 1.0 if nodes > chassis else 0.0
    # Within the group of the sender and that of the receiver a message passes from router to router.
    hops += (
        1.0 + (1.0 if nodes > routers else 0.0) + (1.0 if nodes > chassis else 0.0) if nodes > _group(shape) else 0.0
    )
    return np.where(between, hops, 0.0)


def most_hops(shape: Topology, nodes: int) -> float:
    """Return the links between the two nodes that are farthest apart."""
    if nodes < 2:
        return 0.0
    if isinstance(shape, Torus):
        return float(sum(extent // 2 if closed else extent - 1 for _, extent, closed in _extents(shape, nodes)))
    return float(shift_hops(shape, nodes, nodes // 2 or 1))


def bisection_links(shape: Topology) -> float:
    """Return how many links lead from one half of all nodes to the other, in one direction; infinite in a crossbar."""
    if isinstance(shape, Torus):
        longest = max(shape.dimensions)
        return shape.size / longest * (2 if longest > 2 else 1) if longest > 1 else 0.0
    if isinstance(shape, FatTree):
        top = shape.down[-1]
        per = math.prod(shape.up) * shape.links[-1]
        return per * (top // 2) if top > 1 else 0.0
    if isinstance(shape, Dragonfly):
        half = shape.groups // 2
        if half:
            return float(half * (shape.groups - half) * shape.group_links)
        return float(shape.chassis // 2 * (shape.chassis - shape.chassis // 2) * shape.routers * shape.chassis_links)
    return math.inf
