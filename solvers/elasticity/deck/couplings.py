"""`*COUPLING` with `*KINEMATIC`: nodes of a surface follow a reference node rigidly in some directions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.body import Body
from rooftop.solvers.elasticity.deck.cards import Card, Row
from rooftop.solvers.elasticity.deck.links import Links
from rooftop.solvers.elasticity.deck.rigid_bodies import as_rigid
from rooftop.solvers.elasticity.deck.space import Space
from rooftop.solvers.elasticity.deck.surfaces import nodes_of_surface
from rooftop.solvers.elasticity.deck.values import whole
from rooftop.solvers.elasticity.mesh.arguments import Whole


def _couplings(body: Body) -> Iterator[tuple[Card, Space, Card]]:
    """Yield each *COUPLING, its space, and the *KINEMATIC after it. Raises Misuse for other kinds of coupling."""
    cards = body.deck.links
    for number, (card, space) in enumerate(cards):
        follows = cards[number + 1][0] if number + 1 < len(cards) else None
        if card.keyword == "COUPLING":
            card.require_only("REFNODE", "SURFACE", "CONSTRAINTNAME")
            if follows is None or follows.keyword != "KINEMATIC":
                raise card.refused("is not followed by *KINEMATIC; expected it, because no other coupling is supported")
            yield card, space, follows
        elif card.keyword == "KINEMATIC" and (number == 0 or cards[number - 1][0].keyword != "COUPLING"):
            raise card.refused("does not follow *COUPLING; expected *COUPLING before it")


def _reference(body: Body, card: Card, space: Space) -> int:
    found = body.nodes_named(Row(card.line, [card.required("REFNODE")]), 0, space)
    if len(found) != 1:
        raise card.refused(f"with REF NODE={card.parameters['REFNODE']} names {len(found)} nodes; expected one node")
    return int(found[0])


def add_rotations(body: Body) -> None:
    """Add rotations, directions 4 to 6, to the reference nodes of couplings. Raises Misuse."""
    for card, space, _ in _couplings(body):
        body.let_rotate(_reference(body, card, space))


def take_coupling(links: Links, card: Card, space: Space) -> None:
    """Add the equations of a `*COUPLING`, for small rotations. Raises Misuse."""
    if card.keyword == "KINEMATIC":
        return
    body = links.body
    [kinematic] = [kinematic for one, _, kinematic in _couplings(body) if one is card]
    reference = _reference(body, card, space)
    if links.turns.turned(np.array([reference]))[0]:
        raise card.refused("has a REF NODE with a *TRANSFORM, which is not supported; expected another node")
    rotation = body.rotation_of[reference]
    links.constraints.rotations.update(3 * rotation + axis for axis in range(3))
    directions = _directions(kinematic)
    nodes: Whole = nodes_of_surface(body, Row(card.line, [card.required("SURFACE")]), 0, space)
    if links.turns.turned(nodes).any():
        raise card.refused("has nodes with a *TRANSFORM, which is not supported; expected other nodes")
    for node in nodes[nodes != reference].tolist():
        for axis in directions:
            if links.is_free(node, axis):
                links.add_in_space(as_rigid(links, node, axis, reference, rotation), 0.0, card.where)
                links.determine(node, axis, card.where)


def _directions(card: Card) -> list[int]:
    """Return the coupled directions, counted from 0. Raises Misuse."""
    card.require_only()
    found: set[int] = set()
    rows = list(card.rows())
    for row in rows:
        first = whole(row, 0, "a direction from 1 to 6")
        last = whole(row, 1, "the last direction", first)
        if not 1 <= first <= last <= 6:
            raise Misuse(f"{row.where}: directions {first} to {last} are not supported; expected 1 to 6")
        found.update(range(first - 1, min(last, 3)))
    return sorted(found) if rows else [0, 1, 2]
