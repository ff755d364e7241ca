"""Hypercube and butterfly: a link for each bit of a node's number, all at once or one after the other.

A butterfly is a hypercube unrolled: rank r of its switches has the links of bit r alone, and messages pass all ranks.
"""

from __future__ import annotations

import sys
from functools import partial
from itertools import combinations
from math import cos, isclose, pi, sin
from typing import Any

from rooftop.lab.in_python import Lab, LabRung, Verdict, drive_lab, exact, variant

try:
    import networkx as nx
except ImportError:
    MISSING: str | None = "networkx is not installed (pip install networkx)"
else:
    MISSING = None

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


class Bits(Lab):
    """The mean distance and the bisection of n nodes."""

    parameters = ("n",)
    checks = ({"n": 2}, {"n": 8}, {"n": 32})

    def __init__(self, given: dict[str, Any], seed: int, threads: int) -> None:
        """Take the number of nodes."""
        super().__init__(given, seed, threads)
        self.n = int(given["n"])
        if self.n < 2 or self.n & (self.n - 1):
            raise ValueError(f"n is {self.n}, expected a power of two from 2")
        self.name = ""
        self.found: dict[str, float] = {}

    def poison(self) -> None:
        """Forget what was found."""
        self.found = {}

    def spoil(self) -> None:
        """Cut one link too many."""
        self.found["bisection"] += 1

    def figures(self) -> dict[str, float]:
        """Return what was found."""
        return self.found

    def verify(self) -> Verdict:
        """Count the bits in which nodes differ, and try all halves of a small network."""
        if not self.found:
            return exact("nothing was found")
        n, ranks = self.n, self.n.bit_length() - 1
        away = sum((a ^ b).bit_count() if self.name == CUBE else ranks for a in range(n) for b in range(n) if a != b)
        mean, cut = away / (n * (n - 1)), n // 2
        if n <= _TRIED:
            cut = min(self._flow(set(half)) for half in combinations(range(n), n // 2))
        if isclose(self.found["mean_distance"], mean, rel_tol=1e-12) and self.found["bisection"] == cut:
            return exact("")
        return exact(f"found {self.found}, expected a mean distance of {mean} and a bisection of {cut}")

    def _flow(self, half: set[int]) -> int:
        """Return how many messages of one half can be on their way to the other, a link for each: a maximum flow."""
        network, last = graph(self.name, self.n), self.n.bit_length() - 1
        for node in range(self.n):
            into, out = (node, node) if self.name == CUBE else ((0, node), (last, node))
            network.add_edge(*(("from", into) if node in half else (out, "to")))  # without a capacity: as many as come
        return int(nx.maximum_flow_value(network, "from", "to"))


class Topology(LabRung):
    """Builds a network, and computes both figures on it."""

    def __init__(self, name: str, lab: Bits) -> None:
        """Take the network's name."""
        self._lab = lab
        lab.name = name

    def run(self) -> None:
        """Search from every node, breadth first, and count the links from the first half of the rows to the others."""
        n, cube, ranks = self._lab.n, self._lab.name == CUBE, self._lab.n.bit_length() - 1
        network = graph(self._lab.name, n)
        steps = 0
        for node in range(n):
            lengths = nx.single_source_shortest_path_length(network, node if cube else (0, node))
            steps += sum(lengths[other if cube else (ranks, other)] for other in range(n) if other != node)
        half = [node for node in network if (node if cube else node[1]) < n // 2]
        self._lab.found = {
            "mean_distance": steps / (n * (n - 1)),
            "bisection": float(sum(1 for _ in nx.edge_boundary(network, half))),
        }


VARIANTS = (
    variant("10-hypercube", "A link to every node whose number differs in one bit.", partial(Topology, CUBE)),
    variant("20-butterfly", "A rank of switches for each bit.", partial(Topology, BUTTERFLY)),
)

if __name__ == "__main__":
    raise SystemExit(drive_lab(Bits, VARIANTS, __file__, sys.argv[1:], MISSING))
