"""`*RIGID BODY`: nodes follow the motion of a reference node and a rotation node."""

from __future__ import annotations

import numpy as np

from rooftop.solvers.elasticity.deck.cards import Card, Row, name_of
from rooftop.solvers.elasticity.deck.links import Links, Term
from rooftop.solvers.elasticity.deck.space import Space
from rooftop.solvers.elasticity.mesh.arguments import Whole


def take_rigid_body(links: Links, card: Card, space: Space) -> None:
    """Add the equations of a `*RIGID BODY` as CalculiX does; the displacement of ROT NODE is the rotation.

    Rotations are small: the step is linear. Raises Misuse.
    """
    card.require_only("NSET", "ELSET", "REFNODE", "ROTNODE")
    if ("NSET" in card.parameters) == ("ELSET" in card.parameters):
        raise card.refused("has both NSET= and ELSET=, or neither; expected one of them")
    body = links.body
    if "NSET" in card.parameters:
        nodes = body.nodes_named(Row(card.line, [card.parameters["NSET"]]), 0, space)
    else:
        name = name_of(card.parameters["ELSET"])
        nodes = body.nodes_of_elements(body.elements_named(Row(card.line, []), name, space))
    reference = _named(links, card, "REFNODE", space)
    rotation = _named(links, card, "ROTNODE", space)
    links.constraints.rotations.update(3 * rotation + axis for axis in range(3))
    for node in np.unique(nodes).tolist():
        if node in (reference, rotation):
            continue
        for axis in range(3):
            if links.is_free(node, axis) or links.turns.turned(np.array([node]))[0]:
                links.add_in_space(as_rigid(links, node, axis, reference, rotation), 0.0, card.where)
                links.determine(node, axis, card.where)


def as_rigid(links: Links, node: int, axis: int, reference: int, rotation: int) -> list[Term]:
    """Return the terms of u - u_reference - rotation x (x - x_reference) = 0 along an axis."""
    arm = links.body.places[node] - links.body.places[reference]
    one, two = (axis + 1) % 3, (axis + 2) % 3
    return [
        (node, axis, 1.0),
        (reference, axis, -1.0),
        (rotation, one, -float(arm[two])),
        (rotation, two, float(arm[one])),
    ]


def _named(links: Links, card: Card, parameter: str, space: Space) -> int:
    """Return the node that a parameter names; without the parameter, a new node at the origin. Raises Misuse."""
    if parameter not in card.parameters:
        return int(links.body.add_nodes(np.zeros((1, 3)))[0])
    found: Whole = links.body.nodes_named(Row(card.line, [card.parameters[parameter]]), 0, space)
    if len(found) != 1:
        raise card.refused(f"with {parameter}={card.parameters[parameter]} names {len(found)} nodes; expected one node")
    return int(found[0])
