"""A part, an instance or the model itself: nodes, elements, sets and surfaces with their own numbers."""

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

    kind    as decks name it, such as C3D8
    labels  (elements,)
    nodes   their numbers, (elements, nodes)
    """

    card: Card
    kind: str
    labels: Whole
    nodes: Whole


@dataclass(frozen=True)
class Member:
    """A part of a set: numbers, a range of them, or the name of another set.

    instance  that they are of; None: of the space that the set is of
    span      the first, the last and the step of a range
    """

    row: Row
    instance: str | None
    numbers: Whole | None = None
    name: str = ""
    span: range | None = None


@dataclass(frozen=True)
class Surface:
    """A named surface: of faces of elements, or of nodes.

    rows  of sets or numbers, and faces such as S1
    """

    card: Card
    of_nodes: bool
    rows: list[Row]


@dataclass(frozen=True)
class Section:
    """A set of elements with a material, or with what is no solid's section; and the name of its local axes."""

    card: Card
    elements: str
    material: str | None
    orientation: str | None = None


def _no_numbers() -> Whole:
    return np.empty(0, np.int64)


@dataclass
class Space:
    """What a part, an instance or the model itself has. Sets that are given twice have the members of both."""

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
        """Add to a set, which need not be there yet."""
        sets.setdefault(name, []).append(member)

    def placed(self, name: str, turn: NDArray[np.float64], shift: NDArray[np.float64]) -> Space:
        """Return a copy with nodes elsewhere: turned, and then shifted. What has a name may be added to either."""
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
