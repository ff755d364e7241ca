"""Projection of nodes onto a surface: the nearest point and the shape functions there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity.mesh.arguments import Array, Whole
from rooftop.solvers.elasticity.mesh.boundary import Boundary
from rooftop.solvers.elasticity.mesh.kinds import CORNERS, FaceKind
from rooftop.solvers.elasticity.mesh.reference_face import shapes_of

# Triangles that faces are divided into, by number of nodes: corners, then midpoints of edges.
_TRIANGLES = {
    3: [(0, 1, 2)],
    4: [(0, 1, 2), (0, 2, 3)],
    6: [(0, 3, 5), (3, 1, 4), (5, 4, 2), (3, 4, 5)],
    8: [(0, 4, 7), (4, 1, 5), (5, 2, 6), (6, 3, 7), (4, 5, 7), (5, 6, 7)],
}
_SHARE = 0.025  # of the size of triangles: maximum distance of nodes above or beside a surface, as in CalculiX
_NEAREST = 48  # number of nearest triangles examined for a node
_STEPS = 50  # maximum number of Newton steps to project a node onto a face


@dataclass(frozen=True)
class OnFace:
    """A point on a face.

    nodes     nodes of the face
    shares    values of the shape functions at the point, one for each node
    place     coordinates of the point, (3,)
    distance  distance of the projected node from the flat triangle of the face
    """

    nodes: Whole
    shares: Array
    place: Array
    distance: float


class MasterSurface:
    """Faces, divided into triangles, onto which nodes are projected."""

    def __init__(self, places: Array, faces: Boundary) -> None:
        self._places = places
        self._faces = [(kind, cell) for kind, cells in faces.faces.items() for cell in cells]
        corners, of = [], []
        for number, (_, cell) in enumerate(self._faces):
            for one in _TRIANGLES[len(cell)]:
                corners.append(cell[list(one)])
                of.append(number)
        triangles = np.array(corners, np.int64).reshape(-1, 3)
        at = places[triangles]
        with np.errstate(all="ignore"):  # triangles without area are left out below
            across = np.cross(at[:, 1] - at[:, 0], at[:, 2] - at[:, 0])
            normals = across / np.linalg.norm(across, axis=1)[:, None]
            outwards = np.cross(np.roll(at, -1, axis=1) - at, normals[:, None])
            outwards /= np.linalg.norm(outwards, axis=2)[..., None]
        sound = np.isfinite(normals).all(axis=1) & np.isfinite(outwards).all(axis=(1, 2))
        self._triangles, self._of = triangles[sound], np.array(of, np.int64)[sound]
        self._normals, self._outwards, at = normals[sound], outwards[sound], at[sound]
        self._centres = at.mean(axis=1)
        ends = np.sort(np.stack([self._triangles, np.roll(self._triangles, -1, axis=1)], axis=2), axis=2)
        _, which, count = np.unique(ends.reshape(-1, 2), axis=0, return_inverse=True, return_counts=True)
        self._border = (count[which.ravel()] == 1).reshape(-1, 3)
        first = np.einsum("tc,tc->t", self._outwards[:, 0], at[:, 0] - self._centres)
        self.near = _SHARE * float(np.abs(first).mean()) if len(first) else 0.0

    def nearest(self, place: Array) -> OnFace | None:
        """Return the nearest point of the surface to a node; None if the node lies beside the surface."""
        with np.errstate(over="ignore", invalid="ignore"):
            return self._nearest(place) if len(self._triangles) else None

    def _nearest(self, place: Array) -> OnFace | None:
        apart = np.linalg.norm(self._centres - place, axis=1)
        some = np.argsort(apart, kind="stable")[:_NEAREST]
        corners = self._places[self._triangles[some]]
        away = place - corners
        beside = np.einsum("tec,tec->te", self._outwards[some], away)  # distance beyond each edge
        height = np.abs(np.einsum("tc,tc->t", self._normals[some], away[:, 0]))
        out = np.maximum(beside.max(axis=1), 0.0)
        inside = out <= self.near
        if inside.any():
            chosen = int(np.argmin(np.where(inside, np.hypot(height, out), np.inf)))
        else:  # outside of all triangles, for example above a ridge between two
            edges = np.roll(corners, -1, axis=1) - corners
            along = np.einsum("tec,tec->te", edges, away) / np.einsum("tec,tec->te", edges, edges)
            distance = np.linalg.norm(away - np.clip(along, 0.0, 1.0)[..., None] * edges, axis=2)
            least = distance.min()
            chosen = int(np.argmin(distance.min(axis=1)))
            if (self._border[some] & (beside > self.near) & (distance <= least * (1 + 1e-9))).any():
                return None
        kind, nodes = self._faces[self._of[some[chosen]]]
        shares = _shares(kind, self._places[nodes], place)
        return OnFace(nodes, shares, shares @ self._places[nodes], float(height[chosen]))


def _clamped(kind: FaceKind, at: Array) -> Array:
    """Return the nearest local coordinates within a face."""
    if CORNERS[kind] != 3:
        return np.clip(at, -1.0, 1.0)
    at = np.maximum(at, 0.0)
    if at.sum() > 1:
        along = min(max((at[0] - at[1] + 1) / 2, 0.0), 1.0)
        return np.array([along, 1 - along])
    return at


def _shares(kind: FaceKind, corners: Array, place: Array) -> Array:
    """Return the shape functions of a face at its nearest point to a place."""
    shapes = shapes_of(kind)
    at = _clamped(kind, np.full(2, 1 / 3) if CORNERS[kind] == 3 else np.zeros(2))

    def apart(where: NDArray[np.float64]) -> Array:
        result: Array = shapes.values(where[None])[0] @ corners - place
        return result

    off = apart(at)
    for _ in range(_STEPS):
        along = shapes.derivatives(at[None])[0] @ corners  # (2, 3)
        step = -np.linalg.lstsq(along.T, off, rcond=None)[0]
        moved = _clamped(kind, at + step)
        better = apart(moved)
        halved = 1.0
        while better @ better > off @ off and halved > 1e-6:
            halved /= 2
            moved = _clamped(kind, at + halved * step)
            better = apart(moved)
        change = float(np.abs(moved - at).max())
        if better @ better <= off @ off:
            at, off = moved, better
        if change < 1e-14 or halved <= 1e-6:
            break
    result: Array = shapes.values(at[None])[0]
    return result
