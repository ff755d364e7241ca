"""Solid elements of a deck as a mesh, with their nodes renumbered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.body import Block, Body
from rooftop.solvers.elasticity.deck.kinds import SHAPES, SOLIDS
from rooftop.solvers.elasticity.mesh.arguments import Array, Whole
from rooftop.solvers.elasticity.mesh.kinds import KINDS, Kind


@dataclass(frozen=True)
class Solids:
    """Solid elements of a body, and their nodes.

    nodes     indices in the body of the nodes of solids, (nodes,)
    index     for each node of the body its index in `nodes`; -1 if it belongs to no solid
    places    coordinates, (nodes, 3)
    elements  indices in `nodes` for each kind of element, (elements, nodes per element)
    order     indices in the body of the elements, ordered by kind
    remarks   remarks on what is left out
    """

    nodes: Whole
    index: Whole
    places: Array
    elements: dict[Kind, Whole]
    order: Whole
    remarks: list[str]

    def holds(self, nodes: Whole) -> NDArray[np.bool_]:
        """Return the mask of the given nodes that belong to solids."""
        result: NDArray[np.bool_] = self.index[nodes] >= 0
        return result


def solids_of(body: Body, linked: Iterable[int] = ()) -> Solids:
    """Return the solids of a body. Raises Misuse if there are none.

    linked  nodes in constraints, such as reference nodes of rigid bodies, which need not belong to solids

    Surface, line and mass elements without a section, which meshers use to name parts, are left out with a remark.
    """
    parts: dict[Kind, list[Block]] = {}
    others: dict[str, int] = {}
    named: dict[str, str] = {}
    for block in body.blocks:
        if not len(block.labels):
            continue
        if block.kind in SHAPES:
            parts.setdefault(SHAPES[block.kind], []).append(block)
            if block.kind not in SOLIDS:
                named[block.kind] = KINDS[SHAPES[block.kind]].many
        else:
            others[block.kind] = others.get(block.kind, 0) + len(block.labels)
    if not parts:
        raise Misuse(f"{body.deck.path}: it has no solid elements; expected {', '.join(SOLIDS)}")
    cells = {kind: np.concatenate([block.nodes for block in blocks]) for kind, blocks in parts.items()}
    nodes = np.unique(np.concatenate([part.ravel() for part in cells.values()]))
    index = np.full(body.nodes_count, -1, dtype=np.int64)
    index[nodes] = np.arange(len(nodes))
    order = [block.first + np.arange(len(block.labels)) for blocks in parts.values() for block in blocks]
    remarks = [
        f"{body.deck.path}: elements of type {kind} have no section and are read as {many}"
        for kind, many in named.items()
    ]
    if others:
        left_out = ", ".join(f"{count} of type {kind}" for kind, count in others.items())
        remarks.append(f"{body.deck.path}: elements that are not solids are left out: {left_out}")
    originals = body.originals()
    used = np.concatenate([nodes, originals[np.array([*linked], np.int64)]])
    if left := len(np.setdiff1d(originals, used)):
        remarks.append(f"{body.deck.path}: nodes that belong to no solid are left out: {left}")
    return Solids(
        nodes,
        index,
        np.ascontiguousarray(body.places[nodes]),
        {kind: np.ascontiguousarray(index[part]) for kind, part in cells.items()},
        np.concatenate(order),
        remarks,
    )
