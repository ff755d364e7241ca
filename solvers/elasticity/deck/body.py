"""All nodes and elements of a deck in one numbering, and look-up by number or set name."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

import numpy as np

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.cards import Card, Row, name_of, shown
from rooftop.solvers.elasticity.deck.kinds import SHAPES, SOLIDS
from rooftop.solvers.elasticity.deck.model import Deck
from rooftop.solvers.elasticity.deck.sets import NodesOfSpace, Numbers, nodes_of_space, within
from rooftop.solvers.elasticity.deck.space import Elements, Member, Space
from rooftop.solvers.elasticity.deck.values import is_whole
from rooftop.solvers.elasticity.mesh.arguments import Array, Whole
from rooftop.solvers.elasticity.mesh.boundary import Boundary
from rooftop.solvers.elasticity.mesh.kinds import KINDS, FaceKind, kind_of_face
from rooftop.text.plural import plural

_NESTED_MAX = 100  # levels of sets in sets


@dataclass(frozen=True)
class Block:
    """Elements of one card.

    kind    element type, such as C3D8
    labels  element numbers in the deck, (elements,)
    nodes   indices among all nodes of the body, (elements, nodes per element)
    first   index of the first element among all elements of the body
    """

    card: Card
    space: Space
    kind: str
    labels: Whole
    nodes: Whole
    first: int


class Body:
    """Nodes and elements of the model and all instances, each with an index from 0, in the order of the deck."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self._nodes: dict[str, NodesOfSpace] = {}
        self._elements: dict[str, Numbers] = {}
        self.blocks: list[Block] = []
        nodes = elements = 0
        for space in deck.spaces:
            found = self._nodes[space.name] = nodes_of_space(space, nodes)
            nodes += len(found.labels)
            labels = np.concatenate([np.empty(0, np.int64), *(part.labels for part in space.elements)])
            self._elements[space.name] = Numbers.of(labels, elements)
            if len(self._elements[space.name].labels) < len(labels):
                raise Misuse(_again(space, labels))
            for part in space.elements:
                self.blocks.append(self._block(space, part, elements))
                elements += len(part.labels)
        self.nodes_count, self.elements_count = nodes, elements
        self.places: Array = np.concatenate([one.places for one in self._nodes.values()])
        self._added: list[Whole] = []  # for each added node the node that it replaces, or itself
        self.rotation_of: dict[int, int] = {}  # by node: the added node whose displacement is its rotation
        self._of_block = np.repeat(np.arange(len(self.blocks)), [len(one.labels) for one in self.blocks])

    def _block(self, space: Space, part: Elements, first: int) -> Block:
        numbers = self._nodes[space.name].numbers
        known = numbers.known(part.nodes.ravel()).reshape(part.nodes.shape)
        if not known.all():
            row, column = np.argwhere(~known)[0]
            raise Misuse(
                f"{part.card.where}: element {part.labels[row]} has node {part.nodes[row, column]}, which is not "
                f"defined{_of(space)}; expected nodes of a *NODE"
            )
        return Block(
            part.card, space, part.kind, part.labels, numbers.at(part.nodes.ravel()).reshape(part.nodes.shape), first
        )

    def add_nodes(self, places: Array, instead_of: Whole | None = None) -> Whole:
        """Add nodes without numbers after all others. Return their indices.

        instead_of  nodes that the new ones replace in elements; None: they replace none
        """
        new = self.nodes_count + np.arange(len(places))
        self._added.append(new if instead_of is None else instead_of)
        self.places = np.concatenate([self.places, places])
        self.nodes_count += len(places)
        return new

    def let_rotate(self, node: int) -> None:
        """Add a rotation to a node that has none, stored as the displacement of an added node."""
        if node not in self.rotation_of:
            self.rotation_of[node] = int(self.add_nodes(self.places[[node]])[0])

    def rotating(self, nodes: Whole) -> Whole:
        """Return the added nodes that store the rotations of `nodes`, for those that have rotations."""
        return np.array([self.rotation_of[node] for node in nodes.tolist() if node in self.rotation_of], np.int64)

    def originals(self) -> Whole:
        """Return for each node the node that it replaces; itself if it replaces none."""
        own = np.arange(self.nodes_count - sum(map(len, self._added)))
        return np.concatenate([own, *self._added])

    def node_name(self, index: int) -> str:
        """Return the number of a node, preceded by the name of its instance."""
        for name, nodes in self._nodes.items():
            if index < nodes.first + len(nodes.labels):
                return f"{name}.{nodes.labels[index - nodes.first]}".lstrip(".")
        return str(index)

    def node_labels(self) -> Whole:
        """Return the numbers of all nodes, (nodes,): instances may repeat them, and added nodes have 0."""
        added = np.zeros(sum(map(len, self._added)), np.int64)
        return np.concatenate([*(nodes.labels for nodes in self._nodes.values()), added])

    def element_name(self, index: int) -> str:
        """Return the number of an element, preceded by the name of its instance."""
        block = self.blocks[self._of_block[index]]
        return f"{block.space.name}.{block.labels[index - block.first]}".lstrip(".")

    def split(self, token: str, space: Space, sets: Container[str]) -> tuple[Space, str]:
        """Return the space that a number or set name such as ``PART-1.TOP`` refers to, and the rest of the name."""
        if is_whole(token) or token in sets or space is not self.deck.root:
            return space, token
        for dot in (at for at, sign in enumerate(token) if sign == "."):
            if token[:dot] in self.deck.instances:
                return self.deck.instances[token[:dot]], token[dot + 1 :]
        return space, token

    def _sets(self, space: Space, of_nodes: bool) -> dict[str, list[Member]]:
        return space.node_sets if of_nodes else space.element_sets

    def _find(self, row: Row, token: str, space: Space, of_nodes: bool, depth: int = 0) -> Whole:
        """Return the indices for a number or the name of a set. Raises Misuse."""
        where, name = self.split(token, space, self._sets(space, of_nodes))
        what = "node" if of_nodes else "element"
        numbers = self._nodes[where.name].numbers if of_nodes else self._elements[where.name]
        if is_whole(name):
            found = np.array([int(name)], np.int64) if len(name) < 12 else np.empty(0, np.int64)
            if not len(found) or not numbers.known(found).all():
                raise Misuse(f"{row.where}: {what} {name} is not defined{_of(where)}; expected a defined {what}")
            return numbers.at(found)
        sets = self._sets(where, of_nodes)
        if name not in sets:
            raise Misuse(f"{row.where}: {shown(name)} is not a set of {what}s{_of(where)}; expected a set or a number")
        if depth > _NESTED_MAX:
            raise Misuse(f"{row.where}: set {shown(name)} is a member of itself; expected other members")
        parts = [self._members(member, where, of_nodes, depth) for member in sets[name]]
        return np.concatenate([np.empty(0, np.int64), *parts])

    def _members(self, member: Member, space: Space, of_nodes: bool, depth: int) -> Whole:
        if member.instance is not None:
            if member.instance not in self.deck.instances:
                raise Misuse(f"{member.row.where}: {shown(member.instance)} is not an instance; expected a defined one")
            space = self.deck.instances[member.instance]
        numbers = self._nodes[space.name].numbers if of_nodes else self._elements[space.name]
        if member.span is not None:  # a range may include undefined numbers
            return numbers.at(within(numbers.labels, member.span))
        if member.numbers is None:
            if of_nodes and member.name.startswith("ELSET="):
                elements = self._find(member.row, member.name.removeprefix("ELSET="), space, False, depth + 1)
                return self.nodes_of_elements(elements)
            return self._find(member.row, member.name, space, of_nodes, depth + 1)
        known = numbers.known(member.numbers)
        if not known.all():
            what, lost = "node" if of_nodes else "element", member.numbers[np.argmin(known)]
            raise Misuse(f"{member.row.where}: {what} {lost} is not defined{_of(space)}; expected defined members")
        return numbers.at(member.numbers)

    def nodes_named(self, row: Row, number: int, space: Space | None = None) -> Whole:
        """Return the nodes of a field, which has a number or the name of a set. Raises Misuse."""
        return self._find(row, name_of(row.field(number)), space or self.deck.root, True)

    def elements_named(self, row: Row, token: str, space: Space | None = None) -> Whole:
        """Return the elements for a number or the name of a set. Raises Misuse."""
        return np.unique(self._find(row, token, space or self.deck.root, False))

    def nodes_of_elements(self, elements: Whole) -> Whole:
        """Return the nodes of some elements, each once."""
        parts = [block.nodes[rows].ravel() for block, rows in self.by_block(elements)]
        return np.unique(np.concatenate([np.empty(0, np.int64), *parts]))

    def by_block(self, elements: Whole) -> list[tuple[Block, Whole]]:
        """Return the blocks that contain some elements, and the rows of the elements in each block."""
        of = self._of_block[elements]
        return [(self.blocks[one], elements[of == one] - self.blocks[one].first) for one in np.unique(of)]

    def faces(self, row: Row, elements: Whole, face: int) -> Boundary:
        """Return face number `face`, from 1 as in decks, of each solid. Raises Misuse for other elements."""
        found: dict[FaceKind, list[Whole]] = {}
        for block, rows in self.by_block(elements):
            if block.kind not in SHAPES:
                name = self.element_name(block.first + int(rows[0]))
                raise Misuse(f"{row.where}: element {name} is a {block.kind}; expected a solid: {', '.join(SOLIDS)}")
            faces = KINDS[SHAPES[block.kind]].faces
            if face > len(faces):
                raise Misuse(f"{row.where}: a {block.kind} has no face {face}; expected 1 to {len(faces)}")
            nodes = faces[face - 1]
            found.setdefault(kind_of_face(len(nodes), SHAPES[block.kind]), []).append(block.nodes[rows][:, nodes])
        return Boundary({kind: np.concatenate(parts) for kind, parts in found.items()})


def _of(space: Space) -> str:
    return f" in {shown(space.name)}" if space.name else ""


def _again(space: Space, labels: Whole) -> str:
    unique, count = np.unique(labels, return_counts=True)
    wrong = unique[count > 1]
    for part in space.elements:
        if np.isin(part.labels, wrong).any():
            return (
                f"{part.card.where}: element {wrong[0]} is defined more than once{_of(space)}, like "
                f"{plural(len(wrong), 'element')} in all; expected each number once"
            )
    return ""
