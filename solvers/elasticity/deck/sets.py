"""Node and element numbers of a space, and the members of its sets."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.cards import shown
from rooftop.solvers.elasticity.deck.space import Member, Space
from rooftop.solvers.elasticity.mesh.arguments import Array, Whole

_NESTED_MAX = 100  # levels of sets in sets


def within(labels: Whole, span: range) -> Whole:
    """Return the labels that are in a range."""
    there = (labels >= span.start) & (labels < span.stop)
    result: Whole = labels[there & ((labels - span.start) % span.step == 0)]
    return result


def members_of(space: Space, sets: dict[str, list[Member]], name: str, seen: tuple[str, ...] = ()) -> Whole:
    """Return the numbers in a set of one space, in the order given. Raises Misuse for members of instances."""
    parts = [np.empty(0, np.int64)]
    for member in sets[name]:
        if member.instance is not None:
            raise Misuse(f"{member.row.where}: set {shown(name)} has members of an instance; expected no instance")
        if member.span is not None:
            known = space.labels if sets is space.node_sets else [part.labels for part in space.elements]
            parts.append(within(np.unique(np.concatenate([np.empty(0, np.int64), *known])), member.span))
        elif member.numbers is not None:
            parts.append(member.numbers)
        elif member.name.startswith("ELSET=") and sets is space.node_sets:
            parts.append(_nodes_of_elements(space, member))
        elif member.name not in sets:
            raise Misuse(f"{member.row.where}: {shown(member.name)} is not a set; expected a set or a number")
        elif member.name in seen or len(seen) > _NESTED_MAX:
            raise Misuse(f"{member.row.where}: set {shown(member.name)} is a member of itself; expected other members")
        else:
            parts.append(members_of(space, sets, member.name, (*seen, name)))
    return np.concatenate(parts)


def _nodes_of_elements(space: Space, member: Member) -> Whole:
    name = member.name.removeprefix("ELSET=")
    if name not in space.element_sets:
        raise Misuse(f"{member.row.where}: {shown(name)} is not a set of elements; expected the name of an *ELSET")
    wanted = members_of(space, space.element_sets, name)
    found = [part.nodes[np.isin(part.labels, wanted)].ravel() for part in space.elements]
    return np.unique(np.concatenate([np.empty(0, np.int64), *found]))


@dataclass
class Numbers:
    """Map from the node or element numbers of a space to array indices.

    labels   numbers in increasing order
    indices  index of each
    """

    labels: Whole
    indices: Whole

    @classmethod
    def of(cls, labels: Whole, first: int) -> Numbers:
        """Return the map of labels in array order from index `first`. Of equal labels the last one is used."""
        backwards = labels[::-1]
        found, index = np.unique(backwards, return_index=True)
        return cls(found, first + len(labels) - 1 - index)

    def known(self, labels: Whole) -> NDArray[np.bool_]:
        """Return the mask of the labels that exist."""
        if not len(self.labels):
            return np.zeros(len(labels), dtype=np.bool_)
        at = np.minimum(np.searchsorted(self.labels, labels), len(self.labels) - 1)
        result: NDArray[np.bool_] = self.labels[at] == labels
        return result

    def at(self, labels: Whole) -> Whole:
        """Return the indices of labels, all of which must exist."""
        result: Whole = self.indices[np.searchsorted(self.labels, labels)]
        return result


@dataclass
class NodesOfSpace:
    """Nodes of a space, each once.

    numbers  map from node numbers to indices among all nodes of the body
    labels   node numbers, (nodes,)
    places   coordinates, (nodes, 3)
    first    index of the first node among all nodes of the body
    """

    numbers: Numbers
    labels: Whole
    places: Array
    first: int = field(default=0)


def nodes_of_space(space: Space, first: int) -> NodesOfSpace:
    """Return the nodes of a space in the order of the deck. Of equal numbers the last one is used."""
    labels = np.concatenate([np.empty(0, np.int64), *space.labels])
    places = np.concatenate([np.empty((0, 3)), *space.places])
    numbers = Numbers.of(labels, 0)
    order = np.sort(numbers.indices)
    kept = Numbers(numbers.labels, first + np.searchsorted(order, numbers.indices))
    return NodesOfSpace(kept, labels[order], places[order], first)
