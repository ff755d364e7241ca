"""The nodes of a mesh, shared out among ranks by METIS."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.checked_mesh import Mesh

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
    found = pymetis.part_graph(ranks, graph, vweights=np.diff(starts) + 1).vertex_part
    result = np.array(found, dtype=np.int32)
    empty = np.flatnonzero(np.bincount(result, minlength=ranks) == 0)
    if len(empty):
        raise Misuse(
            f"METIS leaves rank {empty[0]} of {ranks} without a node: {mesh.nodes_count} nodes are too few; expected "
            "fewer ranks"
        )
    return result
