"""Collect the equations between displacements of a deck, in the nodes' local directions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.body import Body
from rooftop.solvers.elasticity.deck.supports import Supports
from rooftop.solvers.elasticity.deck.turns import Turns
from rooftop.solvers.elasticity.mesh.arguments import Array, Whole
from rooftop.solvers.elasticity.mesh.constraints import Constraints

Term = tuple[int, int, float]  # a node, a direction counted from 0, and a factor


@dataclass
class Links:
    """Equations between displacements, by indices of the body's nodes.

    supports  prescribed displacements of the step, in the nodes' local directions
    """

    body: Body
    turns: Turns
    supports: Supports
    constraints: Constraints = field(default_factory=Constraints)
    remarks: list[str] = field(default_factory=list)
    _first: dict[tuple[int, int], str] = field(default_factory=dict)

    def add(self, terms: Sequence[Term], value: float, where: str) -> None:
        """Add an equation that determines its first term. Raises Misuse if that is held or already determined."""
        node, direction, _ = terms[0]
        name = f"direction {direction + 1} of node {self.body.node_name(node)}"
        if self.supports.held[node, direction]:
            raise Misuse(
                f"{where}: the equation's first term is {name}, which *BOUNDARY holds; expected a free one first"
            )
        if (node, direction) in self._first:
            raise Misuse(
                f"{where}: the equation's first term is {name}, as in the equation of {self._first[node, direction]}; "
                "expected another displacement first"
            )
        self._first[node, direction] = where
        self.add_any(terms, value, where)

    def is_free(self, node: int, direction: int) -> bool:
        """Whether a direction of a node is neither held nor the first term of an equation."""
        held = node < len(self.supports.held) and bool(self.supports.held[node, direction])
        return not held and (node, direction) not in self._first

    def determine(self, node: int, direction: int, where: str) -> None:
        """Record that an equation determines a direction of a node."""
        self._first[node, direction] = where

    def add_any(self, terms: Sequence[Term], value: float, where: str) -> None:
        """Add an equation in the nodes' local directions; its first term need not be free."""
        numbers: list[int] = []
        factors: list[float] = []
        turned = self.turns.turned(np.array([node for node, _, _ in terms], np.int64))
        for (node, direction, factor), is_turned in zip(terms, turned.tolist(), strict=True):
            if not is_turned:
                numbers.append(3 * node + direction)
                factors.append(factor)
                continue
            along = self.turns.directions(node)[:, direction]
            first = int(np.argmax(np.abs(along)))  # the component that becomes dependent
            for axis in (first, *(other for other in range(3) if other != first)):
                if along[axis] != 0:
                    numbers.append(3 * node + axis)
                    factors.append(factor * float(along[axis]))
        self.constraints.add(numbers, factors, value, where)

    def add_in_space(self, terms: Sequence[Term], value: float, where: str) -> None:
        """Add an equation along x, y and z."""
        self.constraints.add(
            [3 * node + axis for node, axis, _ in terms], [factor for _, _, factor in terms], value, where
        )

    def held_in_space(self) -> tuple[NDArray[np.bool_], Array]:
        """Return the mask and values of displacements held along x, y and z; other directions become equations."""
        added = ((0, self.body.nodes_count - len(self.supports.held)), (0, 0))
        held, values = np.pad(self.supports.held, added), np.pad(self.supports.values, added)
        nodes = np.flatnonzero(held.any(axis=1))
        for node in nodes[self.turns.turned(nodes)].tolist():
            if held[node].all() and not values[node].any():
                continue
            directions = self.turns.directions(node)
            if held[node].all():
                values[node] = directions @ values[node]
                continue
            for direction in np.flatnonzero(held[node]).tolist():
                name = f"direction {direction + 1} of node {self.body.node_name(node)}, which is held"
                self.add_any([(node, direction, 1.0)], float(values[node, direction]), name)
            held[node], values[node] = False, 0.0
        return held, values


def renumbered(constraints: Constraints, index: Whole) -> Constraints:
    """Return the equations with nodes renumbered by `index`."""
    return Constraints(
        [{3 * int(index[n // 3]) + n % 3: factor for n, factor in row.items()} for row in constraints.rows],
        constraints.values,
        constraints.where,
        {3 * int(index[n // 3]) + n % 3 for n in constraints.rotations},
    )
