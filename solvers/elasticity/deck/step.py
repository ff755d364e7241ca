"""The first step of a deck: a linear static one, or refused by name."""

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
    """What a step asks for at the nodes of the solids, and at others behind them: all (nodes, 3).

    prescribed   None: no displacement but 0
    constraints  equations between displacements; None: none
    others       where the nodes lie that no solid has and constraints need, (others, 3)
    """

    forces: NDArray[np.float64]
    held: NDArray[np.bool_]
    prescribed: NDArray[np.float64] | None
    remarks: list[str]
    constraints: Constraints | None
    others: NDArray[np.float64]


def require_linear_static(deck: Deck) -> Step:
    """Return the first step. Raises Misuse for one that is no linear static one."""
    step = deck.steps[0]
    if step.procedure is None:
        raise step.card.refused("has no *STATIC; expected a linear static step")
    if step.procedure.keyword != "STATIC":
        raise step.procedure.refused("is not supported; expected a linear static step")
    return step


def model_supports(body: Body) -> Supports:
    """Return what is held before the first step."""
    supports = Supports(body)
    for card in body.deck.supports:
        supports.take(card, factor_at_end(body.deck, body.deck.steps[0], card) if body.deck.steps else 1.0)
    return supports


def step_supports(body: Body) -> Supports:
    """Return what the first step holds. Raises Misuse for a step that is no linear static one."""
    deck = body.deck
    step = require_linear_static(deck)
    boundaries = [card for card in step.cards if card.keyword == "BOUNDARY"]
    fresh = any(card.get("OP") == "NEW" for card in boundaries)
    supports = Supports(body) if fresh else model_supports(body)
    for card in boundaries:
        supports.take(card, factor_at_end(deck, step, card))
    return supports


def loaded(body: Body, solids: Solids, properties: Properties, links: Links, strained: Array) -> Loaded:
    """Return what the first step asks for. Raises Misuse for what it cannot take.

    strained  forces of stresses that stand in elements by themselves, (nodes of the body, 3)
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
            f"{deck.path}: of its {plural(len(deck.steps), 'step')} the first is solved, that of line "
            f"{step.card.line.number}"
        )
    others = np.flatnonzero(taking_part.any(axis=1) & (solids.index < 0))
    held[others] |= ~taking_part[others]  # what has no part in anything
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
    """Raise Misuse for a force on a node that no solid has, and no constraint moves."""
    for row, nodes in loads.named:
        lost = nodes[(~solids.holds(nodes)) & ((loads.forces[nodes] != 0) & ~taking_part[nodes]).any(axis=1)]
        if len(lost):
            raise Misuse(f"{row.where}: node {body.node_name(int(lost[0]))} is loaded, but belongs to no solid")
