"""Partition the nodes of a mesh among ranks with METIS."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.mesh.arguments import Mesh

Whole = NDArray[np.int32]


def _neighbours(mesh: Mesh) -> tuple[Whole, Whole]:
    """Return the graph of nodes that share an element, in CSR form: row starts, (nodes + 1,), and neighbours."""
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
    """Return the weight of each graph edge: large between nodes that are much nearer to each other than to others.

    Columns of nodes through a thin plate are smoothed together and should therefore be on one rank.
    """
    counts = np.diff(starts)
    lengths = np.linalg.norm(mesh.coordinates[others] - np.repeat(mesh.coordinates, counts, axis=0), axis=1)
    longest = np.maximum.reduceat(np.append(lengths, 0.0), np.minimum(starts[:-1], len(lengths)))
    longest = np.minimum(np.repeat(longest, counts), longest[others])
    share = np.divide(longest, lengths, out=np.full(len(lengths), np.inf), where=lengths > 0)
    # All edges and diagonals of a cube have weight 1.
    return np.where(share > 2.5, np.clip(share, 0, 10.0) ** 2, 1).astype(np.int32)


def partition(mesh: Mesh, ranks: int) -> Whole:
    """Return the rank of each node, (nodes,), with about equal parts of the matrix and few neighbours on other ranks.

    Raises Misuse if pymetis is not installed, or if a rank would have no node.
    """
    if ranks > mesh.nodes_count:
        raise Misuse(f"{ranks} ranks cannot share {mesh.nodes_count} nodes; expected at most one rank for each node")
    if ranks == 1:
        return np.zeros(mesh.nodes_count, dtype=np.int32)
    try:
        import pymetis
    except ImportError as error:
        raise Misuse(
            f"--ranks is {ranks}, which needs pymetis for a mesh, but it is not installed; expected no --ranks, or "
            "first 'pip install pymetis'"
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
            f"METIS gives no node to rank {empty[0]} of {ranks}: {mesh.nodes_count} nodes are too few; expected fewer "
            "ranks"
        )
    return result
