"""The material of each element, by the sections of a deck."""

from __future__ import annotations

import numpy as np

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.checked_mesh import Array, Whole
from rooftop.solvers.elasticity.deck.body import Body
from rooftop.solvers.elasticity.deck.cards import Row, shown
from rooftop.solvers.elasticity.deck.kinds import MASSES, SOLIDS
from rooftop.solvers.elasticity.deck.materials import Material
from rooftop.solvers.elasticity.deck.space import Section


class Properties:
    """Which material each element has; the last section counts where an element has two."""

    def __init__(self, body: Body) -> None:
        self._body = body
        self._materials: list[Material] = []
        self._of: Whole = np.full(body.elements_count, -1, dtype=np.int64)
        for space in body.deck.spaces:
            for section in space.sections:
                elements = body.elements_named(Row(section.card.line, []), section.elements, space)
                self._require_solids(section, elements)
                if section.material is not None:
                    self._of[elements] = self._number(section)

    def _number(self, section: Section) -> int:
        name = section.material
        assert name is not None
        material = self._body.deck.materials.get(name)
        if material is None:
            names = ", ".join(sorted(self._body.deck.materials)) or "none"
            raise section.card.refused(f"has material {shown(name)}, which is not defined; expected one of: {names}")
        for number, other in enumerate(self._materials):
            if other is material:
                return number
        self._materials.append(material)
        return len(self._materials) - 1

    def _require_solids(self, section: Section, elements: Whole) -> None:
        """Raise Misuse for a section that gives stiffness to what is not solved for."""
        for block, rows in self._body.by_block(elements):
            if block.kind not in MASSES and (section.material is None or block.kind not in SOLIDS):
                name = self._body.element_name(block.first + int(rows[0]))
                raise section.card.refused(
                    f"gives stiffness to element {name}, a {block.kind}, which is not supported; "
                    f"expected {', '.join(SOLIDS)}"
                )

    @property
    def any(self) -> bool:
        """Whether a section gives an element a material."""
        return bool((self._of >= 0).any())

    def elastic(self, elements: Whole) -> tuple[Array, Array]:
        """Return Young's moduli and Poisson's ratios of elements. Raises Misuse where one has none."""
        of = self._of[elements]
        if (of < 0).any():
            lost = self._body.element_name(int(elements[np.argmax(of < 0)]))
            raise Misuse(f"{self._body.deck.path}: element {lost} has no *SOLID SECTION; expected one for each solid")
        for number in np.unique(of):
            material = self._materials[number]
            if material.young is None:
                raise material.card.refused("has no *ELASTIC; expected an isotropic one")
        constants = np.array([(one.young or 0, one.poisson or 0) for one in self._materials]).reshape(-1, 2)
        return constants[of, 0], constants[of, 1]

    def expansions(self, elements: Whole) -> Array:
        """Return how far elements expand, for each degree. Raises Misuse where that is not one number."""
        of = self._of[elements]
        for number in np.unique(of[of >= 0]):
            material = self._materials[number]
            if material.expands is not None and material.expansion is None:
                raise material.expands.refused(
                    "with *TEMPERATURE is not supported, as it depends on temperature or direction; expected one number"
                )
        every = np.array([*(one.expansion or 0.0 for one in self._materials), 0.0])
        found: Array = every[of]
        return found

    def densities(self, row: Row, elements: Whole) -> Array:
        """Return the densities of elements. Raises Misuse where a material has none."""
        of = self._of[elements]
        if (of < 0).any():
            lost = self._body.element_name(int(elements[np.argmax(of < 0)]))
            raise Misuse(
                f"{row.where}: gravity acts on element {lost}, which has no section; expected a *SOLID SECTION"
            )
        for number in np.unique(of):
            if self._materials[number].density is None:
                where = self._materials[number].card
                raise Misuse(
                    f"{row.where}: gravity acts on the material of {where.where}, which has no *DENSITY; expected one"
                )
        return np.array([one.density or 0.0 for one in self._materials])[of]
