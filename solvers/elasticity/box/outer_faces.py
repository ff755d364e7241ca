"""Outer faces of a box as quadrilaterals for plots."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

_LINES_MAX = 29  # nodes drawn along each side of a face


@dataclass(frozen=True)
class OuterFaces:
    """Outer faces of an undeformed body. A triangle is a quadrilateral whose third and fourth corners coincide.

    places  coordinates of the corners, (quadrilaterals, 4, 3)
    values  values at the corners, such as displacements, (quadrilaterals, 4, 3)
    edges   edges of the body: lines through points (points, 3)
    """

    places: NDArray[np.float64]
    values: NDArray[np.float64]
    edges: list[NDArray[np.float64]]


def _some(count: int) -> NDArray[np.int64]:
    return np.unique(np.linspace(0, count - 1, min(count, _LINES_MAX)).round().astype(np.int64))


def _quads(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the values at the corners of a face's quadrilaterals, in order around each: (quadrilaterals, 4, …)."""
    around = (values[:-1, :-1], values[:-1, 1:], values[1:, 1:], values[1:, :-1])
    return np.stack(around, axis=2).reshape(-1, 4, *values.shape[2:])


def outer_faces_of_box(places: NDArray[np.float64], values: NDArray[np.float64]) -> OuterFaces:
    """Return the outer faces of a box with these coordinates and values of nodes, both (nz, ny, nx, 3)."""
    chosen = np.ix_(*(_some(count) for count in places.shape[:3]))
    there, theirs = places[chosen], values[chosen]
    faces = list(product(range(3), (0, -1)))
    edges = []
    for axis in range(3):
        ends = np.moveaxis(there, axis, 0)
        edges += [ends[:, one, other] for one, other in product((0, -1), repeat=2)]
    return OuterFaces(
        np.concatenate([_quads(np.moveaxis(there, axis, 0)[end]) for axis, end in faces]),
        np.concatenate([_quads(np.moveaxis(theirs, axis, 0)[end]) for axis, end in faces]),
        edges,
    )
