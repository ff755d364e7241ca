"""Tree and fat tree: nodes as leaves below switches, with one link at each switch or with one for each leaf.

The way through a tree is short, but all of it that leaves a half of the machine meets at the root.
"""

from __future__ import annotations

import sys

import numpy as np

from rooftop.lab.topology import MISSING, Topology, drive_lab, nx, topology, variant

TREE, FAT_TREE = "10-tree", "20-fat-tree"
_TRIED = 8  # nodes up to which every pair of halves is tried


def graph(name: str, n: int = 16) -> nx.Graph:
    """Return a variant's network of n nodes; "pos" of a node is its place in a picture, "links" of an edge its width.

    Switch i is above 2i and 2i + 1; nodes, which have no switch below, are numbered from n.
    """
    network = nx.Graph()
    for below in range(2, 2 * n):
        leaves = n >> below.bit_length() - 1
        network.add_edge(below // 2, below, links=1 if name == TREE else leaves)
    for switch, data in network.nodes.items():
        height = (2 * n - 1).bit_length() - switch.bit_length()
        data["pos"] = (((switch << height) - n) + ((1 << height) - 1) / 2, height * n / 12)
    return network


def fewest_cut(links: dict[tuple[int, int], int], n: int) -> int:
    """Return the fewest links between two halves of n nodes, whichever switches go with which half."""
    sides = np.arange(0, 1 << 2 * n, 2)  # one bit for each switch and node, from bit 1
    sides = sides[sum(sides >> node & 1 for node in range(n, 2 * n)) == n // 2]
    return int(sum(((sides >> a ^ sides >> b) & 1) * count for (a, b), count in links.items()).min())


class Tree(Topology):
    """The mean distance and the bisection of n nodes."""

    checks = ({"n": 2}, {"n": 8}, {"n": 32})

    def refused(self) -> str:
        """Return what n must be, where it is not."""
        return "a power of two from 2" if self.n < 2 or self.n & (self.n - 1) else ""

    def expected(self) -> tuple[float, float]:
        """Climb from both nodes until they meet, and try all halves of a small network."""
        n, fat = self.n, self.name == FAT_TREE
        steps = sum(2 * (a ^ b).bit_length() for a in range(n) for b in range(n))
        mean, cut = steps / (n * (n - 1)), n // 2 if fat else 1
        if n <= _TRIED:
            leaves = {one: 1 if one >= n else 0 for one in range(2 * n)}
            for one in range(n - 1, 0, -1):
                leaves[one] = leaves[2 * one] + leaves[2 * one + 1]
            cut = fewest_cut({(one, one // 2): leaves[one] if fat else 1 for one in range(2, 2 * n)}, n)
        return mean, cut

    def measured(self) -> tuple[float, float]:
        """Search from every node, breadth first, and count the links that leave what is below the root on the left."""
        n, network = self.n, graph(self.name, self.n)
        nodes = range(n, 2 * n)
        ways = (nx.single_source_shortest_path_length(network, node) for node in nodes)
        left = [one for one in network if one > 1 and f"{one:b}"[1] == "0"]
        return sum(way[node] for way in ways for node in nodes) / (n * (n - 1)), float(
            nx.cut_size(network, left, weight="links")
        )


VARIANTS = (
    variant("10-tree", "One link from each switch to the one above.", topology(TREE)),
    variant("20-fat-tree", "As many links upwards as there are nodes below.", topology(FAT_TREE)),
)

if __name__ == "__main__":
    raise SystemExit(drive_lab(Tree, VARIANTS, __file__, sys.argv[1:], MISSING))
