"""Supports and loads of the first step of a deck, which must be linear static."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.amplitude import factor_at_end
from rooftop.solvers.elasticity.deck.body import Body
from rooftop.solvers.elasticity.deck.links import Links, renumbered
from rooftop.solvers.elasticity.deck.loads import Loads
from rooftop.solvers.elasticity.deck.model import Deck, Step
from rooftop.solvers.elasticity.deck.properties import Properties
from rooftop.solvers.elasticity.deck.solids import Solids
from rooftop.solvers.elasticity.deck.supports import Supports
from rooftop.solvers.elasticity.mesh.arguments import Array
from rooftop.solvers.elasticity.mesh.constraints import Constraints
from rooftop.text.plural import plural


@dataclass(frozen=True)
class Loaded:
    """Loads, supports and constraints of a step. Arrays are (nodes, 3): nodes of solids, then other nodes.

    prescribed   prescribed displacements; None: zero
    constraints  equations between displacements; None: none
    others       coordinates of nodes of constraints that belong to no solid, (others, 3)
    """

    forces: NDArray[np.float64]
    held: NDArray[np.bool_]
    prescribed: NDArray[np.float64] | None
    remarks: list[str]
    constraints: Constraints | None
    others: NDArray[np.float64]


def require_linear_static(deck: Deck) -> Step:
    """Return the first step. Raises Misuse unless it is linear static."""
    step = deck.steps[0]
    if step.procedure is None:
        raise step.card.refused("has no *STATIC; expected a linear static step")
    if step.procedure.keyword != "STATIC":
        raise step.procedure.refused("is not supported; expected a linear static step")
    return step


def model_supports(body: Body) -> Supports:
    """Return the supports before the first step."""
    supports = Supports(body)
    for card in body.deck.supports:
        supports.take(card, factor_at_end(body.deck, body.deck.steps[0], card) if body.deck.steps else 1.0)
    return supports


def step_supports(body: Body) -> Supports:
    """Return the supports of the first step. Raises Misuse unless it is linear static."""
    deck = body.deck
    step = require_linear_static(deck)
    boundaries = [card for card in step.cards if card.keyword == "BOUNDARY"]
    fresh = any(card.get("OP") == "NEW" for card in boundaries)
    supports = Supports(body) if fresh else model_supports(body)
    for card in boundaries:
        supports.take(card, factor_at_end(deck, step, card))
    return supports


def loaded(body: Body, solids: Solids, properties: Properties, links: Links, strained: Array) -> Loaded:
    """Return the loads, supports and constraints of the first step. Raises Misuse for unsupported ones.

    strained  nodal forces of initial and thermal stresses, (nodes of the body, 3)
    """
    deck = body.deck
    step = require_linear_static(deck)
    loads = Loads(body, properties, links.turns)
    for card in step.cards:
        if card.keyword != "BOUNDARY":
            loads.take(card, factor_at_end(deck, step, card))
    held, values = links.held_in_space()
    loads.take_networks(held, values)
    taking_part = np.zeros((body.nodes_count, 3), dtype=np.bool_)
    taking_part.ravel()[links.constraints.numbers()] = True
    _require_in_solids(body, solids, loads, taking_part)
    forces = loads.forces + strained
    remarks = links.remarks.copy()
    if len(deck.steps) > 1:
        remarks.append(
            f"{deck.path}: only the first of {plural(len(deck.steps), 'step')} is solved, that of line "
            f"{step.card.line.number}"
        )
    others = np.flatnonzero(taking_part.any(axis=1) & (solids.index < 0))
    held[others] |= ~taking_part[others]  # components without stiffness and constraints
    nodes = np.concatenate([solids.nodes, others])
    index = np.full(body.nodes_count, -1, np.int64)
    index[nodes] = np.arange(len(nodes))
    constraints, lengths = renumbered(links.constraints, index).with_alike_units()
    prescribed, forces = values[nodes], forces[nodes]
    for number, length in lengths.items():
        prescribed[number // 3, number % 3] *= length
        forces[number // 3, number % 3] /= length
    return Loaded(
        forces,
        held[nodes],
        prescribed if prescribed.any() else None,
        remarks,
        constraints if len(constraints) else None,
        np.ascontiguousarray(body.places[others]),
    )


def _require_in_solids(body: Body, solids: Solids, loads: Loads, taking_part: NDArray[np.bool_]) -> None:
    """Raise Misuse for a force on a node that belongs to no solid and no constraint."""
    for row, nodes in loads.named:
        lost = nodes[(~solids.holds(nodes)) & ((loads.forces[nodes] != 0) & ~taking_part[nodes]).any(axis=1)]
        if len(lost):
            raise Misuse(
                f"{row.where}: node {body.node_name(int(lost[0]))} is loaded, but belongs to no solid; expected a node "
                "of a solid"
            )
