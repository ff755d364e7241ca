"""The HDF5 library's chunk cache: the size that an access pattern needs, and the speed-up it gives."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rooftop.observe.chunk_cache import slots_for
from rooftop.solvers.h5io.advice.access import Index, chunks_of, elements_of, pieces_of
from rooftop.solvers.h5io.advice.cost import LibraryRates, Rates, at_streams
from rooftop.solvers.h5io.advice.demand import chunked_demand, contiguous_demand, distinct_chunks, needed_chunks
from rooftop.solvers.h5io.advice.layouts import Layout

_MOST_BYTES = 1 << 30
_SIEVE_BYTES = 64 << 10  # of the library's buffer for pieces of contiguous datasets


@dataclass(frozen=True)
class ChunkCache:
    """The arguments rdcc_nbytes and rdcc_nslots of h5py.File."""

    size: int  # bytes
    slots: int


def better_cache(layout: Layout, reads: Sequence[Index], itemsize: int, own_bytes: int) -> ChunkCache | None:
    """Return a chunk cache that holds the chunks that are read again; None if none are, or the present cache suffices.

    own_bytes  size of the present cache
    """
    if layout.chunk is None:
        return None
    visits = sum(chunks_of(index, layout.chunk) for index in reads)
    if visits <= distinct_chunks(reads, layout.chunk):
        return None
    needed = needed_chunks(reads, layout.chunk)
    size = needed * math.prod(layout.chunk) * itemsize
    if not own_bytes < size <= _MOST_BYTES:
        return None
    mebibytes = -(-size // (1 << 20))
    return ChunkCache((1 << (mebibytes - 1).bit_length()) << 20, slots_for(needed))


def library_s(
    layout: Layout, reads: Sequence[Index], shape: Sequence[int], itemsize: int, rates: Rates, cache_bytes: int
) -> float:
    """Return the predicted seconds of reads by h5py: by one thread, of chunks with a chunk cache.

    Uses the costs of h5py's own calls where they were measured.
    """
    own = rates.h5py or LibraryRates(rates.call_s, rates.piece_s, rates.chunk_s, None)
    selected = sum(map(elements_of, reads)) * itemsize
    busy_s = selected / at_streams(rates.read_bytes_s, 1) + len(reads) * own.call_s
    if layout.chunk is None:
        busy_s += own.piece_s * sum(_sieved(index, shape, itemsize) for index in reads)
        demand = contiguous_demand(reads, shape, itemsize)
    else:
        filters = rates.filters[layout.filters]
        chunk_bytes = math.prod(layout.chunk) * itemsize
        visits = sum(chunks_of(index, layout.chunk) for index in reads)
        held = needed_chunks(reads, layout.chunk) * chunk_bytes <= cache_bytes
        decoded = distinct_chunks(reads, layout.chunk) if held else visits
        busy_s += visits * own.chunk_s + decoded * chunk_bytes / (own.decoded or filters.decoded)
        demand = chunked_demand(reads, shape, layout.chunk, chunk_bytes * filters.share)
    if rates.device is None:
        return busy_s
    stream = rates.device.pieces if layout.chunk is None else rates.device.chunks
    return busy_s + demand.size / stream.alone + demand.calls * rates.device.call_s


def _sieved(index: Index, shape: Sequence[int], itemsize: int) -> int:
    """Return how often the library fills its buffer for the pieces of a contiguous dataset, beyond the first time."""
    pieces, length, apart = pieces_of(index, shape)
    extent = ((pieces - 1) * apart + length) * itemsize
    return min(pieces, -(-extent // _SIEVE_BYTES)) - 1 if pieces > 1 else 0
