"""The parts of a box that ranks have, each as a box of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity.box.problem import BoxProblem
from rooftop.solvers.elasticity.problem import Piece
from rooftop.solvers.elasticity.solution import Parts


def _slices(nodes: int, parts: int) -> list[slice]:
    """Return the nodes of each part along a direction, and the next part's first, so that no element is missing."""
    cuts = [nodes * part // parts for part in range(parts + 1)]
    return [slice(first, min(end + 1, nodes)) for first, end in pairwise(cuts)]


def _parts(problem: BoxProblem, parts: Parts) -> Iterator[tuple[int, tuple[slice, slice, slice]]]:
    """Yield the ranks that have elements, and their nodes in arrays (nz, ny, nx)."""
    along = [_slices(count, number) for count, number in zip(problem.nodes, parts, strict=True)]
    for rank in range(parts[0] * parts[1] * parts[2]):
        x, y, z = rank % parts[0], rank // parts[0] % parts[1], rank // parts[0] // parts[1]
        part = along[2][z], along[1][y], along[0][x]
        if all(one.stop - one.start > 1 for one in part):
            yield rank, part


def box_pieces(
    problem: BoxProblem, parts: Parts, displacement: NDArray[np.float64], von_mises: NDArray[np.float64]
) -> Iterator[Piece]:
    """Yield a piece for each rank that has elements. Nodes and elements are numbered with x fastest, then y, then z."""
    for rank, part in _parts(problem, parts):
        nz, ny, nx = (one.stop - one.start for one in part)
        places = np.ascontiguousarray(problem.places[part])
        piece = replace(problem, nodes=(nx, ny, nz), coordinates=places, numbers=None, elements=None)
        elements = tuple(slice(one.start, one.stop - 1) for one in part)
        yield Piece(rank, piece, np.ascontiguousarray(displacement[part]), np.ascontiguousarray(von_mises[elements]))
