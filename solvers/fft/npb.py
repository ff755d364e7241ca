"""Problem classes and operation count of NPB's FT (NPB 3.4, FT's setparams and print_results)."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Grid:
    """Grid size, with x fastest in memory, and number of iterations."""

    nx: int
    ny: int
    nz: int
    iterations: int

    @property
    def points(self) -> int:
        """Number of grid points."""
        return self.nx * self.ny * self.nz

    @property
    def name(self) -> str:
        """Size in NPB's notation."""
        return f"{self.nx}x{self.ny}x{self.nz}"

    @property
    def operations(self) -> float:
        """Number of operations by NPB's formula."""
        log = math.log(self.points)
        return self.points * (14.8157 + 7.19641 * log + (5.23518 + 7.21113 * log) * self.iterations)


CLASSES = {
    "S": Grid(64, 64, 64, 6),
    "W": Grid(128, 128, 32, 6),
    "A": Grid(256, 256, 128, 6),
    "B": Grid(512, 256, 256, 20),
    "C": Grid(512, 512, 512, 20),
    "D": Grid(2048, 1024, 1024, 25),
    "E": Grid(4096, 2048, 2048, 25),
    "F": Grid(8192, 4096, 4096, 25),
}


def class_of(grid: Grid) -> str:
    """Return the class of a grid, or "U" (unknown, as in NPB) if it is none of NPB's."""
    return next((name for name, one in CLASSES.items() if one == grid), "U")
