"""The faces of elements that a `*SURFACE` names."""

from __future__ import annotations

import re

import numpy as np

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.boundary import Boundary
from rooftop.solvers.elasticity.checked_mesh import Whole
from rooftop.solvers.elasticity.deck.body import Body
from rooftop.solvers.elasticity.deck.cards import Row, name_of, shown
from rooftop.solvers.elasticity.deck.space import Space, Surface
from rooftop.solvers.elasticity.element_kinds import FaceKind

_FACE = re.compile(r"S([1-6])")


def _found(body: Body, row: Row) -> tuple[Surface, Space]:
    """Return the surface that a line names first, and what it is a surface of. Raises Misuse."""
    name = name_of(row.field(0))
    space, rest = body.split(name, body.deck.root, body.deck.root.surfaces)
    if rest not in space.surfaces:
        names = ", ".join(sorted(space.surfaces)) or "none"
        raise Misuse(f"{row.where}: {shown(name)} is no surface; expected one of the deck: {names}")
    return space.surfaces[rest], space


def faces_of(body: Body, surface: Surface, space: Space) -> Boundary:
    """Return the faces of a surface. Raises Misuse for one of nodes."""
    if surface.of_nodes:
        raise surface.card.refused("is of nodes, which have no area; expected faces of elements")
    found: dict[FaceKind, list[Whole]] = {}
    for row in surface.rows:
        face = _FACE.fullmatch(name_of(row.field(1)))
        if face is None:
            raise Misuse(f"{row.where}: {shown(row.field(1))} is no face of a solid; expected S1 to S6")
        elements = body.elements_named(row, name_of(row.field(0)), space)
        for kind, cells in body.faces(row, elements, int(face[1])).faces.items():
            found.setdefault(kind, []).append(cells)
    return Boundary({kind: np.unique(np.concatenate(cells), axis=0) for kind, cells in found.items()})


def surface_named(body: Body, row: Row) -> Boundary:
    """Return the faces of the surface that a line names first. Raises Misuse."""
    return faces_of(body, *_found(body, row))
