"""Elasticity by conjugate gradients on a box of nodes: a sparse product with a halo, and two sums, in each iteration.

Flops and bytes are those of the ladder's ranks (experiments/elasticity/README.md): blocks of nine values with an
index for each of up to 27 neighbours of a node, and 12 vectors that are read or written. With ``overlap`` the halo
is under way while rows that do not need it are multiplied. With ``chunk`` the threads of a rank take so many rows
at a time as they come, at a cost of ``fetch_s`` each; with ``overlap`` besides, the first of them exchanges and then
joins the others. Without, they have equal parts.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import ceil

from rooftop.errors import Misuse
from rooftop.simulate.program import Call, Halo, Phase, Schedule, Work

PARAMETERS = {"nx": 400, "ny": 400, "nz": 600, "iterations": 1, "overlap": 0, "chunk": 0, "fetch_s": 1e-7}
KIND = "sparse"
_BLOCK_BYTES, _START_BYTES = 76, 8
_VECTORS, _VALUES = 12, 3
_FLOPS_OF_BLOCK, _FLOPS_OF_VALUE = 18, 10


def cut(nodes: tuple[int, int, int], ranks: int) -> tuple[int, int, int] | None:
    """Return into how many boxes each direction is cut, with the least surface; None where that cannot be.

    Of equal ones the last: z, whose surfaces are contiguous in memory, is cut most.
    """
    best, least = None, float("inf")
    divisors = [one for one in range(1, int(ranks**0.5) + 1) if ranks % one == 0]
    divisors = sorted({*divisors, *(ranks // one for one in divisors)})
    for z, y in product(divisors, divisors):
        if ranks % (z * y):
            continue
        boxes = (ranks // z // y, y, z)
        if any(count > size for count, size in zip(boxes, nodes, strict=True)):
            continue
        nx, ny, nz = nodes
        surface = (boxes[0] - 1) * ny * nz + (y - 1) * nx * nz + (z - 1) * nx * ny
        if surface <= least:
            best, least = boxes, surface
    return best


def _blocks(nodes: tuple[int, int, int]) -> int:
    """Return the blocks of the matrix: pairs of nodes that share an element, or are the same."""
    nx, ny, nz = nodes
    return (3 * nx - 2) * (3 * ny - 2) * (3 * nz - 2)


def phases(ranks: int, threads: int, given: Mapping[str, float]) -> list[Phase]:
    """Return the iterations. Raises Misuse for ranks that the box cannot be shared out to."""
    nodes = (int(given["nx"]), int(given["ny"]), int(given["nz"]))
    boxes = cut(nodes, ranks)
    if boxes is None:
        raise Misuse(f"elasticity: {ranks} ranks cannot share {nodes[0]}x{nodes[1]}x{nodes[2]} nodes as boxes")
    fullest = tuple(ceil(size / count) for size, count in zip(nodes, boxes, strict=True))
    own = fullest[0] * fullest[1] * fullest[2]
    total = nodes[0] * nodes[1] * nodes[2]
    part = min(1.0, own / total)
    chunk = int(given["chunk"])
    blocks, values = _blocks(nodes) * part, _VALUES * own
    work = Work(
        flops=_FLOPS_OF_BLOCK * blocks + _FLOPS_OF_VALUE * values,
        bytes=_BLOCK_BYTES * blocks + _START_BYTES * own + _VECTORS * 8 * values,
        mean=total / ranks / own,
        kind=KIND,
        schedule=Schedule(own / (chunk or 1), bool(chunk), given["fetch_s"] if chunk else 0.0),
    )
    # A box in the middle has a neighbour on both sides of each direction that is cut into three or more.
    distance, sides = 1, []
    for axis, count in enumerate(boxes):
        face = own // fullest[axis] * _VALUES * 8
        sides += [(distance, float(face))] * min(2, count - 1)
        distance *= count
    exchanges = (Halo(tuple(sides)),) if sides else ()
    sums = Phase("sums", Work(), (Call("allreduce", 8, 2),), given["iterations"])
    overlap = bool(given["overlap"])
    return [Phase("product and vectors", work, exchanges, given["iterations"], overlap, bool(overlap and chunk)), sums]
