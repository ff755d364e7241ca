"""Demand of reads on a device if nothing is in the page cache."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rooftop.solvers.h5io.advice.access import Index, chunks_of, pieces_of

PAGE_BYTES = 4096
GAP_BYTES = 4 << 10  # smaller gaps are read as well: `gap_bytes` of rooftop/h5io.hpp


@dataclass(frozen=True)
class Demand:
    """Data read from the device. Data that is read again is in the page cache by then.

    size   bytes, in whole pages
    calls  reads that do not continue the previous one, so that the system cannot read ahead
    """

    size: float
    calls: float

    def __add__(self, other: Demand) -> Demand:
        """Return the sum of two demands."""
        return Demand(self.size + other.size, self.calls + other.calls)


def _touched(index: Index, chunk: Sequence[int]) -> list[set[int]]:
    """Return the indices along each dimension of the chunks that hold selected elements."""
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
    """Return the number of chunks that any read needs. Reads differ in one dimension, or are single elements."""
    touched = [_touched(index, chunk) for index in reads]
    if all(len(along) == 1 for index in touched for along in index):
        return len({tuple(min(along) for along in index) for index in touched})
    return math.prod(len(set().union(*along)) for along in zip(*touched, strict=True))


def needed_chunks(reads: Sequence[Index], chunk: Sequence[int]) -> int:
    """Return how many chunks the cache must hold so that no chunk is decoded twice."""
    most = max(chunks_of(index, chunk) for index in reads)
    # Single elements may need any chunk again; rows and columns need those of the previous row or column.
    return distinct_chunks(reads, chunk) if most == 1 else most


def _runs_of_chunks(index: Index, shape: Sequence[int], chunk: Sequence[int]) -> int:
    """Return the number of contiguous pieces that the chunks of a selection form, if they are stored in order."""
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
    """Return the demand of reads of chunks, each of which has `stored_chunk_bytes` in the file."""
    if not reads:
        return Demand(0, 0)
    visits = sum(chunks_of(index, chunk) for index in reads)
    distinct = min(visits, distinct_chunks(reads, chunk))
    calls = sum(_runs_of_chunks(index, shape, chunk) for index in reads) * distinct / visits
    return Demand(distinct * stored_chunk_bytes + calls * PAGE_BYTES, calls)


def contiguous_demand(reads: Sequence[Index], shape: Sequence[int], itemsize: int) -> Demand:
    """Return the demand of reads of a contiguous dataset."""
    whole = math.prod(shape) * itemsize
    size, calls = 0.0, 0.0
    for index in reads:
        pieces, length, apart = pieces_of(index, shape)
        if pieces == 1 or (apart - length) * itemsize <= max(GAP_BYTES, PAGE_BYTES - length * itemsize):
            # Sequential: there are no pages between pieces, or they are read as well.
            size += max(PAGE_BYTES, pieces * apart * itemsize if pieces > 1 else length * itemsize)
            calls += 1
        else:
            pages = -(-length * itemsize // PAGE_BYTES)
            size += pieces * pages * PAGE_BYTES
            calls += pieces
    # Data that several reads need is read from the device once.
    most = max(PAGE_BYTES, whole)
    return Demand(min(size, most), min(calls, most / PAGE_BYTES))
