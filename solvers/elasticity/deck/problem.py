"""Arrays for the solver from the first step of a deck, or the mesh of a deck without a step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.body import Body
from rooftop.solvers.elasticity.deck.cards import Card, Row, name_of
from rooftop.solvers.elasticity.deck.constitution import Constitution, Made
from rooftop.solvers.elasticity.deck.couplings import add_rotations, take_coupling
from rooftop.solvers.elasticity.deck.equations import take_equations
from rooftop.solvers.elasticity.deck.kinds import SHAPES, is_surface
from rooftop.solvers.elasticity.deck.links import Links
from rooftop.solvers.elasticity.deck.model import Deck
from rooftop.solvers.elasticity.deck.mpcs import take_mpcs
from rooftop.solvers.elasticity.deck.pretension import take_pretension
from rooftop.solvers.elasticity.deck.properties import Properties
from rooftop.solvers.elasticity.deck.rigid_bodies import take_rigid_body
from rooftop.solvers.elasticity.deck.solids import Solids, solids_of
from rooftop.solvers.elasticity.deck.space import Space
from rooftop.solvers.elasticity.deck.step import Loaded, loaded, model_supports, require_linear_static, step_supports
from rooftop.solvers.elasticity.deck.supports import Supports
from rooftop.solvers.elasticity.deck.surfaces import faces_of
from rooftop.solvers.elasticity.deck.temperatures import temperatures_of
from rooftop.solvers.elasticity.deck.ties import take_tie
from rooftop.solvers.elasticity.deck.turns import Turns
from rooftop.solvers.elasticity.files.contents import Contents, Group
from rooftop.solvers.elasticity.mesh.arguments import Array, Whole
from rooftop.solvers.elasticity.mesh.boundary import Boundary
from rooftop.solvers.elasticity.mesh.element_checks import sound
from rooftop.solvers.elasticity.mesh.kinds import KINDS, FaceKind, kind_of_face
from rooftop.solvers.elasticity.problem import require_memory


@dataclass(frozen=True)
class StepOfDeck:
    """Mesh, material, loads and supports of the first step of a deck.

    contents  mesh with checked elements
    made      elasticity of its elements, ordered by kind
    initial   initial and thermal stress at the centres of elements, (elements, 3, 3); None: zero
    asked     loads, supports and constraints at its nodes
    """

    contents: Contents
    made: Made
    initial: Array | None
    asked: Loaded


def step_of_deck(deck: Deck, available: int) -> StepOfDeck:
    """Return the contents of the first step. Raises Misuse unless it is a linear static step of solids.

    available  available memory in bytes
    """
    require_linear_static(deck)
    body = Body(deck)
    add_rotations(body)
    links = links_of(body, step_supports(body))
    properties = Properties(body, temperatures_of(body))
    solids = solids_of(body, {number // 3 for row in links.constraints.rows for number in row})
    count = len(solids.nodes)
    require_memory(str(deck.path), f"{count} nodes", count, available, coordinates=True)
    constitution = Constitution(body, solids, properties)
    made, strained = constitution.made(), constitution.strained()
    asked = loaded(body, solids, properties, links, strained.forces)
    remarks = [*solids.remarks, *constitution.remarks, *asked.remarks]
    contents = sound(Contents(deck.path, solids.places, solids.elements, {}, [], {}, remarks))
    for kind, cells in contents.elements.items():
        if cells is not solids.elements[kind]:
            raise Misuse(f"{deck.path}: its {KINDS[kind].many} are all inverted; expected nodes in Abaqus's order")
    return StepOfDeck(contents, made, strained.centre, asked)


def deck_name(contents: Contents, name: str) -> str:
    """Return the name of the group with this spelling or, if there is none, with the same name in a deck."""
    return name if name in contents.groups else name_of(name) if name_of(name) in contents.groups else name


def contents_of_deck(deck: Deck) -> tuple[Contents, tuple[Array, Array] | None]:
    """Return the mesh of a deck without a step, with its named groups, and Young's moduli and Poisson's ratios if any.

    Raises Misuse unless it is a mesh of solids.
    """
    body = Body(deck)
    properties = Properties(body, temperatures_of(body))
    solids = solids_of(body)
    supports = model_supports(body)
    for card, _ in deck.links:
        raise card.refused("constrains displacements without a *STEP, which is not supported; expected a *STEP")
    if supports.values.any():
        raise deck.supports[0].refused("prescribes displacements without a *STEP; expected a *STEP, or only supports")
    groups: dict[str, Group] = {}
    for space in [*deck.instances.values(), deck.root]:  # the model's own names take precedence
        prefix = f"{space.name}." if space.name else ""
        for name, group in _groups(body, solids, space).items():
            groups[prefix + name] = group
            if prefix and len(deck.instances) == 1:
                groups[name] = group
    _require_no_turns(body, supports)
    held = supports.held[solids.nodes]
    contents = Contents(
        deck.path, solids.places, solids.elements, groups, [], {}, solids.remarks, held if held.any() else None
    )
    if not properties.any:
        return contents, None
    if deck.initial:
        raise deck.initial[0].refused("is in a deck without a *STEP, which is not supported; expected a *STEP")
    made = Constitution(body, solids, properties).made()
    if made.stiffness is not None:
        raise Misuse(f"{deck.path}: it has an anisotropic or varying material, but no *STEP; expected a *STEP")
    return contents, (made.young, made.poisson)


def _require_no_turns(body: Body, supports: Supports) -> None:
    """Raise Misuse if a node has a *TRANSFORM and only some of its directions are held."""
    partly = np.flatnonzero(supports.held.any(axis=1) & ~supports.held.all(axis=1))
    if Turns(body).turned(partly).any():
        name = body.node_name(int(partly[Turns(body).turned(partly)][0]))
        raise body.deck.transforms[0][0].refused(
            f"rotates the supports of node {name} without a *STEP, which is not supported; expected a *STEP"
        )


def _groups(body: Body, solids: Solids, space: Space) -> dict[str, Group]:
    """Return the named groups of a space: sets of nodes, surfaces, and sets of shells."""
    groups: dict[str, Group] = {}
    for name in space.node_sets:
        if not space.node_sets[name]:
            continue
        row = Row(space.node_sets[name][0].row.line, [f'"{name}"'])
        index = solids.index[body.nodes_named(row, 0, space)]
        mask = np.zeros(len(solids.nodes), dtype=np.bool_)
        mask[index[index >= 0]] = True
        if mask.any():
            groups[name] = Group(nodes=mask)
    for name, members in space.element_sets.items():
        faces = _faces_of_shells(body, solids, body.elements_named(members[0].row, name, space)) if members else None
        if faces is not None and len(faces):
            groups[name] = Group(faces)
    for name, surface in space.surfaces.items():
        if not surface.of_nodes:
            faces = faces_of(body, surface, space)
            groups[name] = Group(Boundary({kind: solids.index[cells] for kind, cells in faces.faces.items()}))
    return groups


def _faces_of_shells(body: Body, solids: Solids, elements: Whole) -> Boundary:
    """Return the shells and other surface elements among some elements as faces, if solids have all their nodes."""
    found: dict[FaceKind, list[Whole]] = {}
    for block, rows in body.by_block(elements):
        if block.kind in SHAPES or not is_surface(block.kind):
            continue
        cells = solids.index[block.nodes[rows]]
        if (cells >= 0).all() and cells.shape[1] in (3, 4, 6, 8):
            found.setdefault(kind_of_face(cells.shape[1]), []).append(cells)
    return Boundary({kind: np.concatenate(parts) for kind, parts in found.items()})


_TAKE: dict[str, Callable[[Links, Card, Space], None]] = {
    "COUPLING": take_coupling,
    "EQUATION": take_equations,
    "KINEMATIC": take_coupling,
    "MPC": take_mpcs,
    "PRE-TENSIONSECTION": take_pretension,
    "RIGIDBODY": take_rigid_body,
    "TIE": take_tie,
}


def links_of(body: Body, supports: Supports) -> Links:
    """Return the constraints of a deck for the supports of its step. Raises Misuse for unsupported ones."""
    links = Links(body, Turns(body), supports)
    for card, space in body.deck.links:
        _TAKE[card.keyword](links, card, space)
    return links
