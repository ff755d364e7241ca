"""Local directions of nodes from `*TRANSFORM`, for supports, loads and constraints."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.body import Body
from rooftop.solvers.elasticity.deck.cards import Card, Row
from rooftop.solvers.elasticity.deck.values import real
from rooftop.solvers.elasticity.mesh.arguments import Array

_ON_AXIS = 1e-9  # of the distance from the first point: nearer nodes are on the axis


class Turns:
    """Local directions of nodes; the last *TRANSFORM of a node applies."""

    def __init__(self, body: Body) -> None:
        self._body = body
        self._which = np.full(body.nodes_count, -1, np.int64)
        self._given: list[tuple[Card, Array, Array]] = []
        for card, space in body.deck.transforms:
            nodes = body.nodes_named(Row(card.line, [card.required("NSET")]), 0, space)
            self._which[nodes] = len(self._given)
            self._given.append((card, *_points(card)))

    def turned(self, nodes: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return the mask of nodes with local directions. Added nodes have none."""
        result: NDArray[np.bool_] = self._which[np.minimum(nodes, len(self._which) - 1)] >= 0
        return result & (nodes < len(self._which))

    def directions(self, node: int) -> Array:
        """Return the directions 1 to 3 of a node as columns, (3, 3). Raises Misuse for a node on a cylinder's axis."""
        if not self.turned(np.array([node]))[0]:
            return np.eye(3)
        card, first, second = self._given[self._which[node]]
        if card.get("TYPE") in (None, "R"):
            return _columns(first, second)
        place = self._body.places[node]
        axis = _unit(second - first)
        away = place - first
        radius = _scaled(away) - (_scaled(away) @ axis) * axis
        if not np.linalg.norm(radius) > _ON_AXIS:
            raise card.refused(
                f"has node {self._body.node_name(node)} on its axis, where no direction is radial; expected nodes "
                "off the axis"
            )
        return _columns(radius, np.cross(axis, radius))


def _points(card: Card) -> tuple[Array, Array]:
    """Return the two points of a *TRANSFORM. Raises Misuse."""
    card.require_only("NSET", "TYPE")
    if card.get("TYPE") not in (None, "R", "C"):
        raise card.refused(f"with TYPE={card.get('TYPE')} is not supported; expected R or C")
    rows = list(card.rows())
    if len(rows) != 1:
        raise card.refused(f"has {len(rows)} data lines; expected one with two points")
    first, second = (np.array([real(rows[0], k + c, "a point", 0.0) for c in range(3)]) for k in (0, 3))
    cylindrical = card.get("TYPE") == "C"
    if cylindrical:
        span = (second - first) / (max(np.abs(first).max(), np.abs(second).max()) or 1.0)
    else:
        span = np.cross(_scaled(first), _scaled(second))
    if not np.linalg.norm(span) > 1e-12:
        what = "two points of the axis" if cylindrical else "two points that span a plane with the origin"
        raise Misuse(f"{rows[0].where}: the points do not define directions; expected {what}")
    return first, second


def _scaled(vector: Array) -> Array:
    """Return a vector scaled to a largest component of 1, so that squares do not overflow; 0 stays 0."""
    result: Array = vector / (np.abs(vector).max() or 1.0)
    return result


def _unit(vector: Array) -> Array:
    result: Array = _scaled(vector) / np.linalg.norm(_scaled(vector))
    return result


def _columns(first: Array, second: Array) -> Array:
    """Return unit directions as columns: along the first vector, in the plane of both, and normal to it."""
    one = _unit(first)
    two = _scaled(second)
    two = _unit(two - (two @ one) * one)
    return np.stack([one, two, np.cross(one, two)], axis=1)
