"""The outer faces of a mesh: which they are, which of them lie on a side, and what a traction puts on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity.checked_mesh import Array, Whole, mesh_elements, mesh_nodes
from rooftop.solvers.elasticity.faces import Face, checked_face, checked_vector
from rooftop.solvers.elasticity.library import ElasticityArgumentError

# Around each face, anticlockwise as seen from outside.
_OF_HEXAHEDRON = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]
_OF_TETRAHEDRON = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
_SIGNS = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])  # of the corners of a quadrilateral, around it
_POINTS = _SIGNS / 3**0.5  # of Gauss's rule; their weights are 1


@dataclass(frozen=True)
class Boundary:
    """Faces of elements: nodes around each, anticlockwise as seen from outside.

    quadrilaterals  (quadrilaterals, 4)
    triangles       (triangles, 3)
    """

    quadrilaterals: Whole
    triangles: Whole

    def __len__(self) -> int:
        return len(self.quadrilaterals) + len(self.triangles)

    def within(self, nodes: Any) -> Boundary:
        """Return those faces of which all nodes are in a mask (nodes,)."""
        mask = np.asarray(nodes, dtype=np.bool_)
        quads, triangles = self.quadrilaterals, self.triangles
        return Boundary(quads[mask[quads].all(axis=1)], triangles[mask[triangles].all(axis=1)])

    def nodes(self, count: int) -> NDArray[np.bool_]:
        """Return which nodes of so many the faces have, as a mask (nodes,)."""
        mask = np.zeros(count, dtype=np.bool_)
        mask[self.quadrilaterals] = True
        mask[self.triangles] = True
        return mask


def _keys(faces: Whole) -> Whole:
    """Return two numbers for each face that tell it from others, (2, faces), whatever its first node and direction."""
    ordered = np.sort(faces, axis=1)
    count = int(faces.max()) + 1 if faces.size else 1
    return np.stack([ordered[:, 0] * count + ordered[:, 1], ordered[:, 2] * count + ordered[:, -1]])


def _alone(faces: Whole) -> Whole:
    """Return the faces that come once."""
    keys = _keys(faces)
    order = np.lexsort(keys)
    same = (np.diff(keys[:, order]) == 0).all(axis=0)
    again = np.zeros(len(faces), dtype=np.bool_)
    again[order[1:]] |= same
    again[order[:-1]] |= same
    return faces[~again]


def _split(quads: Whole, triangles: Whole) -> tuple[Whole, Whole]:
    """Leave out quadrilaterals and triangles that lie on each other: those of hexahedra beside tetrahedra."""
    if not len(quads) or not len(triangles):
        return quads, triangles
    halves = [quads[:, [0, 1, 2]], quads[:, [0, 2, 3]], quads[:, [0, 1, 3]], quads[:, [1, 2, 3]]]
    everything = np.concatenate([triangles, *halves])
    _, names = np.unique(_keys(everything), axis=1, return_inverse=True)
    parts = np.split(names.ravel(), [len(triangles) + i * len(quads) for i in range(4)])
    is_triangle = np.zeros(names.max() + 1, dtype=np.bool_)
    is_triangle[parts[0]] = True
    one, other = (is_triangle[parts[a]] & is_triangle[parts[b]] for a, b in ((1, 2), (3, 4)))
    inner = np.zeros_like(is_triangle)
    for found, pair in ((one, (1, 2)), (other, (3, 4))):
        for part in pair:
            inner[parts[part][found]] = True
    return quads[~(one | other)], triangles[~inner[parts[0]]]


def boundary_of(hexahedra: Whole, tetrahedra: Whole) -> Boundary:
    """Return the faces that belong to a single element."""
    quads = _alone(hexahedra[:, _OF_HEXAHEDRON].reshape(-1, 4))
    triangles = _alone(tetrahedra[:, _OF_TETRAHEDRON].reshape(-1, 3))
    return Boundary(*_split(quads, triangles))


def boundary(hexahedra: Any = None, tetrahedra: Any = None) -> Boundary:
    """Return the outer faces of a mesh, those that belong to a single element. Raises ElasticityArgumentError."""
    return boundary_of(*mesh_elements(hexahedra, tetrahedra, 1 << 31))


def on_side(coordinates: Any, face: Face, tolerance: float = 1e-6) -> NDArray[np.bool_]:
    """Return which nodes lie on a side of the box around all nodes, as a mask (nodes,).

    face       such as "x-min"
    tolerance  relative to the diagonal of that box

    Raises ElasticityArgumentError.
    """
    places = mesh_nodes(coordinates)
    direction, place = checked_face(face)
    along = places[:, direction]
    side = along.min() if place == 0 else along.max()
    result: NDArray[np.bool_] = np.abs(along - side) <= tolerance * float(np.linalg.norm(np.ptp(places, axis=0)))
    return result


def _areas_of_triangles(corners: Array) -> Array:
    """Return the integral of each corner's shape function, (triangles, 3), of corners (triangles, 3, 3)."""
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return np.repeat(np.linalg.norm(normal, axis=1)[:, None] / 6, 3, axis=1)


def _areas_of_quadrilaterals(corners: Array) -> Array:
    """Return the integral of each corner's shape function, (quadrilaterals, 4), of corners (quadrilaterals, 4, 3)."""
    result = np.zeros(corners.shape[:2])
    for point in _POINTS:
        factors = 1 + point * _SIGNS
        slopes = _SIGNS * factors[:, ::-1] / 4  # of each corner's shape function, along the two directions
        along = np.einsum("ad,qac->dqc", slopes, corners)
        area = np.linalg.norm(np.cross(along[0], along[1]), axis=1)
        result += area[:, None] * factors.prod(axis=1) / 4
    return result


def mesh_traction(coordinates: Any, faces: Boundary, vector: Sequence[float]) -> NDArray[np.float64]:
    """Return the forces on nodes, (nodes, 3), that a constant traction on faces of a mesh is.

    faces   such as ``boundary(tetrahedra=cells).within(on_side(coordinates, "x-max"))``
    vector  force for each unit of area, along x, y and z

    Each node has its shape function's integral over the faces: bilinear ones with 2 x 2 points of integration. Raises
    ElasticityArgumentError.
    """
    places, pull = mesh_nodes(coordinates), checked_vector(vector)
    share = np.zeros(len(places))
    for cells, areas in (
        (faces.quadrilaterals, _areas_of_quadrilaterals),
        (faces.triangles, _areas_of_triangles),
    ):
        if cells.size and cells.max() >= len(places):
            raise ElasticityArgumentError(f"faces have node {int(cells.max())} of {len(places)}; expected one there is")
        share += np.bincount(cells.ravel(), areas(places[cells]).ravel(), len(places))
    return share[:, None] * pull
