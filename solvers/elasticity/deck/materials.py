"""The materials of a deck: isotropic elasticity and density."""

from __future__ import annotations

from dataclasses import dataclass

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.cards import Card
from rooftop.solvers.elasticity.deck.values import real


@dataclass
class Material:
    """What is known of a material so far.

    expansion  of length for each degree; None: it has none
    expands    the card that says so
    """

    card: Card
    young: float | None = None
    poisson: float | None = None
    density: float | None = None
    expansion: float | None = None
    expands: Card | None = None


def read_elastic(card: Card, material: Material) -> None:
    """Take an `*ELASTIC` that is isotropic and does not depend on temperature."""
    card.require_only("TYPE", "MODULI", "DEPENDENCIES")
    kind = card.get("TYPE") or "ISO"
    if kind not in ("ISO", "ISOTROPIC"):
        raise card.refused(f"with TYPE={kind} is not supported; expected an isotropic material")
    if card.get("DEPENDENCIES") not in (None, "0"):
        raise card.refused("depends on fields, which is not supported; expected one line of constants")
    rows = list(card.rows())
    if not rows:
        raise card.refused("has no constants; expected Young's modulus and Poisson's ratio")
    constants = {(real(row, 0, "Young's modulus"), real(row, 1, "Poisson's ratio", 0.0)) for row in rows}
    if len(constants) > 1:
        raise card.refused(f"depends on temperature, by {len(rows)} lines, which is not supported; expected one line")
    [(young, poisson)] = constants
    if young <= 0:
        raise Misuse(f"{rows[0].where}: Young's modulus is {young:g}; expected a number above 0")
    if not -1 < poisson < 0.5:
        raise Misuse(f"{rows[0].where}: Poisson's ratio is {poisson:g}; expected a number above -1 and below 0.5")
    material.young, material.poisson = young, poisson


def read_density(card: Card, material: Material) -> None:
    """Take a `*DENSITY` that does not depend on temperature."""
    card.require_only("DEPENDENCIES")
    rows = list(card.rows())
    if not rows:
        raise card.refused("has no value; expected one")
    values = {real(row, 0, "the density") for row in rows}
    if len(values) > 1:
        raise card.refused(f"depends on temperature, by {len(rows)} lines, which is not supported; expected one line")
    [density] = values
    if density < 0:
        raise Misuse(f"{rows[0].where}: the density is {density:g}; expected a number of 0 or more")
    material.density = density


def read_expansion(card: Card, material: Material) -> None:
    """Take an `*EXPANSION`. It matters where a step is warmer than the start alone, and is checked there."""
    material.expands = card
    rows = list(card.rows())
    kind = card.get("TYPE") or "ISO"
    if kind in ("ISO", "ISOTROPIC") and len({tuple(row.fields) for row in rows}) == 1:
        material.expansion = real(rows[0], 0, "the expansion for each degree")
