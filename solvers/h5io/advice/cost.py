"""What a read of a layout is likely to take, from rates that were measured on the user's own data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rooftop.solvers.h5io.advice.access import Index, chunks_of, elements_of, pieces_of
from rooftop.solvers.h5io.advice.layouts import Layout

_GAP_BYTES = 2 << 10  # below that, gaps are read along: `gap_bytes` of rooftop/h5io.hpp
_BUFFER_BYTES = 256 << 10


@dataclass(frozen=True)
class FilterRates:
    """What filters do to the user's data.

    decoded  bytes per second by one thread, from the file into memory
    encoded  bytes per second by all threads
    share    stored bytes for each byte
    """

    decoded: float
    encoded: float
    share: float


@dataclass(frozen=True)
class Rates:
    """Of this machine and file system, for the user's data.

    read_bytes_s  bytes per second of one large read
    call_s        of a read, however little it reads
    piece_s       of each piece of an array without chunks that is read by itself
    chunk_s       of a chunk, whatever its size
    filters       by the filters of a layout
    """

    read_bytes_s: float
    call_s: float
    piece_s: float
    chunk_s: float
    filters: Mapping[tuple[str, ...], FilterRates]
    threads: int


def _contiguous_s(index: Index, shape: Sequence[int], itemsize: int, rates: Rates) -> float:
    pieces, length, apart = pieces_of(index, shape)
    gap = (apart - length) * itemsize
    if pieces == 1 or gap > _GAP_BYTES:
        return rates.call_s + rates.piece_s * (pieces - 1) + pieces * length * itemsize / rates.read_bytes_s
    extent = pieces * apart * itemsize
    return rates.call_s + rates.piece_s * math.ceil(extent / _BUFFER_BYTES) + extent / rates.read_bytes_s


def predicted_s(layout: Layout, reads: Sequence[Index], shape: Sequence[int], itemsize: int, rates: Rates) -> float:
    """Return the seconds that reads are likely to take."""
    if layout.chunk is None:
        return sum(_contiguous_s(index, shape, itemsize, rates) for index in reads)
    chunk_bytes = math.prod(layout.chunk) * itemsize
    each_s = rates.chunk_s + chunk_bytes / rates.filters[layout.filters].decoded
    total = 0.0
    for index in reads:
        chunks = chunks_of(index, layout.chunk)
        rounds = math.ceil(chunks / min(chunks, rates.threads))
        total += rates.call_s + rounds * each_s + elements_of(index) * itemsize / rates.read_bytes_s / rates.threads
    return total
