"""Nodes, elements, sets and surfaces of a part, an instance or the model itself, with their own numbers."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity.deck.cards import Card, Row
from rooftop.solvers.elasticity.deck.orientation import Orientation
from rooftop.solvers.elasticity.mesh.arguments import Array, Whole


@dataclass
class Elements:
    """Elements of one card.

    kind    element type in decks, such as C3D8
    labels  element numbers, (elements,)
    nodes   node numbers, (elements, nodes per element)
    """

    card: Card
    kind: str
    labels: Whole
    nodes: Whole


@dataclass(frozen=True)
class Member:
    """Members of a set: numbers, a range, or the name of another set.

    instance  instance of the members; None: the space of the set itself
    span      range of numbers, which need not all exist
    """

    row: Row
    instance: str | None
    numbers: Whole | None = None
    name: str = ""
    span: range | None = None


@dataclass(frozen=True)
class Surface:
    """A named surface of element faces or of nodes.

    rows  data lines: sets or numbers, and faces such as S1
    """

    card: Card
    of_nodes: bool
    rows: list[Row]


@dataclass(frozen=True)
class Section:
    """The element set of a section and its material; None: a section of elements other than solids."""

    card: Card
    elements: str
    material: str | None
    orientation: str | None = None


def _no_numbers() -> Whole:
    return np.empty(0, np.int64)


@dataclass
class Space:
    """Contents of a part, an instance or the model itself. A set given twice has the members of both cards."""

    name: str
    labels: list[Whole] = field(default_factory=list)
    places: list[Array] = field(default_factory=list)
    elements: list[Elements] = field(default_factory=list)
    node_sets: dict[str, list[Member]] = field(default_factory=dict)
    element_sets: dict[str, list[Member]] = field(default_factory=dict)
    surfaces: dict[str, Surface] = field(default_factory=dict)
    sections: list[Section] = field(default_factory=list)
    orientations: dict[str, Orientation] = field(default_factory=dict)
    is_turned: bool = False

    def add_to_set(self, sets: dict[str, list[Member]], name: str, member: Member) -> None:
        """Add a member to a set, which is created if necessary."""
        sets.setdefault(name, []).append(member)

    def placed(self, name: str, turn: NDArray[np.float64], shift: NDArray[np.float64]) -> Space:
        """Return a copy with rotated, then shifted nodes. Additions to sets of one do not change the other."""
        return Space(
            name,
            list(self.labels),
            [places @ turn.T + shift for places in self.places],
            list(self.elements),
            {key: list(members) for key, members in self.node_sets.items()},
            {key: list(members) for key, members in self.element_sets.items()},
            dict(self.surfaces),
            list(self.sections),
            {key: orientation.placed(turn, shift) for key, orientation in self.orientations.items()},
            bool((turn != np.eye(3)).any()),
        )
