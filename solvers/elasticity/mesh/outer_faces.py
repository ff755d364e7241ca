"""Outer faces of a mesh as quadrilaterals for plots, coarsened if there are many, and its sharp edges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity.box.outer_faces import OuterFaces
from rooftop.solvers.elasticity.mesh.arguments import Array, Mesh, Whole
from rooftop.solvers.elasticity.mesh.boundary import Boundary, boundary_of

_FACES_MAX = 20_000  # maximum number of faces drawn
_PARTS = 64  # cubes along the body's extent at first; the nodes in a cube are merged
_FEWER = 0.75  # factor on the number of cubes while there are too many faces
_OF_EDGE, _OF_CORNER = 1e4, 1e8  # weights of nodes on edges and corners when nodes are merged; others have 1
_ANGLE = np.cos(np.radians(30))  # faces whose normals differ by more have an edge between them


def _quads(faces: Boundary) -> Whole:
    """Return the nodes around each face, (faces, 4); a triangle repeats its third node."""
    return np.concatenate([faces.corners(4), faces.corners(3)[:, [0, 1, 2, 2]]])


def _edges(faces: Whole, places: Array) -> Whole:
    """Return the sharp edges, at which two faces meet at an angle, by their nodes: (edges, 2)."""
    corners = places[faces]
    normals = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    triangles = faces[:, 2] == faces[:, 3]
    normals[triangles] = np.cross(
        corners[triangles, 1] - corners[triangles, 0], corners[triangles, 2] - corners[triangles, 0]
    )
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), np.finfo(np.float64).tiny)
    pairs = np.stack([faces, np.roll(faces, -1, axis=1)], axis=-1).reshape(-1, 2)
    owners = np.repeat(np.arange(len(faces)), 4)
    there = pairs[:, 0] != pairs[:, 1]
    pairs, owners = np.sort(pairs[there], axis=1), owners[there]
    order = np.lexsort(pairs.T)
    pairs, owners = pairs[order], owners[order]
    meet = (pairs[1:] == pairs[:-1]).all(axis=1)
    cosine = np.einsum("ec,ec->e", normals[owners[1:]], normals[owners[:-1]])
    sharp: Whole = pairs[1:][meet & (cosine < _ANGLE)]
    return sharp


def _weights(edges: Whole, count: int) -> NDArray[np.float64]:
    """Return the weights of `count` nodes when they are merged, which keep edges straight and corners in place."""
    uses = np.bincount(edges.ravel(), minlength=count)
    return np.where(uses == 0, 1.0, np.where(uses == 2, _OF_EDGE, _OF_CORNER))


def _gathered(faces: Whole, places: Array, parts: float) -> tuple[Whole, Whole]:
    """Merge the nodes in each cube of side extent / `parts`. Return the remaining faces, and the cube of each node."""
    step = float(np.ptp(places, axis=0).max()) / parts
    cubes = np.floor((places - places.min(axis=0)) / step).astype(np.int64)
    size = cubes.max(axis=0) + 1
    _, cube = np.unique((cubes[:, 0] * size[1] + cubes[:, 1]) * size[2] + cubes[:, 2], return_inverse=True)
    found = cube.ravel()[faces]
    corners = 1 + np.count_nonzero(np.diff(np.sort(found, axis=1), axis=1), axis=1)
    return found[corners >= 3], cube.ravel()


def outer_faces_of_mesh(mesh: Mesh, values: Array) -> OuterFaces:
    """Return the outer faces of a mesh, with `values` at nodes, (nodes, 3).

    If there are many, nodes near each other are merged by vertex clustering (Rossignac and Borrel).
    """
    faces = _quads(boundary_of(mesh.elements))
    used, inverse = np.unique(faces, return_inverse=True)
    faces = inverse.reshape(faces.shape)
    places, theirs = mesh.coordinates[used], values[used]
    edges = _edges(faces, places)
    lines: list[NDArray[np.float64]] = list(places[edges])
    parts: float = _PARTS
    shown, cube = faces, np.arange(len(places))
    while len(shown) > _FACES_MAX:
        shown, cube = _gathered(faces, places, parts)
        parts *= _FEWER
    if len(shown) < len(faces):
        weight = _weights(edges, len(places))
        share = np.bincount(cube, weight)[:, None]
        near, values_near = (
            np.stack([np.bincount(cube, weight * one[:, c]) for c in range(3)], axis=1) / share
            for one in (places, theirs)
        )
        return OuterFaces(near[shown], values_near[shown], lines)
    return OuterFaces(places[shown], theirs[shown], lines)
