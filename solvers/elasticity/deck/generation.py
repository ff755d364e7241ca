"""Cards that generate nodes and elements from others: `*NGEN`, `*NFILL` and `*ELGEN`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.cards import Card, Row, name_of, shown
from rooftop.solvers.elasticity.deck.sets import members_of, nodes_of_space
from rooftop.solvers.elasticity.deck.space import Elements, Member, Space
from rooftop.solvers.elasticity.deck.values import MOST, label, whole
from rooftop.solvers.elasticity.mesh.arguments import Array, Whole

_GENERATED_MAX = 10_000_000  # nodes or elements of one line


def _require_few(row: Row, count: int) -> None:
    if not 0 < count <= _GENERATED_MAX:
        raise Misuse(f"{row.where}: it generates {count} nodes or elements; expected from 1 to {_GENERATED_MAX}")


def _between(row: Row, low: tuple[int, Array], high: tuple[int, Array], step: int) -> tuple[Whole, Array]:
    """Return the numbers and places of nodes at equal distances from one to another, both included."""
    (first, start), (last, end) = low, high
    if step == 0 or (last - first) % step or (last - first) // step < 1:
        raise Misuse(
            f"{row.where}: {first} to {last} is not a multiple of {step}; expected a step that leads to the last"
        )
    count = (last - first) // step
    _require_few(row, count)
    share = np.arange(count + 1)[:, None] / count
    return first + step * np.arange(count + 1), start + share * (end - start)


def _generate_nodes(card: Card, space: Space) -> None:
    """Take an `*NGEN`: nodes on a straight line between two that there are."""
    card.require_only("NSET")
    everything = [np.empty(0, np.int64)]
    for row in card.rows():
        nodes = nodes_of_space(space, 0)
        ends = np.array([label(row, k, "the number of a node") for k in (0, 1)])
        if any(row.fields[3:]):
            raise Misuse(
                f"{row.where}: {shown(row.line.text.strip())} is not a straight line; expected two nodes and a step"
            )
        if not nodes.numbers.known(ends).all():
            raise Misuse(f"{row.where}: node {ends[0]} or {ends[1]} is not defined; expected existing nodes")
        start, end = nodes.places[nodes.numbers.at(ends)]
        sign = 1 if ends[1] > ends[0] else -1
        step = sign * abs(whole(row, 2, "a step", 1))
        labels, places = _between(row, (int(ends[0]), start), (int(ends[1]), end), step)
        space.labels.append(labels[1:-1])
        space.places.append(places[1:-1])
        everything.append(labels)
    if card.get("NSET") is not None:
        member = Member(Row(card.line, []), None, np.concatenate(everything))
        space.add_to_set(space.node_sets, card.required("NSET"), member)


def _fill_nodes(card: Card, space: Space) -> None:
    """Take an `*NFILL`: nodes on straight lines between those of two sets."""
    card.require_only("NSET")
    everything = [np.empty(0, np.int64)]
    for row in card.rows():
        nodes = nodes_of_space(space, 0)
        bounds = []
        for number in (0, 1):
            name = name_of(row.field(number))
            if name not in space.node_sets:
                raise Misuse(
                    f"{row.where}: {shown(name)} is not a set of nodes; expected two of them, intervals and a step"
                )
            found = np.unique(members_of(space, space.node_sets, name))
            if not nodes.numbers.known(found).all():
                raise Misuse(f"{row.where}: {shown(name)} has nodes that are not defined; expected existing nodes")
            bounds.append(found)
        count, step = whole(row, 2, "the number of intervals", 1), whole(row, 3, "a step", 1)
        _require_few(row, count * len(bounds[0]))
        if len(bounds[0]) != len(bounds[1]):
            raise Misuse(f"{row.where}: the sets have {len(bounds[0])} and {len(bounds[1])} nodes; expected as many")
        start, end = (nodes.places[nodes.numbers.at(bound)] for bound in bounds)
        for part in range(1, count):
            labels = bounds[0] + part * step
            if labels.min() < 1 or labels.max() > MOST:
                raise Misuse(f"{row.where}: it generates node {labels.max()}; expected numbers from 1 to {MOST}")
            space.labels.append(labels)
            space.places.append(start + part / count * (end - start))
            everything.append(labels)
        everything += bounds
    if card.get("NSET") is not None:
        member = Member(Row(card.line, []), None, np.concatenate(everything))
        space.add_to_set(space.node_sets, card.required("NSET"), member)


def _generate_elements(card: Card, space: Space) -> None:
    """Take an `*ELGEN`: rows, columns and layers of an element that there is."""
    card.require_only("ELSET")
    everything = [np.empty(0, np.int64)]
    for row in card.rows():
        master = label(row, 0, "the number of an element")
        found = [(part, np.flatnonzero(part.labels == master)) for part in space.elements]
        there = [(part, int(at[0])) for part, at in found if len(at)]
        if not there:
            raise Misuse(f"{row.where}: element {master} is not defined; expected an existing element")
        part, at = there[-1]
        labels, nodes = part.labels[at : at + 1], part.nodes[at : at + 1]
        for first in (1, 4, 7):
            count = whole(row, first, "how many elements", 1)
            node_step, element_step = (whole(row, first + k, "a step", 1) for k in (1, 2))
            _require_few(row, count * len(labels))
            many = np.arange(count)
            labels = (labels + element_step * many[:, None]).ravel()
            nodes = (nodes[None] + node_step * many[:, None, None]).reshape(-1, nodes.shape[1])
        if min(labels.min(), nodes.min()) < 1 or max(labels.max(), nodes.max()) > MOST:
            raise Misuse(f"{row.where}: it generates numbers outside of 1 to {MOST}; expected smaller steps")
        space.elements.append(Elements(card, part.kind, labels[1:], nodes[1:]))
        everything.append(labels)
    if card.get("ELSET") is not None:
        member = Member(Row(card.line, []), None, np.concatenate(everything))
        space.add_to_set(space.element_sets, card.required("ELSET"), member)


GENERATORS: dict[str, Callable[[Card, Space], None]] = {
    "NGEN": _generate_nodes,
    "NFILL": _fill_nodes,
    "ELGEN": _generate_elements,
}
