"""The constraints of a deck: what each card says of displacements, in the order of the deck."""

from __future__ import annotations

from collections.abc import Callable

from rooftop.solvers.elasticity.deck.body import Body
from rooftop.solvers.elasticity.deck.cards import Card
from rooftop.solvers.elasticity.deck.equations import take_equations
from rooftop.solvers.elasticity.deck.links import Links
from rooftop.solvers.elasticity.deck.space import Space
from rooftop.solvers.elasticity.deck.supports import Supports
from rooftop.solvers.elasticity.deck.turns import Turns

_TAKE: dict[str, Callable[[Links, Card, Space], None]] = {
    "EQUATION": take_equations,
}


def links_of(body: Body, supports: Supports) -> Links:
    """Return the equations of a deck whose step has these supports. Raises Misuse for what is not supported."""
    links = Links(body, Turns(body), supports)
    for card, space in body.deck.links:
        if card.keyword not in _TAKE:
            raise card.refused("changes the model, or is not known, and is not supported; expected a deck without")
        _TAKE[card.keyword](links, card, space)
    return links
