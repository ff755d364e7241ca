"""Material and local axes of each element, from the sections of a deck."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.body import Block, Body
from rooftop.solvers.elasticity.deck.cards import Row, shown
from rooftop.solvers.elasticity.deck.kinds import MASSES, SOLIDS
from rooftop.solvers.elasticity.deck.materials import Material
from rooftop.solvers.elasticity.deck.orientation import Orientation
from rooftop.solvers.elasticity.deck.space import Section, Space
from rooftop.solvers.elasticity.deck.tables import Table
from rooftop.solvers.elasticity.deck.temperatures import Temperatures, shares
from rooftop.solvers.elasticity.mesh.arguments import Array, Whole


@dataclass(frozen=True)
class Property:
    """Properties of a section's elements; `orientation` None: the global axes."""

    section: Section
    material: Material
    orientation: Orientation | None


class Properties:
    """Material and local axes of each element; the last section applies to an element with several."""

    def __init__(self, body: Body, temperatures: Temperatures) -> None:
        self._body = body
        self.temperatures = temperatures
        self._properties: list[Property] = []
        self._of: Whole = np.full(body.elements_count, -1, dtype=np.int64)
        for space in body.deck.spaces:
            for section in space.sections:
                elements = self._elements(section, space)
                self._require_solids(section, elements)
                if section.material is not None:
                    self._of[elements] = self._number(section, space)

    def _elements(self, section: Section, space: Space) -> Whole:
        """Return the elements of a section. A section of other elements may name an undefined set if there are none."""
        others = any(block.kind not in SOLIDS and len(block.labels) for block in self._body.blocks)
        if section.material is None and section.elements not in space.element_sets and not others:
            return np.empty(0, np.int64)
        return self._body.elements_named(Row(section.card.line, []), section.elements, space)

    def _number(self, section: Section, space: Space) -> int:
        name = section.material
        assert name is not None
        material = self._body.deck.materials.get(name)
        if material is None:
            names = ", ".join(sorted(self._body.deck.materials)) or "none"
            raise section.card.refused(f"has material {shown(name)}, which is not defined; expected one of: {names}")
        self._properties.append(Property(section, material, self._orientation(section, space, material)))
        return len(self._properties) - 1

    def _orientation(self, section: Section, space: Space, material: Material) -> Orientation | None:
        name = section.orientation
        if name is None:
            if space.is_turned and material.is_directional:
                raise section.card.refused(
                    "has no ORIENTATION, but its material is anisotropic and its instance is rotated; "
                    "expected an ORIENTATION"
                )
            return None
        found = space.orientations.get(name) or self._body.deck.root.orientations.get(name)
        if found is None:
            names = ", ".join(sorted({*space.orientations, *self._body.deck.root.orientations})) or "none"
            raise section.card.refused(f"has orientation {shown(name)}, which is not defined; expected one of: {names}")
        return found

    def _require_solids(self, section: Section, elements: Whole) -> None:
        """Raise Misuse for a section that gives stiffness to unsupported elements."""
        for block, rows in self._body.by_block(elements):
            if block.kind not in MASSES and (section.material is None or block.kind not in SOLIDS):
                name = self._body.element_name(block.first + int(rows[0]))
                raise section.card.refused(
                    f"gives stiffness to element {name}, a {block.kind}, which is not supported; "
                    f"expected {', '.join(SOLIDS)}"
                )

    @property
    def any(self) -> bool:
        """Whether any element has a material."""
        return bool((self._of >= 0).any())

    def of_solids(self, elements: Whole) -> Iterator[tuple[Block, Whole, Property]]:
        """Yield groups of elements with the same property: their block, their rows in it, and the property.

        Raises Misuse if an element has no section, or a material has no elasticity.
        """
        of = self._of[elements]
        if (of < 0).any():
            lost = self._body.element_name(int(elements[np.argmax(of < 0)]))
            raise Misuse(f"{self._body.deck.path}: element {lost} has no *SOLID SECTION; expected one for each solid")
        for block, rows in self._body.by_block(elements):
            numbers = self._of[block.first + rows]
            for number in np.unique(numbers):
                found = self._properties[number]
                if found.material.elastic is None:
                    raise found.material.card.refused("has no *ELASTIC; expected an *ELASTIC after it")
                self._require_temperature(found.material.elastic)
                yield block, rows[numbers == number], found

    def require_global_axes(self, row: Row, elements: Whole) -> None:
        """Raise Misuse if an element has local axes."""
        for number in np.unique(self._of[elements]).tolist():
            if number >= 0 and self._properties[number].orientation is not None:
                raise Misuse(
                    f"{row.where}: initial stresses without an integration point are along the local axes of the "
                    "section, which is not supported; expected an element, an integration point and six stresses "
                    "along the global axes"
                )

    def _require_temperature(self, table: Table) -> None:
        """Raise Misuse if values depend on temperature and the deck gives none.

        Abaqus assumes 0, and CalculiX the first temperature of the table.
        """
        if not table.is_constant and not self.temperatures.given and table.temperatures[0] < 0:
            raise table.card.refused(
                "depends on temperature, but no temperature is given; expected *INITIAL CONDITIONS, TYPE=TEMPERATURE"
            )

    def densities(self, row: Row, block: Block, rows: Whole) -> Array:
        """Return the densities of some elements of a block at their integration points, (points or 1, elements).

        Raises Misuse if an element has no section, or its material no density.
        """
        of = self._of[block.first + rows]
        if (of < 0).any():
            lost = self._body.element_name(block.first + int(rows[np.argmax(of < 0)]))
            raise Misuse(
                f"{row.where}: the load needs a density, but element {lost} has no section; expected a *SOLID SECTION"
            )
        tables = {number: self._density(row, self._properties[number].material) for number in np.unique(of).tolist()}
        warm = shares(SOLIDS[block.kind], mass=True) @ self.temperatures.after[block.nodes[rows]].T
        result = np.empty((1 if all(table.is_constant for table in tables.values()) else len(warm), len(rows)))
        for number, table in tables.items():
            result[:, of == number] = table.at(warm[: len(result), of == number])[..., 0]
        return result

    def _density(self, row: Row, material: Material) -> Table:
        if material.density is None:
            raise Misuse(
                f"{row.where}: the load needs a density, but the material of {material.card.where} has no *DENSITY; "
                "expected a *DENSITY"
            )
        self._require_temperature(material.density)
        return material.density
