"""Forces on nodes of bodies that are warmer than they were, and cannot expand."""

from __future__ import annotations

import numpy as np

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.checked_mesh import Array
from rooftop.solvers.elasticity.deck.amplitude import factor_at_end
from rooftop.solvers.elasticity.deck.body import Body
from rooftop.solvers.elasticity.deck.cards import Card
from rooftop.solvers.elasticity.deck.kinds import SOLIDS
from rooftop.solvers.elasticity.deck.model import Step
from rooftop.solvers.elasticity.deck.properties import Properties
from rooftop.solvers.elasticity.deck.values import real
from rooftop.solvers.elasticity.element import lame
from rooftop.solvers.elasticity.mesh_element import ELEMENTS_AT_ONCE, at_nodes, forces


def _temperatures(body: Body, cards: list[Card], factor: float, to: Array) -> None:
    """Set the temperatures of nodes that cards give. Raises Misuse for other forms."""
    for card in cards:
        card.require_only("TYPE", "OP", "AMPLITUDE")
        for row in card.rows():
            to[body.nodes_named(row, 0)] = factor * real(row, 1, "a temperature")


def thermal_forces(body: Body, properties: Properties, step: Step) -> Array:
    """Return the forces (nodes, 3) of materials that expand, from the initial temperatures to those of the step.

    They are the forces that the free expansion, held back, has: those of a displacement that is its strain times the
    place. Programs interpolate temperatures in elements in different ways, so each element must have a single one.
    Raises Misuse for others.
    """
    deck = body.deck
    result = np.zeros((body.nodes_count, 3))
    warm = [card for card in deck.warm if card.keyword == "TEMPERATURE"]
    if not warm or not deck.expansions:
        return result
    before = np.zeros(body.nodes_count)
    _temperatures(body, [card for card in deck.warm if card.keyword != "TEMPERATURE"], 1.0, before)
    after = before.copy()
    for card in warm:
        _temperatures(body, [card], factor_at_end(deck, step, card), after)
    change = (after - before)[body.originals()]
    for block in body.blocks:
        if block.kind not in SOLIDS or not len(block.nodes):
            continue
        of_nodes = change[block.nodes]
        elements = block.first + np.arange(len(block.nodes))
        strain = properties.expansions(elements) * of_nodes[:, 0]
        uneven = np.flatnonzero((np.ptp(of_nodes, axis=1) > 0) & (properties.expansions(elements) != 0))
        if len(uneven):
            name = body.element_name(int(elements[uneven[0]]))
            raise Misuse(
                f"{warm[0].where}: {warm[0].name} changes within element {name}, which is not supported; expected one "
                "change of temperature for each element that expands"
            )
        young, poisson = properties.elastic(elements)
        for start in range(0, len(block.nodes), ELEMENTS_AT_ONCE):
            part = slice(start, start + ELEMENTS_AT_ONCE)
            places = at_nodes(body.places, block.nodes[part])
            moved = strain[part] * (places - places[0])
            theirs, _ = forces(SOLIDS[block.kind], places, moved, *lame(young[part], poisson[part]))
            for component in range(3):
                values = theirs[:, component].T.ravel()
                result[:, component] += np.bincount(block.nodes[part].ravel(), values, body.nodes_count)
    return result
