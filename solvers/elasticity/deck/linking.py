"""The constraints of a deck: what each card says of displacements, in the order of the deck."""

from __future__ import annotations

from collections.abc import Callable

from rooftop.solvers.elasticity.deck.body import Body
from rooftop.solvers.elasticity.deck.cards import Card
from rooftop.solvers.elasticity.deck.couplings import take_coupling
from rooftop.solvers.elasticity.deck.equations import take_equations
from rooftop.solvers.elasticity.deck.links import Links
from rooftop.solvers.elasticity.deck.mpcs import take_mpcs
from rooftop.solvers.elasticity.deck.pretension import take_pretension
from rooftop.solvers.elasticity.deck.rigid_bodies import take_rigid_body
from rooftop.solvers.elasticity.deck.space import Space
from rooftop.solvers.elasticity.deck.supports import Supports
from rooftop.solvers.elasticity.deck.ties import take_tie
from rooftop.solvers.elasticity.deck.turns import Turns

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
    """Return the equations of a deck whose step has these supports. Raises Misuse for what is not supported."""
    links = Links(body, Turns(body), supports)
    for card, space in body.deck.links:
        _TAKE[card.keyword](links, card, space)
    return links
