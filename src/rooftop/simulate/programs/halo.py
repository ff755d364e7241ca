"""A five-point sweep over a square grid that is cut into strips: by rows, whose border is contiguous, or by columns.

A column of the border lies a row apart in memory: packing and unpacking it moves a line of the cache for each of its
cells (experiments/labs/halo_exchange).
"""

from __future__ import annotations

from collections.abc import Mapping

from rooftop.errors import Misuse
from rooftop.simulate.program import Halo, Phase, Work

PARAMETERS = {"n": 8192, "iterations": 100, "columns": 0, "overlap": 0}
KIND = "stencil"
_CELL_BYTES, _LINE_BYTES = 8, 64
_FLOPS_OF_CELL = 6
_BYTES_OF_CELL = 3 * _CELL_BYTES  # one array is read, the other is read into the cache and written


def phases(ranks: int, threads: int, given: Mapping[str, float]) -> list[Phase]:
    """Return the sweeps. Raises Misuse for more ranks than rows."""
    n, iterations = int(given["n"]), int(given["iterations"])
    if ranks > n:
        raise Misuse(f"halo: {ranks} ranks cannot share {n} rows: expected at most {n} ranks")
    widest = -(-n // ranks)
    sides = min(2, ranks - 1)
    packed = 2 * sides * n * _LINE_BYTES if given["columns"] else 0
    work = Work(
        flops=float(_FLOPS_OF_CELL * widest * n),
        bytes=float(_BYTES_OF_CELL * widest * n + packed),
        mean=n / ranks / widest,
        kind=KIND,
    )
    exchanges = (Halo(((1, float(_CELL_BYTES * n)),) * sides),) if sides else ()
    return [Phase("sweep", work, exchanges, iterations, bool(given["overlap"]))]
