"""Dragonfly and megafly: groups of routers, each group with links to all others."""

from __future__ import annotations

import sys
from itertools import combinations
from math import cos, isqrt, pi, sin

import numpy as np

from rooftop.lab.topology import MISSING, Topology, drive_lab, nx, topology, variant

DRAGONFLY, REPLICATED, MEGAFLY = "10-dragonfly", "20-replicated-links", "30-megafly"
_TRIED = 16  # routers, spines among them, up to which every pair of halves is tried


def graph(name: str, n: int = 36) -> nx.Graph:
    """Return a variant's network; "pos" of a router is its place in a picture.

    The n routers (group, place) have nodes. A megafly has a spine, (group, -1 - place), for each, which has none.
    """
    network, side = nx.Graph(), isqrt(n)
    for group in range(side):
        for place in range(side):
            spine = (group, -1 - place) if name == MEGAFLY else (group, place)
            inner = range(side) if name == MEGAFLY else range(place)
            network.add_edges_from((spine, (group, other)) for other in inner)
            for before in range(group):
                if name != DRAGONFLY or before == place:
                    network.add_edge(spine, (before, group if name == DRAGONFLY else spine[1]))
    for (group, place), data in network.nodes.items():
        around = 2 * pi * group / side
        turn, radius = around + 2 * pi * (place + 0.5) / side, 0.35 if place >= 0 or name != MEGAFLY else 0.15
        data["pos"] = (cos(around) + radius * cos(turn), sin(around) + radius * sin(turn))
    return network


def fewest_cut(network: nx.Graph) -> int:
    """Return the fewest links between two halves, whichever spines go with which half."""
    bits = {router: bit for bit, router in enumerate(sorted(network, key=lambda router: router[1] >= 0))}
    nodes = [bit for router, bit in bits.items() if router[1] >= 0]
    sides = np.arange(1 << (len(bits) - 1))  # one bit for each router; the last is always on the other side
    sides = sides[sum(sides >> bit & 1 for bit in nodes) == len(nodes) // 2]
    return int(sum((sides >> bits[a] ^ sides >> bits[b]) & 1 for a, b in network.edges).min())


class Groups(Topology):
    """The mean distance and the bisection of n routers with nodes."""

    checks = ({"n": 4}, {"n": 16}, {"n": 36})

    @property
    def side(self) -> int:
        """Nodes of a row, or routers of a group."""
        return isqrt(self.n)

    def refused(self) -> str:
        """Return what n must be, where it is not."""
        return "the square of an even number" if self.side < 2 or self.side % 2 or self.side**2 != self.n else ""

    def _away(self, a: tuple[int, int], b: tuple[int, int]) -> int:
        """Return the steps between two routers."""
        if self.name == DRAGONFLY and a[0] != b[0]:
            return (a[1] != b[0]) + 1 + (b[1] != a[0])
        return (a[0] != b[0]) + (2 if self.name == MEGAFLY else a[1] != b[1])

    def expected(self) -> tuple[float, float]:
        """Count steps to the cable, over it and from it, and try all halves of a small network."""
        routers = [divmod(one, self.side) for one in range(self.n)]
        mean = 2 * sum(self._away(a, b) for a, b in combinations(routers, 2)) / (self.n * (self.n - 1))
        cut = (self.side // 2) ** 2 * (1 if self.name == DRAGONFLY else self.side)
        if len(network := graph(self.name, self.n)) <= _TRIED:
            cut = fewest_cut(network)
        return mean, cut

    def measured(self) -> tuple[float, float]:
        """Search from every router with nodes, breadth first, and count the cables that leave half of the groups."""
        n, network = self.n, graph(self.name, self.n)
        routers = [router for router in network if router[1] >= 0]
        ways = (nx.single_source_shortest_path_length(network, router) for router in routers)
        half = [router for router in network if router[0] < self.side // 2]
        return sum(way[router] for way in ways for router in routers) / (n * (n - 1)), float(nx.cut_size(network, half))


VARIANTS = (
    variant("10-dragonfly", "One cable for each two groups, and links within them.", topology(DRAGONFLY)),
    variant("20-replicated-links", "A cable for each router and other group.", topology(REPLICATED)),
    variant("30-megafly", "Groups of leaves with nodes and of spines with cables.", topology(MEGAFLY)),
)

if __name__ == "__main__":
    raise SystemExit(drive_lab(Groups, VARIANTS, __file__, sys.argv[1:], MISSING))
