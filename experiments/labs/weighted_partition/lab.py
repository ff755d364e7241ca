"""Weighted partitioning: a grid whose cells take different times, split among ranks by rows, columns and graphs."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, ClassVar

from rooftop.lab.in_python import Lab, LabRung, SkipCaseError, Verdict, drive_lab, exact, variant

try:
    import pymetis
except ImportError:
    pymetis = None


class Grid(Lab):
    """A square of cells; that of row i and column j takes (i + 1) * (j + 1), and needs its four neighbours.

    owner  the result: the rank of each cell
    """

    parameters = ("edge", "parts")
    checks: ClassVar = ({"edge": 4, "parts": 1}, {"edge": 7, "parts": 3}, {"edge": 9, "parts": 4})

    def __init__(self, given: Mapping[str, Any], seed: int, threads: int) -> None:
        """Make the cells and their weights."""
        super().__init__(given, seed, threads)
        self.edge, self.parts = given["edge"], given["parts"]
        if not 1 <= self.parts <= self.edge:
            raise ValueError(f"'parts' is {self.parts}: expected 1 to {self.edge}, a row for each at least")
        self.cells = [(i, j) for i in range(self.edge) for j in range(self.edge)]
        self.owner: dict[tuple[int, int], int] = {}

    def weight(self, cells: list[tuple[int, int]]) -> int:
        """Return what cells take together."""
        return sum((i + 1) * (j + 1) for i, j in cells)

    def neighbours(self, cell: tuple[int, int]) -> list[tuple[int, int]]:
        """Return the cells that a cell needs."""
        i, j = cell
        around = [(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)]
        return [(a, b) for a, b in around if 0 <= a < self.edge and 0 <= b < self.edge]

    def poison(self) -> None:
        """Forget the owners."""
        self.owner = {}

    def spoil(self) -> None:
        """Take a cell from its owner."""
        self.owner.pop(self.cells[-1])

    def verify(self) -> Verdict:
        """Every cell has one owner, and every rank has cells."""
        if set(self.owner) != set(self.cells):
            return exact(f"{len(self.owner)} cells have an owner, expected {len(self.cells)}")
        idle = set(range(self.parts)) ^ set(self.owner.values())
        return exact(f"ranks without cells, or that are not there: {sorted(idle)}" if idle else "")

    def figures(self) -> dict[str, float]:
        """Return by how much the slowest rank exceeds the mean, and the neighbours that belong to two ranks."""
        loads = [
            self.weight([cell for cell in self.cells if self.owner.get(cell) == part]) for part in range(self.parts)
        ]
        ends = [(one, other) for one in self.cells for other in self.neighbours(one) if one < other]
        return {
            "imbalance_percent": 100.0 * (max(loads) * self.parts / sum(loads) - 1) if any(loads) else 0.0,
            "cut_edges": float(sum(self.owner.get(one) != self.owner.get(other) for one, other in ends)),
        }


class Strips(LabRung):
    """As many whole rows to each rank, or columns."""

    axis = 0

    def __init__(self, lab: Grid) -> None:
        """Take the grid."""
        self.lab = lab

    def run(self) -> None:
        """Assign strips."""
        self.lab.owner = {cell: cell[self.axis] * self.lab.parts // self.lab.edge for cell in self.lab.cells}


class Columns(Strips):
    """As many whole columns to each rank."""

    axis = 1


class Bisection(Strips):
    """Cuts across the longer side, at the middle of the weight, until there is a piece for each rank."""

    def run(self) -> None:
        """Assign pieces."""
        self.split(self.lab.cells, 0, self.lab.parts)

    def split(self, cells: list[tuple[int, int]], first: int, parts: int) -> None:
        """Assign cells to the ranks from `first` on."""
        if parts == 1:
            self.lab.owner.update(dict.fromkeys(cells, first))
            return
        axis = max((0, 1), key=lambda side: max(cell[side] for cell in cells) - min(cell[side] for cell in cells))
        lines = sorted({cell[axis] for cell in cells})
        loads = [self.lab.weight([cell for cell in cells if cell[axis] < line]) for line in lines]
        share = self.lab.weight(cells) * (parts // 2) / parts
        cut = min(lines[1:], key=lambda line: abs(loads[lines.index(line)] - share))
        self.split([cell for cell in cells if cell[axis] < cut], first, parts // 2)
        self.split([cell for cell in cells if cell[axis] >= cut], first + parts // 2, parts - parts // 2)


class Metis(Strips):
    """METIS: a coarser graph is split, and the border improved on the way back to the finer one."""

    def __init__(self, lab: Grid) -> None:
        """Take the grid. Raises SkipCaseError without METIS."""
        if pymetis is None:
            raise SkipCaseError("pymetis is not installed: pip install pymetis")
        super().__init__(lab)

    def run(self) -> None:
        """Assign what METIS finds."""
        number = {cell: at for at, cell in enumerate(self.lab.cells)}
        graph = [[number[other] for other in self.lab.neighbours(cell)] for cell in self.lab.cells]
        weights = [self.lab.weight([cell]) for cell in self.lab.cells]
        _, owner = pymetis.part_graph(self.lab.parts, adjacency=graph, vweights=weights)
        self.lab.owner = dict(zip(self.lab.cells, owner, strict=True))


VARIANTS = (
    variant("10-rows", "As many rows to each rank.", Strips),
    variant("20-columns", "As many columns to each rank.", Columns),
    variant("30-bisection", "Cuts at the middle of the weight, across the longer side.", Bisection),
    variant("40-metis", "A partition of the graph, by METIS.", Metis),
)

if __name__ == "__main__":
    raise SystemExit(drive_lab(Grid, VARIANTS, __file__, sys.argv[1:]))
