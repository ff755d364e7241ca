"""Datasets block by block, with read-ahead."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.c_interface.checked_numbers import whole
from rooftop.solvers.h5io.later import Request
from rooftop.solvers.h5io.library import H5ArgumentError

_BLOCK_BYTES = 8 << 20

ReadLater = Callable[[Any, NDArray[Any]], Request[NDArray[Any]]]


def rows_of_block(shape: tuple[int, ...], itemsize: int, chunks: tuple[int, ...] | None) -> int:
    """Return a number of rows of about 8 MiB, a multiple of the chunk's rows."""
    row_bytes = max(1, math.prod(shape[1:]) * itemsize)
    rows = max(1, _BLOCK_BYTES // row_bytes)
    return rows if chunks is None else -(-rows // chunks[0]) * chunks[0]


def read_ahead(
    read_later: ReadLater, shape: tuple[int, ...], dtype: np.dtype[Any], rows: Any, ahead: Any, reuse: bool
) -> Iterator[NDArray[Any]]:
    """Return an iterator over blocks of `rows` rows. Raises H5ArgumentError at the call, not at the first block."""
    if not shape:
        raise H5ArgumentError("the dataset has no dimensions; expected one that has rows")
    step, more = whole("rows", rows, H5ArgumentError), whole("ahead", ahead, H5ArgumentError)
    if step < 1:
        raise H5ArgumentError(f"rows is {step}; expected 1 or more")
    if more < 0:
        raise H5ArgumentError(f"ahead is {more}; expected 0 or more")
    return _blocks(read_later, shape, dtype, step, more, reuse)


def _blocks(
    read_later: ReadLater, shape: tuple[int, ...], dtype: np.dtype[Any], rows: int, ahead: int, reuse: bool
) -> Iterator[NDArray[Any]]:
    starts = iter(range(0, shape[0], rows))
    pending: deque[Request[NDArray[Any]]] = deque()
    free: list[NDArray[Any]] = []

    def ask() -> None:
        start = next(starts, None)
        if start is None:
            return
        count = min(rows, shape[0] - start)
        out = free.pop() if free else np.empty((min(rows, shape[0]), *shape[1:]), dtype)
        pending.append(read_later(slice(start, start + count), out[:count]))

    try:
        for _ in range(ahead + 1):
            ask()
        while pending:
            values = pending.popleft().wait()
            yield values
            if reuse:
                free.append(values if values.base is None else values.base)
            del values
            ask()
    finally:
        for request in pending:
            request.cancel()
