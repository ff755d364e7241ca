"""Bus and ring: nodes in a line, and the one link that closes it.

The mean distance is how long a message between two random nodes is under way; the bisection, the links between two
halves of the machine, is what all nodes share where everyone talks to everyone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from math import cos, isclose, pi, sin
from typing import Any

import numpy as np

from rooftop.lab.in_python import Lab, LabRung, Verdict, drive_lab, exact, variant

try:
    import networkx as nx
except ImportError:
    MISSING: str | None = "networkx is not installed (pip install networkx)"
else:
    MISSING = None

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


class Line(Lab):
    """The mean distance and the bisection of n nodes."""

    parameters = ("n",)
    checks = ({"n": 3}, {"n": 7}, {"n": 16}, {"n": 37})

    def __init__(self, given: dict[str, Any], seed: int, threads: int) -> None:
        """Take the number of nodes."""
        super().__init__(given, seed, threads)
        self.n = int(given["n"])
        if self.n < 3:
            raise ValueError(f"n is {self.n}, expected 3 nodes or more")
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
        """Add up distances as a pedestrian counts them, and try all halves of a small network."""
        if not self.found:
            return exact("nothing was found")
        n, ring = self.n, self.name == RING
        steps = [min(away, n - away) if ring else away for away in (abs(a - b) for a in range(n) for b in range(n))]
        mean = sum(steps) / (n * (n - 1))
        links = [(node, node + 1) for node in range(n - 1)] + [(n - 1, 0)] * ring
        cut = fewest_cut(links, n) if n <= _TRIED else 1 + ring
        if isclose(self.found["mean_distance"], mean, rel_tol=1e-12) and self.found["bisection"] == cut:
            return exact("")
        return exact(f"found {self.found}, expected a mean distance of {mean} and a bisection of {cut}")


class Topology(LabRung):
    """Builds a network, and computes both figures on it."""

    def __init__(self, name: str, lab: Line) -> None:
        """Take the network's name."""
        self._lab = lab
        lab.name = name

    def run(self) -> None:
        """Search from every node, breadth first, and count the links that leave the first half of the line."""
        network = graph(self._lab.name, self._lab.n)
        half = range(self._lab.n // 2)
        self._lab.found = {
            "mean_distance": nx.average_shortest_path_length(network),
            "bisection": float(nx.cut_size(network, half)),
        }


VARIANTS = (
    variant("10-bus", "A link from each node to the next.", partial(Topology, BUS)),
    variant("20-ring", "One more link, from the last node to the first.", partial(Topology, RING)),
)

if __name__ == "__main__":
    raise SystemExit(drive_lab(Line, VARIANTS, __file__, sys.argv[1:], MISSING))
