"""`*TIE`: nodes of one surface stay attached to another surface."""

from __future__ import annotations

import numpy as np

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.cards import Card, Row
from rooftop.solvers.elasticity.deck.links import Links, Term
from rooftop.solvers.elasticity.deck.master_surface import MasterSurface, OnFace
from rooftop.solvers.elasticity.deck.space import Space
from rooftop.solvers.elasticity.deck.surfaces import nodes_of_surface, surface_named
from rooftop.solvers.elasticity.deck.values import real
from rooftop.solvers.elasticity.mesh.arguments import Whole
from rooftop.text.plural import plural

_SMALL = 1e-14  # shape functions below this are rounding errors


def take_tie(links: Links, card: Card, space: Space) -> None:
    """Add the equations of a `*TIE` as CalculiX does: nodes of the first surface are moved onto faces of the second.

    Nodes that are too far away or beside the second surface stay free, with a remark. Raises Misuse.
    """
    card.require_only("NAME", "POSITIONTOLERANCE", "ADJUST", "TYPE", "NOROTATION")
    if card.get("TYPE") not in (None, "SURFACETOSURFACE", "NODETOSURFACE"):
        raise card.refused(f"with TYPE={card.get('TYPE')} is not supported; expected surfaces of the deck")
    if card.get("ADJUST") not in (None, "YES", "NO"):
        raise card.refused(f"with ADJUST={card.get('ADJUST')} is not supported; expected YES or NO")
    body = links.body
    for row in card.rows():
        slaves = nodes_of_surface(body, row, 0, space)
        master = MasterSurface(body.places, surface_named(body, row, 1, space))
        most = _tolerance(card, row, master)
        found: list[tuple[int, OnFace]] = []
        beside: list[int] = []
        for node in slaves.tolist():
            place = master.nearest(body.places[node])
            if place is None or place.distance > most:
                beside.append(node)
                continue
            if card.get("ADJUST") != "NO":
                body.places[node] = place.place
            found.append((node, place))
        for node, place in found:
            _tie(links, node, place, row.where)
        _remark(links, card, np.array(beside, np.int64), len(slaves), most)


def _tolerance(card: Card, row: Row, master: MasterSurface) -> float:
    said = card.get("POSITIONTOLERANCE")
    found = 0.0 if said is None else real(Row(card.line, [said]), 0, "a position tolerance")
    if found < 0:
        raise Misuse(f"{row.where}: the position tolerance is {found:g}; expected 0 or more")
    return found if found > 1e-10 else master.near


def _tie(links: Links, node: int, place: OnFace, where: str) -> None:
    """Tie those directions of a node that are neither held nor determined by another equation."""
    if node in place.nodes[np.abs(place.shares) > _SMALL].tolist():
        return  # it is a node of the face
    turned = bool(links.turns.turned(np.array([node]))[0])
    for axis in range(3):
        if not turned and not links.is_free(node, axis):
            continue
        terms: list[Term] = [(node, axis, 1.0)]
        terms += [
            (int(other), axis, -float(share))
            for other, share in zip(place.nodes, place.shares, strict=True)
            if abs(share) > _SMALL
        ]
        links.add_in_space(terms, 0.0, where)
        links.determine(node, axis, where)


def _remark(links: Links, card: Card, beside: Whole, count: int, most: float) -> None:
    if len(beside) == 0:
        return
    if len(beside) == count:
        raise card.refused(
            f"ties nothing: none of its {plural(count, 'node')} is within {most:.3g} of the second surface; "
            "expected touching surfaces, or a larger POSITION TOLERANCE"
        )
    name = links.body.node_name(int(beside[0]))
    links.remarks.append(
        f"{card.where}: {plural(len(beside), 'node')} of {count}, such as {name}, not tied: no face of the second "
        f"surface is within {most:.3g}"
    )
