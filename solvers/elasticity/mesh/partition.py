"""Partition of a mesh's nodes among ranks by METIS."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.mesh.arguments import Mesh

Whole = NDArray[np.int32]


def _neighbours(mesh: Mesh) -> tuple[Whole, Whole]:
    """Return the nodes that share an element with each node: where those of a node begin, (nodes + 1,), and all."""
    from scipy import sparse

    corners = np.concatenate([cells.ravel() for cells in mesh.elements.values()])
    counts = np.concatenate([[0], *(np.full(len(cells), cells.shape[1]) for cells in mesh.elements.values())])
    shape = (mesh.elements_count, mesh.nodes_count)
    elements = sparse.csr_array((np.ones(len(corners), np.int32), corners, np.cumsum(counts)), shape=shape)
    graph = sparse.csr_array(elements.T @ elements)
    graph.setdiag(0)
    graph.eliminate_zeros()
    return graph.indptr, graph.indices


def _closeness(mesh: Mesh, starts: Whole, others: Whole) -> Whole:
    """Return how much it costs to part each node from a neighbour: more where they are nearer than others are.

    Columns of nodes through a thin plate are smoothed together, and so should be on one rank.
    """
    counts = np.diff(starts)
    lengths = np.linalg.norm(mesh.coordinates[others] - np.repeat(mesh.coordinates, counts, axis=0), axis=1)
    longest = np.maximum.reduceat(np.append(lengths, 0.0), np.minimum(starts[:-1], len(lengths)))
    longest = np.minimum(np.repeat(longest, counts), longest[others])
    share = np.divide(longest, lengths, out=np.full(len(lengths), np.inf), where=lengths > 0)
    # Of a cube's edges and diagonals all are 1.
    return np.where(share > 2.5, np.clip(share, 0, 10.0) ** 2, 1).astype(np.int32)


def partition(mesh: Mesh, ranks: int) -> Whole:
    """Return the rank of each node, (nodes,): about equal parts of the matrix, with few neighbours on other ranks.

    Raises Misuse where pymetis is missing, and where a rank would have no node.
    """
    if ranks > mesh.nodes_count:
        raise Misuse(f"{ranks} ranks cannot share {mesh.nodes_count} nodes; expected at most one rank for each node")
    if ranks == 1:
        return np.zeros(mesh.nodes_count, dtype=np.int32)
    try:
        import pymetis
    except ImportError as error:
        raise Misuse(
            f"--ranks {ranks} on a mesh needs METIS, and pymetis is not installed; expected 'pip install pymetis' "
            "before, or no --ranks"
        ) from error
    starts, others = _neighbours(mesh)
    # A row of the matrix has a block for each neighbour and one for the node itself.
    graph = pymetis.CSRAdjacency(starts, others)
    closeness = _closeness(mesh, starts, others)
    found = pymetis.part_graph(ranks, graph, vweights=np.diff(starts) + 1, eweights=closeness).vertex_part
    result = np.array(found, dtype=np.int32)
    empty = np.flatnonzero(np.bincount(result, minlength=ranks) == 0)
    if len(empty):
        raise Misuse(
            f"METIS leaves rank {empty[0]} of {ranks} without a node: {mesh.nodes_count} nodes are too few; expected "
            "fewer ranks"
        )
    return result
