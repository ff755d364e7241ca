"""What labs of topologies have in common: each variant is a graph of n nodes with a mean distance and a bisection.

Such a lab says how both are measured on the graph, and what they must be by counting::

    class Line(Topology):
        checks = ({"n": 3}, {"n": 7})

        def refused(self) -> str: ...
        def measured(self) -> tuple[float, float]: ...
        def expected(self) -> tuple[float, float]: ...

    VARIANTS = (variant("10-bus", "A link from each node to the next.", topology("10-bus")),)
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from functools import partial
from math import isclose
from typing import Any

from rooftop.lab.in_python import Lab, LabRung, Verdict, drive_lab, exact, variant

__all__ = ["MISSING", "Topology", "drive_lab", "nx", "topology", "variant"]

try:
    import networkx as nx  # type: ignore[import-untyped]
except ImportError:
    nx = None
#: Why no such lab runs here; None where they do.
MISSING = "networkx is not installed (pip install networkx)" if nx is None else None

_FIGURES = ("mean_distance", "bisection")


class Topology(Lab):
    """The mean distance and the bisection of n nodes, linked as the variant that is ``name`` has them."""

    parameters = ("n",)

    def __init__(self, given: Mapping[str, Any], seed: int, threads: int) -> None:
        """Take the number of nodes. Raises ValueError where the topology has none of so many."""
        super().__init__(given, seed, threads)
        self.n = int(given["n"])
        self.name = ""
        self.found: dict[str, float] = {}
        if expected := self.refused():
            raise ValueError(f"n is {self.n}, expected {expected}")

    @abstractmethod
    def refused(self) -> str:
        """Return what n must be, where it is not; "" where it is."""

    @abstractmethod
    def measured(self) -> tuple[float, float]:
        """Return the mean distance and the bisection, measured on the graph: what is timed."""

    @abstractmethod
    def expected(self) -> tuple[float, float]:
        """Return what both must be, counted without the graph as far as that can be."""

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
        """Compare what was found with what was counted."""
        if not self.found:
            return exact("nothing was found")
        expected = dict(zip(_FIGURES, self.expected(), strict=True))
        right = isclose(self.found["mean_distance"], expected["mean_distance"], rel_tol=1e-12)
        if right and self.found["bisection"] == expected["bisection"]:
            return exact("")
        return exact(f"found {self.found}, expected {expected}")


class _Measured(LabRung):
    """One topology of a lab."""

    def __init__(self, name: str, lab: Topology) -> None:
        """Take its name."""
        self._lab = lab
        lab.name = name

    def run(self) -> None:
        """Build the graph, and measure it."""
        self._lab.found = dict(zip(_FIGURES, self._lab.measured(), strict=True))


def topology(name: str) -> Callable[[Topology], LabRung]:
    """Return what makes the variant of this name."""
    return partial(_Measured, name)
