"""Hypercube and butterfly: a link for each bit of a node's number, all at once or one after the other.

A butterfly is a hypercube unrolled: rank r of its switches has the links of bit r alone, and messages pass all ranks.
"""

from __future__ import annotations

import sys
from itertools import combinations
from math import cos, pi, sin

from rooftop.lab.topology import MISSING, Topology, drive_lab, nx, topology, variant

CUBE, BUTTERFLY = "10-hypercube", "20-butterfly"
_TRIED = 8  # nodes up to which every pair of halves is tried


def graph(name: str, n: int = 16) -> nx.DiGraph:
    """Return a variant's network of n nodes with links of one direction; "pos" of a node is its place in a picture.

    A butterfly's switches are (rank, row). Node i sends into (0, i) and receives from the last rank's row i.
    """
    bits, network = n.bit_length() - 1, nx.DiGraph()
    for row in range(n):
        for bit in range(bits):
            across = row ^ (n >> 1 + bit)
            if name == CUBE:
                network.add_edge(row, across, capacity=1)
            else:
                network.add_edge((bit, row), (bit + 1, row), capacity=1)
                network.add_edge((bit, row), (bit + 1, across), capacity=1)
    for node, data in network.nodes.items():
        ones = [bit for bit in range(bits) if name == CUBE and node >> bit & 1]
        turned = (sum(cos(pi * bit / bits) for bit in ones), sum(sin(pi * bit / bits) for bit in ones))
        data["pos"] = turned if name == CUBE else (node[0] * n / bits, -node[1])
    return network


class Bits(Topology):
    """The mean distance and the bisection of n nodes."""

    checks = ({"n": 2}, {"n": 8}, {"n": 32})

    def refused(self) -> str:
        """Return what n must be, where it is not."""
        return "a power of two from 2" if self.n < 2 or self.n & (self.n - 1) else ""

    def expected(self) -> tuple[float, float]:
        """Count the bits in which nodes differ, and try all halves of a small network."""
        n, ranks = self.n, self.n.bit_length() - 1
        away = sum((a ^ b).bit_count() if self.name == CUBE else ranks for a in range(n) for b in range(n) if a != b)
        mean, cut = away / (n * (n - 1)), n // 2
        if n <= _TRIED:
            cut = min(self._flow(set(half)) for half in combinations(range(n), n // 2))
        return mean, cut

    def _flow(self, half: set[int]) -> int:
        """Return how many messages of one half can be on their way to the other, a link for each: a maximum flow."""
        network, last = graph(self.name, self.n), self.n.bit_length() - 1
        for node in range(self.n):
            into, out = (node, node) if self.name == CUBE else ((0, node), (last, node))
            network.add_edge(*(("from", into) if node in half else (out, "to")))  # without a capacity: as many as come
        return int(nx.maximum_flow_value(network, "from", "to"))

    def measured(self) -> tuple[float, float]:
        """Search from every node, breadth first, and count the links from the first half of the rows to the others."""
        n, cube, ranks = self.n, self.name == CUBE, self.n.bit_length() - 1
        network = graph(self.name, n)
        steps = 0
        for node in range(n):
            lengths = nx.single_source_shortest_path_length(network, node if cube else (0, node))
            steps += sum(lengths[other if cube else (ranks, other)] for other in range(n) if other != node)
        half = [node for node in network if (node if cube else node[1]) < n // 2]
        return steps / (n * (n - 1)), float(sum(1 for _ in nx.edge_boundary(network, half)))


VARIANTS = (
    variant("10-hypercube", "A link to every node whose number differs in one bit.", topology(CUBE)),
    variant("20-butterfly", "A rank of switches for each bit.", topology(BUTTERFLY)),
)

if __name__ == "__main__":
    raise SystemExit(drive_lab(Bits, VARIANTS, __file__, sys.argv[1:], MISSING))
