"""Bus and ring: nodes in a line, and the one link that closes it.

The mean distance is how long a message between two random nodes is under way; the bisection, the links between two
halves of the machine, is what all nodes share where everyone talks to everyone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from math import cos, pi, sin

import numpy as np

from rooftop.lab.topology import MISSING, Topology, drive_lab, nx, topology, variant

BUS, RING = "10-bus", "20-ring"
_TRIED = 16  # nodes up to which every pair of halves is tried


def graph(name: str, n: int = 16) -> nx.Graph:
    """Return a variant's network of n nodes; "pos" of a node is its place in a picture."""
    network = nx.path_graph(n) if name == BUS else nx.cycle_graph(n)
    for node in network:
        turn = 2 * pi * node / n
        network.nodes[node]["pos"] = (node, 0) if name == BUS else (cos(turn), sin(turn))
    return network


def fewest_cut(links: Sequence[tuple[int, int]], n: int) -> int:
    """Return the fewest links between two halves, of all ways to halve n nodes."""
    sides = np.arange(1 << (n - 1))  # one bit for each node; the last is always on the other side
    sides = sides[sum(sides >> node & 1 for node in range(n)) == n // 2]
    return int(sum((sides >> a ^ sides >> b) & 1 for a, b in links).min())


class Line(Topology):
    """The mean distance and the bisection of n nodes."""

    checks = ({"n": 3}, {"n": 7}, {"n": 16}, {"n": 37})

    def refused(self) -> str:
        """Return what n must be, where it is not."""
        return "3 nodes or more" if self.n < 3 else ""

    def expected(self) -> tuple[float, float]:
        """Add up distances as a pedestrian counts them, and try all halves of a small network."""
        n, ring = self.n, self.name == RING
        steps = [min(away, n - away) if ring else away for away in (abs(a - b) for a in range(n) for b in range(n))]
        mean = sum(steps) / (n * (n - 1))
        links = [(node, node + 1) for node in range(n - 1)] + [(n - 1, 0)] * ring
        cut = fewest_cut(links, n) if n <= _TRIED else 1 + ring
        return mean, cut

    def measured(self) -> tuple[float, float]:
        """Search from every node, breadth first, and count the links that leave the first half of the line."""
        network = graph(self.name, self.n)
        half = range(self.n // 2)
        return nx.average_shortest_path_length(network), float(nx.cut_size(network, half))


VARIANTS = (
    variant("10-bus", "A link from each node to the next.", topology(BUS)),
    variant("20-ring", "One more link, from the last node to the first.", topology(RING)),
)

if __name__ == "__main__":
    raise SystemExit(drive_lab(Line, VARIANTS, __file__, sys.argv[1:], MISSING))
