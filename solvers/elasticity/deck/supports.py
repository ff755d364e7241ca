"""Supports and prescribed displacements of `*BOUNDARY`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.body import Body
from rooftop.solvers.elasticity.deck.cards import Card, Row, name_of, shown
from rooftop.solvers.elasticity.deck.space import Space
from rooftop.solvers.elasticity.deck.values import real, whole

# Directions, counted from 1, held by each name. Only reference nodes have rotations, directions 4 to 6.
_NAMED = {
    "ENCASTRE": (1, 2, 3, 4, 5, 6),
    "PINNED": (1, 2, 3),
    "XSYMM": (1, 5, 6),
    "YSYMM": (2, 4, 6),
    "ZSYMM": (3, 4, 5),
    "XASYMM": (2, 3, 4),
    "YASYMM": (1, 3, 5),
    "ZASYMM": (1, 2, 6),
    "NOWARP": (),
    "NOOVAL": (),
    "NODEFORM": (),
}
_ROTATIONS = 6  # last direction of a node; 4 to 6 are rotations


class Supports:
    """Mask and values of the prescribed displacements, (nodes, 3)."""

    def __init__(self, body: Body) -> None:
        self._body = body
        self.held: NDArray[np.bool_] = np.zeros((body.nodes_count, 3), dtype=np.bool_)
        self.values: NDArray[np.float64] = np.zeros((body.nodes_count, 3))
        self.named: list[tuple[Row, NDArray[np.int64]]] = []

    def take(self, card: Card, factor: float = 1.0, space: Space | None = None) -> None:
        """Add the supports of a `*BOUNDARY`, with values times a factor. Later values replace earlier ones."""
        card.require_only("OP", "TYPE", "AMPLITUDE", "REGIONTYPE", "LOADCASE")
        if card.get("TYPE") not in (None, "DISPLACEMENT"):
            raise card.refused(f"with TYPE={card.get('TYPE')} is not supported; expected displacements")
        if card.get("LOADCASE") not in (None, "1"):
            raise card.refused(f"with LOAD CASE={card.get('LOADCASE')} is not supported; expected LOAD CASE=1")
        for row in card.rows():
            nodes = self._body.nodes_named(row, 0, space)
            self.named.append((row, nodes))
            directions, value = _directions(row)
            for direction in directions:
                which = nodes if direction <= 3 else self._body.rotating(nodes)
                if len(which) < len(nodes) and value != 0:
                    raise Misuse(
                        f"{row.where}: a rotation is prescribed, which solids do not have; expected directions 1 to 3"
                    )
                self.held[which, (direction - 1) % 3] = True
                self.values[which, (direction - 1) % 3] = factor * value


def _directions(row: Row) -> tuple[tuple[int, ...], float]:
    """Return the directions of a line, from 1 to 6, and the prescribed value."""
    name = name_of(row.field(1))
    if name in _NAMED:
        return _NAMED[name], 0.0
    first = whole(row, 1, f"a direction from 1 to 3, or one of {', '.join(_NAMED)}")
    last = whole(row, 2, "the last direction", first) or first
    value = real(row, 3, "a displacement", 0.0)
    if not 1 <= first <= last <= _ROTATIONS:
        raise Misuse(f"{row.where}: directions {first} to {last} are not supported; expected 1 to 3")
    if any(row.fields[4:]):
        raise Misuse(
            f"{row.where}: {shown(row.line.text.strip())} is too long; expected a node, directions and a value"
        )
    return tuple(range(first, last + 1)), value
