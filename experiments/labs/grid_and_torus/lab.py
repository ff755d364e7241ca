"""Grid and torus: the same square of nodes, with a border and without."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from math import cos, isclose, isqrt, pi, sin
from typing import Any

import numpy as np

from rooftop.lab.in_python import Lab, LabRung, Verdict, drive_lab, exact, variant

try:
    import networkx as nx
except ImportError:
    MISSING: str | None = "networkx is not installed (pip install networkx)"
else:
    MISSING = None

GRID, TORUS = "10-grid", "20-torus"
_TRIED = 16  # nodes up to which every pair of halves is tried


def graph(name: str, n: int = 64) -> nx.Graph:
    """Return a variant's network of n nodes, row by row; "pos" of a node is its place in a picture."""
    side = isqrt(n)
    square = nx.grid_2d_graph(side, side, periodic=name == TORUS)
    for (row, column), data in square.nodes.items():
        around, through = 2 * pi * (column + 0.5) / side, 2 * pi * row / side
        radius = 3 + cos(through)
        round_ring = (radius * cos(around), 0.6 * radius * sin(around) + 0.8 * sin(through))
        data["pos"] = (column, -row) if name == GRID else round_ring
    return nx.relabel_nodes(square, {(row, column): row * side + column for row, column in square})


def fewest_cut(links: Sequence[tuple[int, int]], n: int) -> int:
    """Return the fewest links between two halves, of all ways to halve n nodes."""
    sides = np.arange(1 << (n - 1))  # one bit for each node; the last is always on the other side
    sides = sides[sum(sides >> node & 1 for node in range(n)) == n // 2]
    return int(sum((sides >> a ^ sides >> b) & 1 for a, b in links).min())


class Square(Lab):
    """The mean distance and the bisection of n nodes."""

    parameters = ("n",)
    checks = ({"n": 9}, {"n": 16}, {"n": 25}, {"n": 36})

    def __init__(self, given: dict[str, Any], seed: int, threads: int) -> None:
        """Take the number of nodes."""
        super().__init__(given, seed, threads)
        self.n, self.side = int(given["n"]), isqrt(int(given["n"]))
        if self.side < 3 or self.side**2 != self.n:
            raise ValueError(f"n is {self.n}, expected a square from 9")
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
        """Add up the steps along rows and columns, and try all halves of a small network."""
        if not self.found:
            return exact("nothing was found")
        n, side, torus = self.n, self.side, self.name == TORUS
        along = [abs(a - b) for a in range(side) for b in range(side)]
        steps = sum(min(away, side - away) if torus else away for away in along)
        mean = 2 * steps * side**2 / (n * (n - 1))  # every step along a row goes with each pair of rows
        cut = (side + side % 2) * (1 + torus)  # an odd side has no middle: the cut has a step, of one link more
        if n <= _TRIED:
            ends = side if torus else side - 1
            flat = [(r * side + c, r * side + (c + 1) % side) for r in range(side) for c in range(ends)]
            upright = [(r * side + c, (r + 1) % side * side + c) for r in range(ends) for c in range(side)]
            cut = fewest_cut(flat + upright, n)
        if isclose(self.found["mean_distance"], mean, rel_tol=1e-12) and self.found["bisection"] == cut:
            return exact("")
        return exact(f"found {self.found}, expected a mean distance of {mean} and a bisection of {cut}")


class Topology(LabRung):
    """Builds a network, and computes both figures on it."""

    def __init__(self, name: str, lab: Square) -> None:
        """Take the network's name."""
        self._lab = lab
        lab.name = name

    def run(self) -> None:
        """Search from every node, breadth first, and count the links that leave the first half of the rows."""
        network = graph(self._lab.name, self._lab.n)
        half = range(self._lab.n // 2)
        self._lab.found = {
            "mean_distance": nx.average_shortest_path_length(network),
            "bisection": float(nx.cut_size(network, half)),
        }


VARIANTS = (
    variant("10-grid", "Links to the nodes left and right, above and below.", partial(Topology, GRID)),
    variant("20-torus", "Rows and columns closed to rings.", partial(Topology, TORUS)),
)

if __name__ == "__main__":
    raise SystemExit(drive_lab(Square, VARIANTS, __file__, sys.argv[1:], MISSING))
