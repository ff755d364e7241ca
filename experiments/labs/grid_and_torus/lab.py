"""Grid and torus: the same square of nodes, with a border and without."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from math import cos, isqrt, pi, sin

import numpy as np

from rooftop.lab.topology import MISSING, Topology, drive_lab, nx, topology, variant

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


class Square(Topology):
    """The mean distance and the bisection of n nodes."""

    checks = ({"n": 9}, {"n": 16}, {"n": 25}, {"n": 36})

    @property
    def side(self) -> int:
        """Nodes of a row, or routers of a group."""
        return isqrt(self.n)

    def refused(self) -> str:
        """Return what n must be, where it is not."""
        return "a square from 9" if self.side < 3 or self.side**2 != self.n else ""

    def expected(self) -> tuple[float, float]:
        """Add up the steps along rows and columns, and try all halves of a small network."""
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
        return mean, cut

    def measured(self) -> tuple[float, float]:
        """Search from every node, breadth first, and count the links that leave the first half of the rows."""
        network = graph(self.name, self.n)
        half = range(self.n // 2)
        return nx.average_shortest_path_length(network), float(nx.cut_size(network, half))


VARIANTS = (
    variant("10-grid", "Links to the nodes left and right, above and below.", topology(GRID)),
    variant("20-torus", "Rows and columns closed to rings.", topology(TORUS)),
)

if __name__ == "__main__":
    raise SystemExit(drive_lab(Square, VARIANTS, __file__, sys.argv[1:], MISSING))
