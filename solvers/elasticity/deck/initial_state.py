"""Initial stresses and plastic strains, from `*INITIAL CONDITIONS`."""

from __future__ import annotations

import numpy as np

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.body import Body
from rooftop.solvers.elasticity.deck.cards import Card, Row, name_of
from rooftop.solvers.elasticity.deck.kinds import SOLIDS
from rooftop.solvers.elasticity.deck.values import is_whole, real, whole
from rooftop.solvers.elasticity.mesh.arguments import Array, Whole
from rooftop.solvers.elasticity.mesh.reference_element import reference

_NAMES = ("xx", "yy", "zz", "xy", "xz", "yz")


class InitialState:
    """Initial stresses and plastic strains at integration points.

    stresses, strains  by the index of the block: (points, elements, 6), along the global axes; shear strains are tensor
                       components
    along_local_axes   lines in Abaqus's form, whose stresses are along local axes if there are any, and their elements
    """

    def __init__(self, body: Body) -> None:
        self._body = body
        self.stresses: dict[int, Array] = {}
        self.strains: dict[int, Array] = {}
        self.along_local_axes: list[tuple[Row, Whole]] = []
        for card in body.deck.initial:
            self._take(card)

    def _take(self, card: Card) -> None:
        card.require_only("TYPE")
        is_stress = card.get("TYPE") == "STRESS"
        to, what = (self.stresses, "a stress") if is_stress else (self.strains, "a plastic strain")
        for row in card.rows():
            everywhere = is_stress and not is_whole(row.field(1))
            first = 1 if everywhere else 2
            if any(row.fields[first + len(_NAMES) :]):
                what = "an element" if everywhere else "an element, a point"
                raise Misuse(f"{row.where}: {len(row.fields)} fields; expected {what} and {len(_NAMES)} values")
            if not everywhere and not is_whole(row.field(1)):
                raise Misuse(
                    f"{row.where}: {row.field(1)!r} is not an integration point; expected an element, a point of 1 or "
                    "more, and six values"
                )
            values = np.array([real(row, first + value, f"{what} {name}", 0.0) for value, name in enumerate(_NAMES)])
            point = None if everywhere else whole(row, 1, "an integration point of 1 or more")
            self._set(row, point, values, to)

    def _set(self, row: Row, point: int | None, values: Array, to: dict[int, Array]) -> None:
        """Set the values at an integration point, in CalculiX's order; None, as in decks of Abaqus: at all points."""
        elements = self._body.elements_named(row, name_of(row.field(0)))
        for block, rows in self._body.by_block(elements):
            if block.kind not in SOLIDS:
                name = self._body.element_name(block.first + int(rows[0]))
                raise Misuse(f"{row.where}: element {name} is a {block.kind}; expected a solid: {', '.join(SOLIDS)}")
            points = len(reference(SOLIDS[block.kind]).points)
            if point is not None and not 1 <= point <= points:
                raise Misuse(f"{row.where}: a {block.kind} has no integration point {point}; expected 1 to {points}")
            number = next(number for number, other in enumerate(self._body.blocks) if other is block)
            here = to.setdefault(number, np.zeros((points, len(block.labels), len(_NAMES))))
            here[slice(None) if point is None else point - 1, rows] = values
        if point is None:
            self.along_local_axes.append((row, elements))
