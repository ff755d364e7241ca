"""Local axes of materials: `*ORIENTATION`, rectangular or cylindrical."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.cards import Card, Row
from rooftop.solvers.elasticity.deck.instances import rotation
from rooftop.solvers.elasticity.deck.values import real, whole
from rooftop.solvers.elasticity.mesh.arguments import Array

_PARALLEL = 1e-12  # sine of an angle below which vectors count as parallel


@dataclass(frozen=True)
class Orientation:
    """An `*ORIENTATION`, and the position of its instance: x becomes turn @ x + shift."""

    card: Card
    turn: NDArray[np.float64]
    shift: NDArray[np.float64]

    @classmethod
    def of(cls, card: Card) -> Orientation:
        """Return the orientation of a card outside of instances."""
        return cls(card, np.eye(3), np.zeros(3))

    def placed(self, turn: NDArray[np.float64], shift: NDArray[np.float64]) -> Orientation:
        """Return the orientation in an instance with this rotation and shift."""
        return replace(self, turn=turn @ self.turn, shift=turn @ self.shift + shift)

    @property
    def is_cylindrical(self) -> bool:
        """Whether the axes depend on the position."""
        return self.card.get("SYSTEM") == "CYLINDRICAL"

    def axes(self, places: Array, *, anyhow: bool = False) -> Array:
        """Return the local axes, the rows of (…, 3, 3), at places (…, 3). Raises Misuse.

        Rectangular: the first axis points to a, and b lies in the plane of the first two. Cylindrical: the axis goes
        from a to b; the local axes are radial, circumferential and axial. With `anyhow`, a place on the axis gets an
        arbitrary radial direction; otherwise it is an error.
        """
        self.card.require_only("NAME", "SYSTEM", "DEFINITION")
        system, definition = self.card.get("SYSTEM"), self.card.get("DEFINITION")
        if system not in (None, "RECTANGULAR", "CYLINDRICAL"):
            raise self.card.refused(f"with SYSTEM={system} is not supported; expected RECTANGULAR or CYLINDRICAL")
        if definition not in (None, "COORDINATES"):
            raise self.card.refused(f"with DEFINITION={definition} is not supported; expected COORDINATES")
        rows = list(self.card.rows())
        if not rows or len(rows) > 2:
            raise self.card.refused(f"has {len(rows)} data lines; expected two points, and at most a rotation")
        a, b = (np.array([real(rows[0], k + c, "coordinates of two points") for c in range(3)]) for k in (0, 3))
        if any(real(rows[0], 6 + c, "the origin", 0.0) for c in range(3)):
            raise Misuse(
                f"{rows[0].where}: {self.card.name} has an origin, which is not supported; expected two points"
            )
        if self.is_cylindrical:
            found = self._around(rows[0], self.turn @ a + self.shift, self.turn @ b + self.shift, places, anyhow)
        else:
            found = np.broadcast_to(self._along(rows[0], self.turn @ a, self.turn @ b), (*places.shape, 3))
        return self._turned(rows[1], found) if len(rows) > 1 else found

    def _along(self, row: Row, a: NDArray[np.float64], b: NDArray[np.float64]) -> Array:
        lengths = np.linalg.norm(a), np.linalg.norm(b)
        if not min(lengths) > 0 or not all(map(math.isfinite, lengths)):
            raise Misuse(f"{row.where}: {self.card.name} has a point at the origin; expected two points elsewhere")
        first, other = a / lengths[0], b / lengths[1]
        third = np.cross(first, other)
        size = np.linalg.norm(third)
        if not size > _PARALLEL:
            raise Misuse(f"{row.where}: {self.card.name} has both points in one direction; expected two directions")
        third /= size
        return np.stack([first, np.cross(third, first), third])

    def _around(self, row: Row, a: NDArray[np.float64], b: NDArray[np.float64], places: Array, anyhow: bool) -> Array:
        length = np.linalg.norm(b - a)
        if not length > 0 or not math.isfinite(length):
            raise Misuse(f"{row.where}: {self.card.name} has an axis without length; expected two points that differ")
        third = (b - a) / length
        away = places - a
        radial = away - (away @ third)[..., None] * third
        size = np.linalg.norm(radial, axis=-1)
        found = size > _PARALLEL * np.linalg.norm(away, axis=-1)
        if anyhow and not found.all():
            across = np.eye(3)[np.argmin(np.abs(third))]
            radial[~found] = across - (across @ third) * third
            size = np.linalg.norm(radial, axis=-1)
        elif not found.all():
            raise Misuse(
                f"{row.where}: the axis of {self.card.name} goes through an integration point, which has "
                "no radial direction; expected another axis"
            )
        first = radial / size[..., None]
        third = np.broadcast_to(third, first.shape)
        return np.stack([first, np.cross(third, first), third], axis=-2)

    def _turned(self, row: Row, axes: Array) -> Array:
        """Return axes rotated about one of them by an angle in degrees."""
        which = whole(row, 0, "the local axis of the rotation, from 1 to 3", 1)
        degrees = real(row, 1, "an angle in degrees", 0.0)
        if not 1 <= which <= 3:
            raise Misuse(f"{row.where}: {which} is not a local axis; expected 1 to 3")
        if degrees and self.is_cylindrical:
            raise Misuse(
                f"{row.where}: {self.card.name} rotates cylindrical axes, which is not supported; expected none"
            )
        turn = rotation(np.eye(3)[which - 1], degrees)
        found: Array = turn.T @ axes
        return found
