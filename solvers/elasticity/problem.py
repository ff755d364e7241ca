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
from rooftop.text.quantities import size

Value = TypeVar("Value", bound=np.generic)


@dataclass(frozen=True, kw_only=True)
class Problem(ABC):
    """Base class of box and mesh problems, whose arrays have different shapes.

    load, held    three values for each node
    prescribed    prescribed displacements where `held` is true, three values for each node; None: zero
    young         Young's modulus: a single value, or a flat array with one value for each element
    poisson       Poisson's ratio, likewise
    initial       stress at the centre of each undeformed element, (elements, 3, 3); None: zero
    iterations    maximum number of iterations given in the file; None: not given
    threads       number of threads of all ranks together given in the file; None: not given
    parts         division of a box among ranks given in the file; None: not given
    exact         exact displacement, if it is known
    remarks       what in the file was ignored or interpreted
    hint          possible reason why the body is free to move, to append to that message; empty if none is known
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
        """Number of nodes."""
        return self.held.size // 3

    @property
    def unknowns(self) -> int:
        """Number of displacement components that are not prescribed."""
        return int(self.held.size - np.count_nonzero(self.held))

    @property
    def not_shared(self) -> str:
        """Why the body cannot be solved by MPI ranks; empty if it can."""
        return "" if self.prescribed is None else "the file prescribes displacements other than 0"

    @property
    @abstractmethod
    def elements_count(self) -> int:
        """Number of elements."""

    @property
    @abstractmethod
    def size(self) -> str:
        """Size of the body in words: the number of nodes and, for a mesh, of elements of each kind."""

    @property
    @abstractmethod
    def grid(self) -> tuple[int, int, int] | None:
        """Number of nodes of a box along x, y and z; None for a mesh."""

    @abstractmethod
    def bytes_per_node(self, preconditioner: Preconditioner) -> int:
        """Return the memory that the solver needs per node, in bytes."""

    def bytes_of_ranks(self, preconditioner: Preconditioner, ranks: int) -> int:
        """Return the additional memory per node if the body is solved by `ranks` ranks, in bytes."""
        return 0

    @abstractmethod
    def solved(self, **options: Any) -> Solution:
        """Solve, with the options of `rooftop.solvers.elasticity.solve`."""

    def true_residual(self, displacement: NDArray[np.float64], count: int | None) -> TrueResidual:
        """Recompute the residual independently of the solver, at a sample of `count` nodes; None: at all nodes.

        It is relative to the load, which includes the forces of prescribed displacements.
        """
        found = self.residual_of_load(displacement, count)
        rest = self.at_rest()
        if rest is None:
            return found
        whole = self.residual_of_load(rest, None).residual or 1.0
        return TrueResidual(found.residual / whole, found.rounding / whole, found.nodes)

    def at_rest(self) -> NDArray[np.float64] | None:
        """Return the displacement with the prescribed values and 0 elsewhere; None if it is 0 everywhere."""
        return None if self.prescribed is None else np.where(self.held, self.prescribed, 0.0)

    def broken(self, displacement: NDArray[np.float64]) -> str | None:
        """Return, in words, which support a displacement violates; None if it satisfies all."""
        wanted = 0.0 if self.prescribed is None else self.prescribed[self.held]
        if np.any(displacement[self.held] != wanted):
            return (
                "a node that is held has moved" if self.prescribed is None else "a prescribed displacement has changed"
            )
        return None

    @abstractmethod
    def residual_of_load(self, displacement: NDArray[np.float64], count: int | None) -> TrueResidual:
        """Return the residual, relative to the load alone, at a sample of `count` nodes; None: at all nodes."""

    @abstractmethod
    def von_mises(self, displacement: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the equivalent stress at the centre of each element."""

    @abstractmethod
    def cells(self) -> list[tuple[str, NDArray[np.int64]]]:
        """Return meshio's name and the cells, (elements, nodes per element), of each kind, in the file's order."""

    @abstractmethod
    def by_node(self, values: NDArray[Value]) -> NDArray[Value]:
        """Return values at nodes in the file's order, (nodes, 3)."""

    @abstractmethod
    def by_element(self, values: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """Return values of elements in the order of `cells`: (elements,) for each kind."""

    @property
    @abstractmethod
    def places(self) -> NDArray[np.float64]:
        """Coordinates of the nodes, three values for each."""

    @abstractmethod
    def outer_faces(self, values: NDArray[np.float64]) -> OuterFaces:
        """Return the outer faces for a plot, with three values for each node, such as displacements."""


@dataclass(frozen=True)
class Piece:
    """Part of a body and of its solution that belongs to one rank.

    problem    the nodes and elements of the part; its loads and supports are not used
    von_mises  equivalent stress at the centres of the elements
    """

    rank: int
    problem: Problem
    displacement: NDArray[np.float64]
    von_mises: NDArray[np.float64]


# Bytes per node: load, supports and displacement in Python, and six vectors of the solver.
_AT_LEAST = 24 + 3 + 24 + 6 * 24
_COORDINATES = 24
# Ranks read these arrays from files, copy them with a halo and write the result; temporary files may use memory too.
_OF_RANKS = 3 * (24 + 3 + 24) + 64


def _require(where: str, named: str, count: int, bytes_per_node: int, available: int, instead: str) -> None:
    need = count * bytes_per_node
    if need > available:
        raise Misuse(
            f"{where}: {named} need at least {size(need)} of memory, but only "
            f"{size(available)} is available; expected {instead}"
        )


def require_memory(where: str, named: str, count: int, available: int, *, coordinates: bool) -> None:
    """Raise Misuse if the arrays of the nodes alone exceed the available memory.

    named  the nodes in words, such as "3 x 3 x 3 nodes"
    """
    _require(where, named, count, _AT_LEAST + (_COORDINATES if coordinates else 0), available, "fewer nodes")


def require_memory_to_solve(
    where: str, problem: Problem, preconditioner: Preconditioner, available: int, ranks: int | None = None
) -> None:
    """Raise Misuse if the memory is not sufficient for the solver; the body itself is already in memory."""
    need = problem.bytes_per_node(preconditioner)
    if ranks is not None:
        need += _OF_RANKS + problem.bytes_of_ranks(preconditioner, ranks)
    instead = "fewer nodes" if preconditioner == "none" else "fewer nodes, or --preconditioner none"
    _require(where, problem.size, problem.nodes_count, need, available, instead)
