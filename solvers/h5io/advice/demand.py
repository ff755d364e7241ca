"""What reads cost on a device if nothing is in the page cache."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rooftop.solvers.h5io.advice.access import Index, chunks_of, pieces_of

PAGE_BYTES = 4096
GAP_BYTES = 2 << 10  # below that, gaps are read along: `gap_bytes` of rooftop/h5io.hpp


@dataclass(frozen=True)
class Demand:
    """What comes from the device. What is read again is there by then.

    size   bytes, whole pages
    calls  reads that do not go on where the one before ended, which the system cannot see coming
    """

    size: float
    calls: float

    def __add__(self, other: Demand) -> Demand:
        """Return both together."""
        return Demand(self.size + other.size, self.calls + other.calls)


def _touched(index: Index, chunk: Sequence[int]) -> list[set[int]]:
    """Return which chunks along each dimension hold something of a selection."""
    found = []
    for one, length in zip(index, chunk, strict=True):
        step = one.step or 1
        last = one.start + (len(range(one.start, one.stop, step)) - 1) * step
        if step <= length:
            found.append(set(range(one.start // length, last // length + 1)))
        else:
            found.append({at // length for at in range(one.start, one.stop, step)})
    return found


def distinct_chunks(reads: Sequence[Index], chunk: Sequence[int]) -> int:
    """Return how many chunks hold something of any of the reads, which differ in one dimension, or are elements."""
    touched = [_touched(index, chunk) for index in reads]
    if all(len(along) == 1 for index in touched for along in index):
        return len({tuple(min(along) for along in index) for index in touched})
    return math.prod(len(set().union(*along)) for along in zip(*touched, strict=True))


def _runs_of_chunks(index: Index, shape: Sequence[int], chunk: Sequence[int]) -> int:
    """Return in how many pieces of the file the chunks of a selection lie, which is in the order of their places."""
    grid = [-(-extent // length) for extent, length in zip(shape, chunk, strict=True)]
    span = []
    for along in _touched(index, chunk):
        first, last = min(along), max(along)
        step = max(1, (last - first) // max(1, len(along) - 1))
        span.append(slice(first, last + 1, step))
    return pieces_of(tuple(span), grid)[0]


def chunked_demand(
    reads: Sequence[Index], shape: Sequence[int], chunk: Sequence[int], stored_chunk_bytes: float
) -> Demand:
    """Return what reads of chunks ask for, each of which has so many bytes in the file."""
    if not reads:
        return Demand(0, 0)
    visits = sum(chunks_of(index, chunk) for index in reads)
    distinct = min(visits, distinct_chunks(reads, chunk))
    calls = sum(_runs_of_chunks(index, shape, chunk) for index in reads) * distinct / visits
    return Demand(distinct * stored_chunk_bytes + calls * PAGE_BYTES, calls)


def contiguous_demand(reads: Sequence[Index], shape: Sequence[int], itemsize: int) -> Demand:
    """Return what reads of an array in one piece ask for."""
    whole = math.prod(shape) * itemsize
    size, calls = 0.0, 0.0
    for index in reads:
        pieces, length, apart = pieces_of(index, shape)
        if pieces == 1 or (apart - length) * itemsize <= max(GAP_BYTES, PAGE_BYTES - length * itemsize):
            # One after the other: pages between pieces are none, or are read along.
            size += max(PAGE_BYTES, pieces * apart * itemsize if pieces > 1 else length * itemsize)
            calls += 1
        else:
            pages = -(-length * itemsize // PAGE_BYTES)
            size += pieces * pages * PAGE_BYTES
            calls += pieces
    # What several reads touch comes from the device once.
    most = max(PAGE_BYTES, whole)
    return Demand(min(size, most), min(calls, most / PAGE_BYTES))
