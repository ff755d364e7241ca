"""`*MPC` of type MEANROT: the mean rotation of a group of nodes.

PLANE and STRAIGHT are not supported: CalculiX treats them as nonlinear, even in linear steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.cards import Card, Row, name_of, shown
from rooftop.solvers.elasticity.deck.links import Links, Term
from rooftop.solvers.elasticity.deck.space import Space
from rooftop.solvers.elasticity.deck.values import is_whole
from rooftop.solvers.elasticity.mesh.arguments import Array

_ON_AXIS = 1e-10  # of the mean squared distance of nodes from their centre: nearer nodes are on the axis


def take_mpcs(links: Links, card: Card, space: Space) -> None:
    """Add the equations of an `*MPC` as CalculiX does. Raises Misuse for other types."""
    card.require_only()
    for row, kind, nodes in _given(links, card, space):
        if kind not in _TAKE:
            raise Misuse(f"{row.where}: *MPC of type {shown(kind)} is not supported; expected {', '.join(_TAKE)}")
        _TAKE[kind](links, row, nodes)


def _given(links: Links, card: Card, space: Space) -> Iterator[tuple[Row, str, list[int]]]:
    """Yield the first line, the type and the nodes of each constraint; a line that begins with 0 continues it."""
    begun: tuple[Row, str, list[int]] | None = None
    for row in card.rows():
        first = name_of(row.field(0))
        if is_whole(first):
            if begun is None or int(first) != 0:
                raise Misuse(f"{row.where}: {shown(first)} is not a type of *MPC; expected {', '.join(_TAKE)}")
        else:
            if begun is not None:
                yield begun
            begun = (row, first, [])
        for text in row.fields[1:]:
            if text and text != "0":
                begun[2].extend(links.body.nodes_named(Row(row.line, [text]), 0, space).tolist())
    if begun is not None:
        yield begun


def _mean_rotation(links: Links, row: Row, nodes: list[int]) -> None:
    """Equate the mean rotation to displacement 1 of the last node, whose coordinates are the axis direction."""
    many, last = nodes[:-1], nodes[-1] if nodes else 0
    if len(many) < 6 or len(many) % 3 or any(len(set(many[at : at + 3])) != 1 for at in range(0, len(many), 3)):
        raise Misuse(
            f"{row.where}: MEANROT has {len(nodes)} nodes; expected two or more, each three times, and one for the axis"
        )
    many = many[::3]
    axis = links.body.places[last]
    largest = float(np.abs(axis).max())
    if not largest > 0:
        raise Misuse(
            f"{row.where}: node {links.body.node_name(last)} is at the origin; expected the direction of the axis as "
            "its coordinates"
        )
    axis = axis / largest
    axis = axis / np.linalg.norm(axis)
    arms = links.body.places[many] - links.body.places[many].mean(axis=0)
    size = float(np.abs(arms).max()) or 1.0
    arms = arms / size
    spread = float(np.square(arms).sum(axis=1).mean())
    arms -= np.outer(arms @ axis, axis)
    squares = np.square(arms).sum(axis=1)
    off_axis = squares > _ON_AXIS * spread
    if not off_axis.any():
        raise Misuse(f"{row.where}: all nodes of MEANROT lie on its axis; expected nodes off the axis")
    turning: Array = np.cross(axis, arms) / (size * np.where(off_axis, squares, 1.0))[:, None]
    turning[~off_axis] = 0.0
    turning -= turning.mean(axis=0)  # relative to the nodes' mean displacement
    links.constraints.rotations.add(3 * last)
    terms = [(node, c, float(turning[at, c])) for at, node in enumerate(many) for c in range(3)]
    _add(links, [*terms, (last, 0, -float(len(many)))], row)


def _add(links: Links, terms: list[Term], row: Row) -> None:
    """Add an equation along x, y and z that determines the largest of its first node's terms."""
    kept = [term for term in terms if term[2] != 0]
    links.add_in_space(sorted(kept, key=lambda term: (term[0] != terms[0][0], -abs(term[2]))), 0.0, row.where)


_TAKE: dict[str, Callable[[Links, Row, list[int]], None]] = {
    "MEANROT": _mean_rotation,
}
