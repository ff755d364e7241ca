"""The HDF5 library's chunk cache: the size that an access pattern needs, and the speed-up it gives."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rooftop.solvers.h5io.advice.access import Index, chunks_of, elements_of
from rooftop.solvers.h5io.advice.cost import Rates, at_streams
from rooftop.solvers.h5io.advice.demand import chunked_demand, distinct_chunks
from rooftop.solvers.h5io.advice.layouts import Layout

_MOST_BYTES = 1 << 30
_SLOTS_PER_CHUNK = 100  # as h5py's documentation of rdcc_nslots says
_MOST_SLOTS = 1 << 20


@dataclass(frozen=True)
class ChunkCache:
    """The arguments rdcc_nbytes and rdcc_nslots of h5py.File."""

    size: int  # bytes
    slots: int


def _needed_chunks(reads: Sequence[Index], chunk: Sequence[int]) -> int:
    """Return how many chunks the cache must hold so that no chunk is decoded twice."""
    most = max(chunks_of(index, chunk) for index in reads)
    # Single elements may need any chunk again; rows and columns need those of the previous row or column.
    return distinct_chunks(reads, chunk) if most == 1 else most


def better_cache(layout: Layout, reads: Sequence[Index], itemsize: int, own_bytes: int) -> ChunkCache | None:
    """Return a chunk cache that holds the chunks that are read again; None if none are, or the present cache suffices.

    own_bytes  size of the present cache
    """
    if layout.chunk is None:
        return None
    visits = sum(chunks_of(index, layout.chunk) for index in reads)
    if visits <= distinct_chunks(reads, layout.chunk):
        return None
    needed = _needed_chunks(reads, layout.chunk)
    size = needed * math.prod(layout.chunk) * itemsize
    if not own_bytes < size <= _MOST_BYTES:
        return None
    mebibytes = -(-size // (1 << 20))
    return ChunkCache((1 << (mebibytes - 1).bit_length()) << 20, min(_MOST_SLOTS, needed * _SLOTS_PER_CHUNK) | 1)


def library_s(
    layout: Layout, reads: Sequence[Index], shape: Sequence[int], itemsize: int, rates: Rates, cache_bytes: int
) -> float:
    """Return the predicted seconds of reads of chunks by the HDF5 library: by one thread, with a chunk cache."""
    assert layout.chunk is not None
    filters = rates.filters[layout.filters]
    chunk_bytes = math.prod(layout.chunk) * itemsize
    visits = sum(chunks_of(index, layout.chunk) for index in reads)
    held = _needed_chunks(reads, layout.chunk) * chunk_bytes <= cache_bytes
    decoded = distinct_chunks(reads, layout.chunk) if held else visits
    copied = sum(map(elements_of, reads)) * itemsize
    busy_s = decoded * (rates.chunk_s + chunk_bytes / filters.decoded) + visits * rates.chunk_s
    busy_s += copied / at_streams(rates.read_bytes_s, 1) + len(reads) * rates.call_s
    if rates.device is None:
        return busy_s
    demand = chunked_demand(reads, shape, layout.chunk, chunk_bytes * filters.share)
    return busy_s + demand.size / rates.device.chunks.alone + demand.calls * rates.device.call_s
