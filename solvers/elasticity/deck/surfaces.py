"""Faces and nodes of a `*SURFACE`."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.body import Block, Body
from rooftop.solvers.elasticity.deck.cards import Row, name_of, shown
from rooftop.solvers.elasticity.deck.space import Space, Surface
from rooftop.solvers.elasticity.mesh.arguments import Whole
from rooftop.solvers.elasticity.mesh.boundary import Boundary
from rooftop.solvers.elasticity.mesh.kinds import FaceKind

_FACE = re.compile(r"S([1-6])")


def surface_called(body: Body, row: Row, number: int, space: Space | None = None) -> tuple[Surface, Space]:
    """Return the surface that a field names, and its space. Raises Misuse."""
    name = name_of(row.field(number))
    space = space or body.deck.root
    space, rest = body.split(name, space, space.surfaces)
    if rest not in space.surfaces:
        names = ", ".join(sorted(space.surfaces)) or "none"
        raise Misuse(f"{row.where}: {shown(name)} is not a surface; expected a surface of the deck: {names}")
    return space.surfaces[rest], space


def _rows_of(body: Body, surface: Surface, space: Space) -> Iterator[tuple[Row, Whole, int]]:
    """Yield each line of a surface of faces, its elements, and the number of their face. Raises Misuse."""
    if surface.of_nodes:
        raise surface.card.refused("consists of nodes, which have no area; expected faces of elements")
    for row in surface.rows:
        face = _FACE.fullmatch(name_of(row.field(1)))
        if face is None:
            raise Misuse(f"{row.where}: {shown(row.field(1))} is not a face of a solid; expected S1 to S6")
        yield row, body.elements_named(row, name_of(row.field(0)), space), int(face[1])


def faces_of(body: Body, surface: Surface, space: Space) -> Boundary:
    """Return the faces of a surface. Raises Misuse for a surface of nodes."""
    found: dict[FaceKind, list[Whole]] = {}
    for row, elements, face in _rows_of(body, surface, space):
        for kind, cells in body.faces(row, elements, face).faces.items():
            found.setdefault(kind, []).append(cells)
    return Boundary({kind: np.unique(np.concatenate(cells), axis=0) for kind, cells in found.items()})


def elements_of_surface(body: Body, surface: Surface, space: Space) -> list[tuple[Block, Whole, Boundary]]:
    """Return the elements of a surface: block, rows in it, and one face of each element. Raises Misuse."""
    found = []
    for row, elements, face in _rows_of(body, surface, space):
        for block, rows in body.by_block(elements):
            found.append((block, rows, body.faces(row, block.first + rows, face)))
    return found


def nodes_of_surface(body: Body, row: Row, number: int, space: Space | None = None) -> Whole:
    """Return the nodes of the surface that a field names, sorted, each once. Raises Misuse."""
    surface, of = surface_called(body, row, number, space)
    if surface.of_nodes:
        parts = [body.nodes_named(one, 0, of) for one in surface.rows if one.field(0)]
    else:
        parts = [cells.ravel() for cells in faces_of(body, surface, of).faces.values()]
    return np.unique(np.concatenate([np.empty(0, np.int64), *parts]))


def surface_named(body: Body, row: Row, number: int = 0, space: Space | None = None) -> Boundary:
    """Return the faces of the surface that a field names. Raises Misuse."""
    return faces_of(body, *surface_called(body, row, number, space))
