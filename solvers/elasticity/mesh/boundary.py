"""Boundary faces of a mesh, and nodal forces of tractions and pressures on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.c_interface.checked_arrays import real_numbers
from rooftop.solvers.elasticity.box.faces import Face, checked_face, checked_vector
from rooftop.solvers.elasticity.library import ElasticityArgumentError
from rooftop.solvers.elasticity.mesh.arguments import Whole, mesh_elements, mesh_nodes
from rooftop.solvers.elasticity.mesh.kinds import CORNERS, FaceKind, Kind, faces_of
from rooftop.solvers.elasticity.mesh.reference_face import shape_and_area


@dataclass(frozen=True)
class Boundary:
    """Faces of elements.

    faces  node indices of each kind, (faces, nodes per face), anticlockwise as seen from outside
    """

    faces: Mapping[FaceKind, Whole]

    def __len__(self) -> int:
        return sum(map(len, self.faces.values()))

    def within(self, nodes: Any) -> Boundary:
        """Return the faces whose nodes are all in a mask (nodes,)."""
        mask = np.asarray(nodes, dtype=np.bool_)
        return Boundary({kind: cells[mask[cells].all(axis=1)] for kind, cells in self.faces.items()})

    def nodes(self, count: int) -> NDArray[np.bool_]:
        """Return the nodes of the faces as a mask of `count` nodes, (count,)."""
        mask = np.zeros(count, dtype=np.bool_)
        for cells in self.faces.values():
            mask[cells] = True
        return mask

    def corners(self, count: int) -> Whole:
        """Return the corners, (faces, count), of all faces with `count` corners, in the order of their kinds."""
        found = [cells[:, :count] for kind, cells in self.faces.items() if CORNERS[kind] == count]
        return np.concatenate(found) if found else np.empty((0, count), dtype=np.int64)


def _keys(faces: Whole) -> Whole:
    """Return a key of two numbers for each face, (2, faces), independent of its first node and orientation."""
    ordered = np.sort(faces, axis=1)
    count = int(faces.max()) + 1 if faces.size else 1
    return np.stack([ordered[:, 0] * count + ordered[:, 1], ordered[:, 2] * count + ordered[:, -1]])


def _come_once(faces: Whole) -> NDArray[np.bool_]:
    """Return the mask of the faces that occur only once, (faces,)."""
    keys = _keys(faces)
    order = np.lexsort(keys)
    same = (np.diff(keys[:, order]) == 0).all(axis=0)
    again = np.zeros(len(faces), dtype=np.bool_)
    again[order[1:]] |= same
    again[order[:-1]] |= same
    return ~again


def _lie_alone(quads: Whole, triangles: Whole) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return masks of outer faces: not quadrilaterals covered by two triangles, as beside tetrahedra, nor those two."""
    if not len(quads) or not len(triangles):
        return np.ones(len(quads), dtype=np.bool_), np.ones(len(triangles), dtype=np.bool_)
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
    return ~(one | other), ~inner[parts[0]]


def _chosen(faces: Boundary, corners: int, wanted: NDArray[np.bool_]) -> Boundary:
    """Return the wanted faces among those with `corners` corners, and all other faces."""
    result, first = {}, 0
    for kind, cells in faces.faces.items():
        if CORNERS[kind] == corners:
            result[kind] = cells[wanted[first : first + len(cells)]]
            first += len(cells)
        else:
            result[kind] = cells
    return Boundary(result)


def boundary_of(elements: Mapping[Kind, Whole]) -> Boundary:
    """Return the outer faces: those whose corners belong to a single element."""
    parts: dict[FaceKind, list[Whole]] = {}
    for kind, cells in elements.items():
        for face, nodes in faces_of(kind).items():
            parts.setdefault(face, []).append(cells[:, nodes].reshape(-1, len(nodes[0])))
    every = Boundary({face: np.concatenate(cells) for face, cells in parts.items()})
    for corners in (4, 3):
        every = _chosen(every, corners, _come_once(every.corners(corners)))
    quads, triangles = _lie_alone(every.corners(4), every.corners(3))
    return _chosen(_chosen(every, 4, quads), 3, triangles)


def boundary(elements: Mapping[Kind, Any]) -> Boundary:
    """Return the outer faces of a mesh: those that belong to a single element. Raises ElasticityArgumentError."""
    return boundary_of(mesh_elements(elements, 1 << 31))


def on_side(coordinates: Any, face: Face, tolerance: float = 1e-6) -> NDArray[np.bool_]:
    """Return which nodes lie on a side of the bounding box of all nodes, as a mask (nodes,).

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


def _require_nodes(faces: Boundary, count: int) -> None:
    for cells in faces.faces.values():
        if cells.size and cells.max() >= count:
            raise ElasticityArgumentError(f"faces have node {int(cells.max())}; expected nodes from 0 to {count - 1}")


def mesh_traction(coordinates: Any, faces: Boundary, vector: Sequence[float]) -> NDArray[np.float64]:
    """Return the nodal forces, (nodes, 3), of a constant traction on faces of a mesh.

    faces   such as ``boundary({"tetrahedron": cells}).within(on_side(coordinates, "x-max"))``
    vector  force per unit area along x, y and z

    The force on a node is the traction times the integral of its shape function over the faces. Raises
    ElasticityArgumentError.
    """
    places, pull = mesh_nodes(coordinates), checked_vector(vector)
    _require_nodes(faces, len(places))
    share = np.zeros(len(places))
    for kind, cells in faces.faces.items():
        values, area = shape_and_area(kind, places[cells])
        share += np.bincount(cells.ravel(), (np.linalg.norm(area, axis=2).T @ values).ravel(), len(places))
    return share[:, None] * pull


def mesh_pressure(coordinates: Any, faces: Boundary, pressure: float) -> NDArray[np.float64]:
    """Return the nodal forces, (nodes, 3), of a constant pressure on faces of a mesh.

    faces     as for `mesh_traction`
    pressure  force per unit area, against the outer normal

    Raises ElasticityArgumentError.
    """
    places = mesh_nodes(coordinates)
    _require_nodes(faces, len(places))
    (push,) = real_numbers("pressure", [pressure], ElasticityArgumentError)
    result = np.zeros((len(places), 3))
    for kind, cells in faces.faces.items():
        values, area = shape_and_area(kind, places[cells])
        theirs = np.einsum("pn,pfc->fnc", values, area)
        for component in range(3):
            result[:, component] -= np.bincount(cells.ravel(), theirs[..., component].ravel(), len(places))
    forces: NDArray[np.float64] = result * push
    return forces
