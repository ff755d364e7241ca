"""The first step of a deck: a linear static one, or refused by name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.plural import plural
from rooftop.solvers.elasticity.deck.amplitude import factor_at_end
from rooftop.solvers.elasticity.deck.body import Body
from rooftop.solvers.elasticity.deck.cards import Row
from rooftop.solvers.elasticity.deck.loads import Loads
from rooftop.solvers.elasticity.deck.model import Deck, Step
from rooftop.solvers.elasticity.deck.properties import Properties
from rooftop.solvers.elasticity.deck.solids import Solids
from rooftop.solvers.elasticity.deck.supports import Supports
from rooftop.solvers.elasticity.deck.thermal import thermal_forces


@dataclass(frozen=True)
class Loaded:
    """What a step asks for at the nodes of the solids: all (nodes, 3). `prescribed` None: no displacement but 0."""

    forces: NDArray[np.float64]
    held: NDArray[np.bool_]
    prescribed: NDArray[np.float64] | None
    remarks: list[str]


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


def loaded(body: Body, solids: Solids, properties: Properties) -> Loaded:
    """Return what the first step asks for. Raises Misuse for what it cannot take."""
    deck = body.deck
    step = require_linear_static(deck)
    boundaries = [card for card in step.cards if card.keyword == "BOUNDARY"]
    fresh = any(card.get("OP") == "NEW" for card in boundaries)
    supports = Supports(body) if fresh else model_supports(body)
    loads = Loads(body, properties)
    for card in step.cards:
        factor = factor_at_end(deck, step, card)
        if card.keyword == "BOUNDARY":
            supports.take(card, factor)
        else:
            loads.take(card, factor)
    _require_in_solids(body, solids, loads)
    _require_global_axes(body, supports, loads)
    forces = loads.forces + thermal_forces(body, properties, step)
    remarks = []
    if len(deck.steps) > 1:
        remarks.append(
            f"{deck.path}: of its {plural(len(deck.steps), 'step')} the first is solved, that of line "
            f"{step.card.line.number}"
        )
    prescribed = supports.values[solids.nodes]
    return Loaded(forces[solids.nodes], supports.held[solids.nodes], prescribed if prescribed.any() else None, remarks)


def _require_in_solids(body: Body, solids: Solids, loads: Loads) -> None:
    """Raise Misuse for a force on a node that no solid has."""
    for row, nodes in loads.named:
        lost = nodes[~solids.holds(nodes)]
        if len(lost) and loads.forces[lost].any():
            raise Misuse(f"{row.where}: node {body.node_name(int(lost[0]))} is loaded, but no solid has it")


def _require_global_axes(body: Body, supports: Supports, loads: Loads) -> None:
    """Raise Misuse where a `*TRANSFORM` turns directions that are held or loaded."""
    for card, space in body.deck.transforms:
        nodes = body.nodes_named(Row(card.line, [card.parameters.get("NSET", "")]), 0, space)
        held = supports.held[nodes]
        partly = held.any(axis=1) & ~held.all(axis=1)
        moved = supports.values[nodes].any(axis=1)
        concentrated = np.isin(nodes, np.concatenate([np.empty(0, np.int64), *(one for _, one in loads.named)]))
        if (partly | moved | concentrated).any():
            name = body.node_name(int(nodes[np.argmax(partly | moved | concentrated)]))
            raise card.refused(f"turns the directions that node {name} is held or loaded in, which is not supported")
