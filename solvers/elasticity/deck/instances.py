"""Position of an `*INSTANCE`: a shift, then a rotation about an axis."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.cards import Card, Row
from rooftop.solvers.elasticity.deck.values import real


def rotation(axis: NDArray[np.float64], degrees: float) -> NDArray[np.float64]:
    """Return the matrix of a rotation about an axis of length 1, by Rodrigues' formula."""
    angle = math.radians(degrees)
    x, y, z = axis
    across = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    turn: NDArray[np.float64] = np.eye(3) + math.sin(angle) * across + (1 - math.cos(angle)) * (across @ across)
    return turn


def place_of_instance(card: Card) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the rotation matrix and shift of an `*INSTANCE`: x becomes matrix @ x + shift. Raises Misuse."""
    rows: list[Row] = list(card.rows())
    if len(rows) > 2:
        raise Misuse(
            f"{rows[2].where}: {card.name} has {len(rows)} data lines; expected at most a translation and a rotation"
        )
    shift = np.zeros(3)
    if rows:
        shift = np.array([real(rows[0], c, f"the translation along {'xyz'[c]}", 0.0) for c in range(3)])
    if len(rows) < 2:
        return np.eye(3), shift
    first, second = (np.array([real(rows[1], k + c, "a point of the axis", 0.0) for c in range(3)]) for k in (0, 3))
    degrees = real(rows[1], 6, "the angle in degrees", 0.0)
    with np.errstate(over="ignore", invalid="ignore"):
        length = float(np.linalg.norm(second - first))
    if length == 0 or not math.isfinite(length):
        raise Misuse(f"{rows[1].where}: the axis of the rotation has no length; expected two points that differ")
    turn = rotation((second - first) / length, degrees)
    return turn, turn @ (shift - first) + first
