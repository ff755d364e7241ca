"""`*PRE-TENSION SECTION`: cut a bolt; the displacement of a node is the gap between the two sides."""

from __future__ import annotations

import numpy as np

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.cards import Card, Row
from rooftop.solvers.elasticity.deck.links import Links
from rooftop.solvers.elasticity.deck.space import Space
from rooftop.solvers.elasticity.deck.surfaces import elements_of_surface, surface_called
from rooftop.solvers.elasticity.deck.values import direction
from rooftop.solvers.elasticity.mesh.arguments import Array
from rooftop.solvers.elasticity.mesh.boundary import Boundary
from rooftop.solvers.elasticity.mesh.reference_face import shape_and_area


def take_pretension(links: Links, card: Card, space: Space) -> None:
    """Cut the body at a `*PRE-TENSION SECTION` as CalculiX does: elements of the surface get new nodes there.

    The sides move apart along the normal by displacement 1 of NODE; a force on it is the bolt force. Raises Misuse.
    """
    card.require_only("SURFACE", "NODE")
    body = links.body
    row = Row(card.line, [card.required("SURFACE")])
    found, of = surface_called(body, row, 0, space)
    [*nodes] = body.nodes_named(Row(card.line, [card.required("NODE")]), 0, space).tolist()
    if len(nodes) != 1:
        raise card.refused(f"with NODE={card.parameters['NODE']} names {len(nodes)} nodes; expected one node")
    rows = list(card.rows())
    if len(rows) > 1:
        raise Misuse(f"{rows[1].where}: a second data line is not supported; expected only the normal")
    parts = elements_of_surface(body, found, of)
    faces = [cells for _, _, cells in parts]
    if not faces:
        raise card.refused(f"has surface {card.parameters['SURFACE']}, which has no faces; expected faces of elements")
    cut = np.unique(np.concatenate([cells.ravel() for boundary in faces for cells in boundary.faces.values()]))
    if rows:
        normal = direction(rows[0], 0, "the normal")
    else:
        with np.errstate(over="ignore", invalid="ignore"):
            normal = _normal(body.places, faces)
            length = float(np.linalg.norm(normal))
        if not 0 < length < np.inf:
            raise card.refused("has faces whose normals cancel; expected a data line with the normal")
        normal = normal / length
    new = body.add_nodes(body.places[cut], cut)
    for block, which, boundary in parts:
        for cells in boundary.faces.values():
            here = block.nodes[which]
            of_face = (here[:, :, None] == cells[:, None, :]).any(axis=2)
            block.nodes[which] = np.where(of_face, new[np.searchsorted(cut, np.where(of_face, here, cut[0]))], here)
    for old, moved in zip(cut.tolist(), new.tolist(), strict=True):
        for axis in range(3):
            terms = [(moved, axis, 1.0), (old, axis, -1.0), (nodes[0], 0, -float(normal[axis]))]
            links.add_in_space([term for term in terms if term[2] != 0], 0.0, card.where)


def _normal(places: Array, faces: list[Boundary]) -> Array:
    """Return the sum of the normals of faces, weighted by area."""
    total = np.zeros(3)
    for boundary in faces:
        for kind, cells in boundary.faces.items():
            total += shape_and_area(kind, places[cells])[1].sum(axis=(0, 1))
    return total
