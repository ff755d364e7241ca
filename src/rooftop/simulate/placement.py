"""On which node each rank is: one node after the other, in turns, or so that ranks which send much are near.

The last takes METIS, which cuts the graph of messages into as many parts as there are nodes, and SciPy's quadratic
assignment (Vogelstein et al. 2015), which says which part goes to which node, by bytes x links that they cross.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse, NotBuilt
from rooftop.simulate.layout import Layout
from rooftop.simulate.recording import Recording
from rooftop.simulate.topologies import Crossbar
from rooftop.simulate.traffic import traffic
from rooftop.simulate.wiring import wired
from rooftop.text.nearest import nearest

if TYPE_CHECKING:
    from scipy.sparse import csr_array

BLOCK, ROUND_ROBIN, GRAPH = "block", "round-robin", "graph"
PLACEMENTS = (BLOCK, ROUND_ROBIN, GRAPH)
Places = NDArray[np.int64]
#: Nodes up to which pairs of parts are also exchanged one by one, which takes the cube of the nodes.
_MOST_EXCHANGED = 64


def check_placements(called: str, text: str) -> tuple[str, ...]:
    """Return the placements of ``block,graph``. Raises Misuse, which calls the option as it is `called`."""
    found = tuple(part.strip() for part in text.split(","))
    for name in found:
        if name not in PLACEMENTS:
            raise Misuse(f"{called} has {name!r}; {nearest(name, PLACEMENTS)}")
        if found.count(name) > 1:
            raise Misuse(f"{called} has {name} {found.count(name)} times, expected once")
    return found


def placed(layout: Layout, placement: str, recording: Recording | Path) -> Layout:
    """Return a layout with its ranks placed so. Raises NotBuilt where the graph cannot be cut."""
    ranks = np.arange(layout.ranks)
    if placement == BLOCK:
        return replace(layout, places=None)
    in_turns = placement == ROUND_ROBIN
    places = ranks % layout.nodes if in_turns else _by_graph(layout, traffic(recording, layout.ranks))
    return replace(layout, places=tuple(map(int, places)))


def hops(layout: Layout) -> NDArray[np.float64]:
    """Return the links that a message between each two of a layout's nodes crosses."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    shape = layout.platform.network.shape
    wiring = wired(shape, layout.platform.nodes)
    size = len(wiring.places)
    ends = np.array([(one, other) for one, other, _ in wiring.links]).reshape(-1, 2)
    links = csr_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(size, size))
    found = dijkstra(links, directed=False, unweighted=True, indices=np.arange(layout.nodes))
    return np.asarray(found[:, : layout.nodes])


def carried(layout: Layout, messages: csr_array, apart: NDArray[np.float64]) -> float:
    """Return the bytes of all messages, each times the links that it crosses."""
    places = np.array(layout.node_of)
    one, other = messages.nonzero()
    return float((messages.data * apart[places[one], places[other]]).sum())


def _by_graph(layout: Layout, messages: csr_array) -> Places:
    """Return the node of each rank by the graph of messages, or blocks where these carry no more."""
    block = np.array(replace(layout, places=None).node_of)
    if layout.nodes == 1 or not messages.nnz:
        return block
    apart = hops(layout)
    parts = _parts(layout, messages)
    between = np.zeros((layout.nodes, layout.nodes))
    one, other = messages.nonzero()
    np.add.at(between, (parts[one], parts[other]), messages.data)
    places = _assigned(between, apart, layout)[parts]
    ways = {"graph": places, "block": block}
    taken = {name: carried(replace(layout, places=tuple(way)), messages, apart) for name, way in ways.items()}
    return ways[min(taken, key=taken.__getitem__)]


def _assigned(between: NDArray[np.float64], apart: NDArray[np.float64], layout: Layout) -> Places:
    """Return the node of each part. Only equally full nodes can change their parts."""
    from scipy.optimize import quadratic_assignment

    nodes = layout.nodes
    last = layout.ranks - (nodes - 1) * layout.per_node
    fixed = [] if last == layout.per_node else [[nodes - 1, nodes - 1]]
    if isinstance(layout.platform.network.shape, Crossbar) or nodes <= 2 + len(fixed):
        return np.arange(nodes)
    np.fill_diagonal(between, 0)
    scaled = between / max(1.0, between.max())
    # Neither method draws anything from these starts; without a generator SciPy looks at NumPy's global one.
    generator, known = np.random.default_rng(0), np.array(fixed, dtype=int).reshape(-1, 2)
    found = quadratic_assignment(scaled, apart, options={"rng": generator, "partial_match": known}).col_ind
    if nodes <= _MOST_EXCHANGED:
        start = np.column_stack([np.arange(nodes), found])
        found = quadratic_assignment(
            scaled, apart, "2opt", {"rng": generator, "partial_match": known, "partial_guess": start}
        ).col_ind
    return np.asarray(found)


def _parts(layout: Layout, messages: csr_array) -> Places:
    """Return the part of each rank: as many parts as nodes, as full as in blocks."""
    if layout.per_node == 1:
        return np.arange(layout.ranks)
    try:
        import pymetis
    except ImportError as error:
        raise NotBuilt(
            "--placement graph needs pymetis, which is not installed: first 'pip install pymetis'"
        ) from error
    # METIS takes whole weights.
    weights = np.maximum(1, np.rint(messages.data / messages.data.max() * 1e6)).astype(int)
    graph = pymetis.CSRAdjacency(messages.indptr, messages.indices)
    wanted = np.bincount(replace(layout, places=None).node_of, minlength=layout.nodes)
    found = pymetis.part_graph(
        layout.nodes, graph, eweights=weights, tpwgts=list(wanted / layout.ranks), recursive=True
    ).vertex_part
    parts = np.array(found, dtype=int)
    # METIS' parts may be a rank too full: it goes where it has most to send, among those with room.
    while (over := np.bincount(parts, minlength=layout.nodes) - wanted).any():
        fullest = int(np.argmax(over))
        members, room = np.flatnonzero(parts == fullest), np.flatnonzero(over < 0)
        to_part = np.zeros((len(members), layout.nodes))
        for row, rank in enumerate(members):
            of_rank = slice(messages.indptr[rank], messages.indptr[rank + 1])
            np.add.at(to_part[row], parts[messages.indices[of_rank]], messages.data[of_rank])
        gains = to_part[:, room] - to_part[:, [fullest]]
        best = np.unravel_index(int(np.argmax(gains)), gains.shape)
        parts[members[best[0]]] = room[best[1]]
    return parts
