"""Materials of a deck: elasticity, density and thermal expansion, possibly anisotropic or temperature-dependent."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.cards import Card, Row
from rooftop.solvers.elasticity.deck.tables import Table, read_table
from rooftop.solvers.elasticity.deck.values import real
from rooftop.solvers.elasticity.mesh.arguments import Array
from rooftop.solvers.elasticity.mesh.elastic_law import VALUES, isotropic_matrices, matrices, upper

_ISOTROPIC = ("Young's modulus", "Poisson's ratio")
_ENGINEERING = ("E1", "E2", "E3", "nu12", "nu13", "nu23", "G12", "G13", "G23")
_ORTHOTROPIC = ("D1111", "D1122", "D2222", "D1133", "D2233", "D3333", "D1212", "D1313", "D2323")
_PAIRS = ("11", "22", "33", "12", "13", "23")
_ANISOTROPIC = tuple(f"D{_PAIRS[r]}{_PAIRS[c]}" for c in range(6) for r in range(c + 1))
# Positions of the nine orthotropic values among the 21.
_OF_ORTHOTROPIC = [_ANISOTROPIC.index(name) for name in _ORTHOTROPIC]
_TYPES = {
    "ISO": "ISOTROPIC",
    "ORTHO": "ORTHOTROPIC",
    "ANISO": "ANISOTROPIC",
}
_EXPANSIONS = {
    "ISOTROPIC": ("the expansion coefficient",),
    "ORTHOTROPIC": ("alpha11", "alpha22", "alpha33"),
    "ANISOTROPIC": tuple(f"alpha{pair}" for pair in _PAIRS),
}


@dataclass(frozen=True)
class Expansion:
    """Thermal expansion by a mean coefficient, relative to the temperature of zero strain.

    table  one coefficient, three along the material's axes, or six (11, 22, 33, 12, 13, 23), by temperature
    zero   temperature of zero strain
    """

    table: Table
    zero: float

    @property
    def is_isotropic(self) -> bool:
        """Whether all directions expand equally."""
        return len(self.table.values[0]) == 1

    def strains(self, temperatures: Array) -> Array:
        """Return the strains (…, 3, 3) along the material's axes at temperatures (…)."""
        values = self.table.at(temperatures) * (temperatures - self.zero)[..., None]
        result = np.zeros((*temperatures.shape, 3, 3))
        for axis in range(3):
            result[..., axis, axis] = values[..., axis % values.shape[-1]]
        for value, (a, b) in enumerate(((0, 1), (0, 2), (1, 2)), 3):
            if values.shape[-1] > 3:
                result[..., a, b] = result[..., b, a] = values[..., value]
        return result


@dataclass
class Material:
    """Properties of a material that have been read so far.

    elastic    Young's modulus and Poisson's ratio, or the 21 values of a stiffness along the material's axes
    density    density by temperature
    expands    the card of *EXPANSION
    """

    card: Card
    elastic: Table | None = None
    density: Table | None = None
    expands: Card | None = None

    @cached_property
    def expansion(self) -> Expansion | None:
        """Thermal expansion from the `*EXPANSION`, read only if temperatures change. Raises Misuse."""
        return None if self.expands is None else _expansion_of(self.expands)

    @property
    def is_directional(self) -> bool:
        """Whether the elasticity is anisotropic."""
        return self.elastic is not None and self.elastic.values.shape[1] == VALUES

    def stiffness(self, temperatures: Array) -> Array:
        """Return the stiffnesses (…, 6, 6) along the material's axes at temperatures (…)."""
        assert self.elastic is not None
        values = self.elastic.at(temperatures)
        return matrices(values) if self.is_directional else isotropic_matrices(values[..., 0], values[..., 1])


def read_elastic(card: Card, material: Material) -> None:
    """Read an `*ELASTIC`: isotropic, orthotropic, engineering constants or anisotropic. Raises Misuse."""
    card.require_only("TYPE", "MODULI", "DEPENDENCIES")
    kind = _type_of(card)
    if card.get("DEPENDENCIES") not in (None, "0"):
        raise card.refused("depends on fields, which is not supported; expected constants and a temperature")
    if kind == "ISOTROPIC":
        material.elastic = read_table(card, _ISOTROPIC, 0.0)
        for row, (young, poisson) in enumerate(material.elastic.values.tolist()):
            _require_isotropic(card.data[row].where, young, poisson)
        return
    if kind == "ENGINEERINGCONSTANTS":
        material.elastic = _of_engineering(read_table(card, _ENGINEERING))
    elif kind == "ORTHOTROPIC":
        given = read_table(card, _ORTHOTROPIC)
        values = np.zeros((len(given.values), VALUES))
        values[:, _OF_ORTHOTROPIC] = given.values
        material.elastic = given.of(values)
    elif kind == "ANISOTROPIC":
        material.elastic = read_table(card, _ANISOTROPIC)
    else:
        raise card.refused(
            f"with TYPE={kind} is not supported; expected ISOTROPIC, ORTHOTROPIC, ENGINEERING CONSTANTS or ANISOTROPIC"
        )
    _require_positive(card, material.elastic)


def _type_of(card: Card) -> str:
    kind = card.get("TYPE") or "ISOTROPIC"
    return _TYPES.get(kind, kind)


def _require_isotropic(where: str, young: float, poisson: float) -> None:
    if young <= 0:
        raise Misuse(f"{where}: Young's modulus is {young:g}; expected a number above 0")
    if not -1 < poisson < 0.5:
        raise Misuse(f"{where}: Poisson's ratio is {poisson:g}; expected a number above -1 and below 0.5")


def _of_engineering(table: Table) -> Table:
    """Return the stiffness for engineering constants; other programs interpolate it too, not the constants."""
    moduli = table.values[:, [0, 1, 2, 6, 7, 8]]
    if not (moduli > 0).all():
        raise table.card.refused(f"has a modulus {moduli[moduli <= 0][0]:g}; expected numbers above 0")
    compliance = np.zeros((len(moduli), 6, 6))
    for value in range(6):
        compliance[:, value, value] = 1 / moduli[:, value]
    for value, (a, b) in enumerate(((0, 1), (0, 2), (1, 2)), 3):
        compliance[:, a, b] = compliance[:, b, a] = -table.values[:, value] / moduli[:, a]
    _require_positive_matrices(table.card, compliance)
    stiffness: Array = np.linalg.inv(compliance).astype(np.float64)
    return table.of(upper(stiffness))


def _require_positive(card: Card, table: Table) -> None:
    _require_positive_matrices(card, matrices(table.values))


def _require_positive_matrices(card: Card, given: Array) -> None:
    for row, matrix in enumerate(given):
        with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
            scale = 1 / np.sqrt(np.abs(np.diagonal(matrix)))
            scaled = matrix * scale * scale[:, None]
        if not np.isfinite(scaled).all() or not np.linalg.eigvalsh(scaled)[0] > 0:
            which = f" of line {row + 1} of {len(given)}" if len(given) > 1 else ""
            raise card.refused(
                f"has a stiffness{which} that is not positive definite; expected constants that give every strain a "
                "positive energy"
            )


def read_density(card: Card, material: Material) -> None:
    """Read a `*DENSITY`. Raises Misuse."""
    card.require_only("DEPENDENCIES")
    if card.get("DEPENDENCIES") not in (None, "0"):
        raise card.refused("depends on fields, which is not supported; expected a density and a temperature")
    material.density = read_table(card, ("the density",))
    if (material.density.values < 0).any():
        lowest = material.density.values.min()
        raise Misuse(f"{card.data[0].where}: the density is {lowest:g}; expected a number of 0 or more")


def _expansion_of(card: Card) -> Expansion:
    """Read an `*EXPANSION`: isotropic, orthotropic or anisotropic. Raises Misuse."""
    card.require_only("TYPE", "ZERO", "DEPENDENCIES")
    kind = _type_of(card)
    if kind not in _EXPANSIONS:
        raise card.refused(f"with TYPE={kind} is not supported; expected ISO, ORTHO or ANISO")
    if card.get("DEPENDENCIES") not in (None, "0"):
        raise card.refused("depends on fields, which is not supported; expected constants and a temperature")
    zero = real(Row(card.line, [card.get("ZERO") or ""]), 0, "a temperature after ZERO=", 0.0)
    return Expansion(read_table(card, _EXPANSIONS[kind]), zero)
