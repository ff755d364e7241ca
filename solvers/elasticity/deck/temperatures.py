"""Temperatures before and after the first step, at nodes and integration points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from rooftop.solvers.elasticity.deck.amplitude import factor_at_end
from rooftop.solvers.elasticity.deck.body import Body
from rooftop.solvers.elasticity.deck.cards import Card
from rooftop.solvers.elasticity.deck.values import real
from rooftop.solvers.elasticity.mesh.arguments import Array, Whole
from rooftop.solvers.elasticity.mesh.kinds import Kind
from rooftop.solvers.elasticity.mesh.reference_element import reference


@dataclass(frozen=True)
class Temperatures:
    """Temperatures of all nodes, (nodes,), before and after the first step; `given`: whether the deck has any."""

    before: Array
    after: Array
    given: bool

    @cached_property
    def change(self) -> bool:
        """Whether the temperature of any node changes."""
        return bool((self.before != self.after).any())

    def uneven(self, nodes: Whole) -> bool:
        """Whether temperatures vary within any element, given by its nodes, (elements, nodes)."""
        return bool((np.ptp(self.before[nodes], axis=1) > 0).any() or (np.ptp(self.after[nodes], axis=1) > 0).any())


def temperatures_of(body: Body) -> Temperatures:
    """Return the temperatures of the nodes of a deck; 0 where none is given. Raises Misuse."""
    deck = body.deck
    before = np.zeros(body.nodes_count)
    initial = [card for card in deck.warm if card.keyword != "TEMPERATURE"]
    for card in initial:
        _set(body, card, 1.0, before)
    after = before.copy()
    for card in deck.warm:
        if card.keyword == "TEMPERATURE" and deck.steps:
            _set(body, card, factor_at_end(deck, deck.steps[0], card), after)
    originals = body.originals()
    return Temperatures(before[originals], after[originals], bool(deck.warm))


def _set(body: Body, card: Card, factor: float, to: Array) -> None:
    card.require_only("TYPE", "OP", "AMPLITUDE")
    for row in card.rows():
        to[body.nodes_named(row, 0)] = factor * real(row, 1, "a temperature")


@cache
def shares(kind: Kind, *, centre: bool = False, mass: bool = False) -> Array:
    """Return the weights of nodal temperatures at integration points, (points, nodes), or at the centre, (1, nodes).

    As in CalculiX 2.20, thermal strains vary no more than displacements can follow: a trilinear hexahedron has the mean
    temperature of its nodes, and one of 20 nodes with full integration the trilinear field that fits the temperature by
    least squares, which is equal to it at 2 x 2 x 2 points. For the density of hexahedra with incompatible modes,
    `mass`, the shape functions are used nevertheless.
    """
    of = reference(kind)
    points = of.centre if centre else of.points
    if kind == "hexahedron" or (kind == "hexahedron_incompatible" and not mass):
        return np.full((len(points), len(of.places)), 1 / len(of.places))
    if kind == "hexahedron20":
        corners, few = reference("hexahedron"), reference("hexahedron20_reduced")
        fitted = np.linalg.solve(corners.values(few.points), few.values(few.points))
        result: Array = corners.values(points) @ fitted
        return result
    return of.values(points)
