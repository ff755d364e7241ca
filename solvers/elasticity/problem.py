"""A problem read from a file: a body with supports, loads and materials."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.box.outer_faces import OuterFaces
from rooftop.solvers.elasticity.box.residual import TrueResidual
from rooftop.solvers.elasticity.solution import Parts, Preconditioner, Solution
from rooftop.text.quantities import size, whole

Value = TypeVar("Value", bound=np.generic)


@dataclass(frozen=True, kw_only=True)
class Problem(ABC):
    """Base of box and mesh problems, whose arrays have different shapes.

    load, held    three values for each node
    prescribed    displacements where they are held, three values for each node; None: 0
    young         Young's modulus, a single value or one for each element, flat; likewise Poisson's ratio
    initial       stress at the centre of each element without any displacement, (elements, 3, 3); None: none
    iterations    that the file allows; None: it does not say
    threads       that the file asks for, of all ranks together; None: it does not say
    parts         of a box, one for each rank, that the file asks for; None: it does not say
    exact         the exact displacement, where it is known
    remarks       what of the file is not read, or taken otherwise
    hint          where the body is free to move: why it may be, or nothing
    """

    name: str
    young: NDArray[np.float64]
    poisson: NDArray[np.float64]
    load: NDArray[np.float64]
    held: NDArray[np.bool_]
    prescribed: NDArray[np.float64] | None = None
    initial: NDArray[np.float64] | None = None
    iterations: int | None = None
    threads: int | None = None
    parts: Parts | None = None
    exact: NDArray[np.float64] | None = None
    remarks: list[str] = field(default_factory=list)
    hint: str = ""

    @property
    def nodes_count(self) -> int:
        """How many nodes there are."""
        return self.held.size // 3

    @property
    def unknowns(self) -> int:
        """How many displacements are not held."""
        return int(self.held.size - np.count_nonzero(self.held))

    @property
    def not_shared(self) -> str:
        """Why ranks cannot share the body; empty where they can."""
        return "" if self.prescribed is None else "displacements other than 0 are prescribed"

    @property
    @abstractmethod
    def elements_count(self) -> int:
        """How many elements there are."""

    @property
    @abstractmethod
    def size(self) -> str:
        """How large the body is, in words: nodes, and elements where there are several kinds."""

    @property
    @abstractmethod
    def grid(self) -> tuple[int, int, int] | None:
        """The nodes of a box along x, y and z; None of a mesh."""

    @abstractmethod
    def bytes_per_node(self, preconditioner: Preconditioner) -> int:
        """Return how much memory the solver takes for each node."""

    def bytes_of_ranks(self, preconditioner: Preconditioner, ranks: int) -> int:
        """Return how much more memory each node takes where so many ranks share the body."""
        return 0

    @abstractmethod
    def solved(self, **options: Any) -> Solution:
        """Return the displacement, with options of `rooftop.solvers.elasticity.solve`."""

    def true_residual(self, displacement: NDArray[np.float64], count: int | None) -> TrueResidual:
        """Return the residual apart from the solver, at a sample of so many nodes; None: at all.

        It is relative to the load, which forces of prescribed displacements are part of.
        """
        found = self.residual_of_load(displacement, count)
        rest = self.at_rest()
        if rest is None:
            return found
        whole = self.residual_of_load(rest, None).residual or 1.0
        return TrueResidual(found.residual / whole, found.rounding / whole, found.nodes)

    def at_rest(self) -> NDArray[np.float64] | None:
        """Return the displacement that supports prescribe, and elsewhere 0; None: it is 0."""
        return None if self.prescribed is None else np.where(self.held, self.prescribed, 0.0)

    def broken(self, displacement: NDArray[np.float64]) -> str | None:
        """Return which support a displacement does not keep, in words; None where it keeps all."""
        wanted = 0.0 if self.prescribed is None else self.prescribed[self.held]
        if np.any(displacement[self.held] != wanted):
            return (
                "a node that is held has moved" if self.prescribed is None else "a prescribed displacement has changed"
            )
        return None

    @abstractmethod
    def residual_of_load(self, displacement: NDArray[np.float64], count: int | None) -> TrueResidual:
        """Return the residual, relative to the load alone, at a sample of so many nodes; None: at all."""

    @abstractmethod
    def von_mises(self, displacement: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the equivalent stress at the centre of each element."""

    @abstractmethod
    def cells(self) -> list[tuple[str, NDArray[np.int64]]]:
        """Return the nodes of elements, (elements, corners) of each kind as meshio names it, in the file's order."""

    @abstractmethod
    def by_node(self, values: NDArray[Value]) -> NDArray[Value]:
        """Return what nodes have in the file's order: (nodes, 3)."""

    @abstractmethod
    def by_element(self, values: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """Return what elements have in the order of `cells`: (elements,) of each kind."""

    @property
    @abstractmethod
    def places(self) -> NDArray[np.float64]:
        """Where the nodes are: three values for each."""

    @abstractmethod
    def outer_faces(self, values: NDArray[np.float64]) -> OuterFaces:
        """Return what is drawn of the body, with three values for each node, such as displacements."""


@dataclass(frozen=True)
class Piece:
    """Part of a body and its displacement that one rank has.

    problem    with places and elements alone
    von_mises  at the elements' centres
    """

    rank: int
    problem: Problem
    displacement: NDArray[np.float64]
    von_mises: NDArray[np.float64]


# Bytes a node. Loads, supports and displacements here, and six vectors of the solver.
_AT_LEAST = 24 + 3 + 24 + 6 * 24
_COORDINATES = 24
# What ranks read, have a second time with the nodes beside their own, and write: files are in memory too.
_OF_RANKS = 3 * (24 + 3 + 24) + 64


def _require(where: str, named: str, count: int, bytes_per_node: int, available: int, instead: str) -> None:
    need = count * bytes_per_node
    if need > available:
        raise Misuse(
            f"{where}: {named} are {whole(count)} and need at least {size(need)} of memory, and {size(available)} are "
            f"available; expected {instead}"
        )


def require_memory(where: str, named: str, count: int, available: int, *, coordinates: bool) -> None:
    """Raise Misuse if the nodes alone exceed the available memory.

    named  the nodes in words, such as "3 x 3 x 3 nodes"
    """
    _require(where, named, count, _AT_LEAST + (_COORDINATES if coordinates else 0), available, "fewer nodes")


def require_memory_to_solve(
    where: str, problem: Problem, preconditioner: Preconditioner, available: int, ranks: int | None = None
) -> None:
    """Raise Misuse for a body for which the solver will not have memory. The body itself is there already."""
    need = problem.bytes_per_node(preconditioner)
    if ranks is not None:
        need += _OF_RANKS + problem.bytes_of_ranks(preconditioner, ranks)
    instead = "fewer nodes" if preconditioner == "none" else "fewer nodes, or --preconditioner none"
    _require(where, problem.size, problem.nodes_count, need, available, instead)
