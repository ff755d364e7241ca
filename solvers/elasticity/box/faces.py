"""Supports and tractions on the six faces of a box."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.c_interface.checked_arrays import real_numbers
from rooftop.solvers.elasticity.box.arguments import Nodes, checked_nodes, node_shape
from rooftop.solvers.elasticity.library import ElasticityArgumentError
from rooftop.solvers.elasticity.node_arguments import node_values

Face = Literal["x-min", "x-max", "y-min", "y-max", "z-min", "z-max"]
FACES: tuple[Face, ...] = get_args(Face)

_POINTS = (-(3**-0.5), 3**-0.5)  # Gauss points of the two-point rule; their weights are 1
_ENDS = ((0, -1), (1, 1))  # index and local coordinate of the two ends of an edge


def checked_face(face: str) -> tuple[int, int]:
    """Return the direction of a face's normal, 0 for x, and its index: 0 or -1. Raises ElasticityArgumentError."""
    for number, name in enumerate(FACES):
        if face == name:
            return number // 2, -(number % 2)
    raise ElasticityArgumentError(f"face is {face!r}; expected one of {', '.join(FACES)}")


def checked_vector(vector: Sequence[float]) -> NDArray[np.float64]:
    """Return a force per unit area as an array. Raises ElasticityArgumentError."""
    pull = real_numbers("the traction", vector, ElasticityArgumentError)
    if pull.shape != (3,) or not np.isfinite(pull).all():
        raise ElasticityArgumentError(f"the traction is {vector!r}; expected three finite numbers: along x, y and z")
    return pull


def _of_face(face: str) -> tuple[slice | int, ...]:
    """Return the index of a face's nodes in an array (nz, ny, nx, …)."""
    direction, place = checked_face(face)
    index: list[slice | int] = [slice(None)] * 3
    index[2 - direction] = place
    return tuple(index)


def clamped(nodes: Sequence[int], *faces: Face) -> NDArray[np.bool_]:
    """Return the mask of prescribed displacements, (nz, ny, nx, 3), that clamps all nodes of the faces."""
    held = np.zeros(node_shape(checked_nodes(nodes)), dtype=np.bool_)
    for face in faces:
        held[_of_face(face)] = True
    return held


def symmetric(nodes: Sequence[int], *faces: Face) -> NDArray[np.bool_]:
    """Return the mask of prescribed displacements, (nz, ny, nx, 3), that makes the faces planes of symmetry.

    The nodes of an x face cannot move along x, but may slide in the plane.
    """
    held = np.zeros(node_shape(checked_nodes(nodes)), dtype=np.bool_)
    for face in faces:
        held[_of_face(face)][..., checked_face(face)[0]] = True
    return held


def _nodes_and_places(where: Any) -> tuple[Nodes, NDArray[np.float64] | None]:
    """Return the numbers of nodes and, if `where` is an array of coordinates, the coordinates."""
    if np.ndim(where) != 4:
        return checked_nodes(where), None
    shape = np.shape(where)
    nodes = checked_nodes(shape[2::-1])
    return nodes, node_values("coordinates", where, nodes)


def traction(where: Any, face: Face, vector: Sequence[float]) -> NDArray[np.float64]:
    """Return the nodal forces, (nz, ny, nx, 3), of a constant traction on one face of the box.

    where   (nx, ny, nz) for cubes with edges of 1, or the coordinates (nz, ny, nx, 3)
    vector  force per unit area along x, y and z

    The force on a node is the traction times the integral of its bilinear shape function over the face, computed with
    2 x 2 Gauss points for each element (exact for planar faces).
    """
    nodes, coordinates = _nodes_and_places(where)
    pull = checked_vector(vector)
    index = _of_face(face)
    load = np.zeros(node_shape(nodes))
    on_face = load[index]
    if coordinates is None:
        share = np.zeros(on_face.shape[:2])
        for part in _corners(share):
            np.add(part, 0.25, out=part)
    else:
        share = _areas(coordinates[index])
    on_face[...] = share[..., None] * pull
    return load


def _corners(values: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Return views of a face's values at the four corners of its elements: 00, 01, 10, 11 of the two indices."""
    low, high = slice(None, -1), slice(1, None)
    return [values[row, column] for row in (low, high) for column in (low, high)]


def _areas(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the integral of each node's shape function over a face whose nodes lie at `places` (rows, columns, 3)."""
    corners = _corners(places)
    share = np.zeros(places.shape[:2])
    for r in _POINTS:
        for s in _POINTS:
            shapes = [(1 + a * r) * (1 + b * s) / 4 for _, a in _ENDS for _, b in _ENDS]
            along_r = sum(a * (1 + b * s) / 4 * corners[2 * i + j] for i, a in _ENDS for j, b in _ENDS)
            along_s = sum(b * (1 + a * r) / 4 * corners[2 * i + j] for i, a in _ENDS for j, b in _ENDS)
            area = np.linalg.norm(np.cross(along_r, along_s), axis=-1)
            for part, shape in zip(_corners(share), shapes, strict=True):
                np.add(part, shape * area, out=part)
    return share
