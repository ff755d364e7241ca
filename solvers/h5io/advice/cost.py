"""Predicted time of reading a layout, from rates measured on the user's data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rooftop.solvers.h5io.advice.access import Index, chunks_of, divided, elements_of, pieces_of
from rooftop.solvers.h5io.advice.demand import (
    GAP_BYTES,
    Demand,
    chunked_demand,
    contiguous_demand,
    distinct_chunks,
    needed_chunks,
)
from rooftop.solvers.h5io.advice.device import DeviceRates
from rooftop.solvers.h5io.advice.layouts import Layout

_BUFFER_BYTES = 256 << 10
_LEAST_TASK_BYTES, _LEAST_TASK_PIECES = 64 << 10, 64  # smallest task of a thread: contiguous.cpp
_MOST_PLACES = 2000  # with more chunks, the library reads one at a time: chunk_places.cpp
# A read that costs less is made by one thread, whatever a team may have: brief.cpp, in bytes that are copied meanwhile.
_BRIEF, _BRIEF_CALL, _BRIEF_DECODING = 4 << 20, 4 << 10, 16
# Decoded chunks that are kept of a dataset, and the most of one selection without filters: chunked.cpp.
_KEPT_BYTES, _KEPT_PLAIN_BYTES = 8 << 20, 2 << 20


@dataclass(frozen=True)
class FilterRates:
    """Speed and compression ratio of a list of filters for the user's data.

    decoded  bytes per second of decoding by one thread, from the page cache into the caller's memory
    encoded  bytes per second of encoding by all threads
    share    stored bytes divided by bytes in memory
    """

    decoded: float
    encoded: float
    share: float


@dataclass(frozen=True)
class Team:
    """The readers: a number of processes, and of threads in each."""

    ranks: int
    threads: int

    @property
    def streams(self) -> int:
        """The number of concurrent reads."""
        return self.ranks * self.threads


@dataclass(frozen=True)
class LibraryRates:
    """Costs of reads by h5py, in one thread.

    call_s   seconds of a read call, whatever its size
    piece_s  seconds of each piece of a contiguous dataset that is far from the others
    chunk_s  seconds of a chunk, whatever its size
    decoded  bytes per second of decoding the dataset's own filters; None: not known
    """

    call_s: float
    piece_s: float
    chunk_s: float
    decoded: float | None


@dataclass(frozen=True)
class Rates:
    """Rates of this machine and file system for the user's data.

    read_bytes_s  number of threads to bytes per second of large reads from the page cache
    call_s        seconds of a read call, whatever its size
    piece_s       seconds of each piece of a contiguous dataset that is read separately, by one thread
    chunk_s       seconds of a chunk, whatever its size
    filters       list of filters to their rates
    cores         number of usable cores
    device        rates of the device; None: the data is in the page cache
    h5py          costs of reads by h5py; None: not measured
    """

    read_bytes_s: Mapping[int, float]
    call_s: float
    piece_s: float
    chunk_s: float
    filters: Mapping[tuple[str, ...], FilterRates]
    cores: int
    device: DeviceRates | None = None
    h5py: LibraryRates | None = None


def at_streams(rates: Mapping[int, float], streams: int) -> float:
    """Return the value for a number of streams, or for the next smaller number, or for the smallest."""
    return rates[max((known for known in rates if known <= streams), default=min(rates))]


def _is_brief(layout: Layout, index: Index, shape: Sequence[int], itemsize: int) -> bool:
    """Return whether a read is so short that one thread makes it."""
    selected = elements_of(index) * itemsize
    if layout.chunk is not None:
        decoding = _BRIEF_DECODING if layout.filters else 1
        each = _BRIEF_CALL + math.prod(layout.chunk) * itemsize * decoding
        chunks = chunks_of(index, layout.chunk)
        return chunks == 1 or selected + chunks * each <= _BRIEF
    pieces, length, apart = pieces_of(index, shape)
    if pieces == 1 or (apart - length) * itemsize > GAP_BYTES:
        return selected + pieces * _BRIEF_CALL <= _BRIEF
    extent = pieces * apart * itemsize
    return extent + extent // _BUFFER_BYTES * _BRIEF_CALL <= _BRIEF


def _useful_threads(layout: Layout, index: Index, shape: Sequence[int], itemsize: int, threads: int) -> int:
    """Return the number of threads that a read keeps busy."""
    if _is_brief(layout, index, shape, itemsize):
        return 1
    if layout.chunk is not None:
        return min(threads, chunks_of(index, layout.chunk))
    pieces, length, apart = pieces_of(index, shape)
    if pieces > 1 and (apart - length) * itemsize > GAP_BYTES:
        return min(threads, max(1, pieces // _LEAST_TASK_PIECES, pieces * length * itemsize // _LEAST_TASK_BYTES))
    return min(threads, max(1, pieces * length * itemsize // _LEAST_TASK_BYTES))


def _contiguous_s(index: Index, shape: Sequence[int], itemsize: int, rates: Rates, team: Team) -> float:
    pieces, length, apart = pieces_of(index, shape)
    threads = _useful_threads(Layout(None), index, shape, itemsize, team.threads)
    read_bytes_s = at_streams(rates.read_bytes_s, team.ranks * threads) / team.ranks
    if pieces == 1 or (apart - length) * itemsize > GAP_BYTES:
        return rates.call_s + rates.piece_s * (pieces - 1) / threads + pieces * length * itemsize / read_bytes_s
    extent = pieces * apart * itemsize
    return rates.call_s + rates.piece_s * math.ceil(extent / _BUFFER_BYTES) / threads + extent / read_bytes_s


def _decoded_share(layout: Layout, reads: Sequence[Index], itemsize: int) -> float:
    """Return the share of all visits of chunks that decode one: the others find it in the chunk cache."""
    assert layout.chunk is not None
    chunk_bytes = math.prod(layout.chunk) * itemsize
    largest = max(chunks_of(index, layout.chunk) for index in reads) * chunk_bytes
    needed = needed_chunks(reads, layout.chunk) * chunk_bytes
    if largest > (_KEPT_BYTES if layout.filters else _KEPT_PLAIN_BYTES) or needed > _KEPT_BYTES:
        return 1.0
    visits = sum(chunks_of(index, layout.chunk) for index in reads)
    return min(1.0, distinct_chunks(reads, layout.chunk) / visits)


def _chunks_s(
    layout: Layout, index: Index, shape: Sequence[int], itemsize: int, rates: Rates, team: Team, decoded: float
) -> float:
    """Return the seconds of one read of chunks. `decoded`: the share of chunks that are not in the chunk cache."""
    assert layout.chunk is not None
    chunks = chunks_of(index, layout.chunk)
    threads = min(_useful_threads(layout, index, shape, itemsize, team.threads), chunks)
    decoding_s = math.prod(layout.chunk) * itemsize / rates.filters[layout.filters].decoded
    return rates.call_s + math.ceil(chunks / threads) * (rates.chunk_s + decoded * decoding_s)


def demand_of(layout: Layout, reads: Sequence[Index], shape: Sequence[int], itemsize: int, rates: Rates) -> Demand:
    """Return the demand of reads on the device."""
    if layout.chunk is None:
        return contiguous_demand(reads, shape, itemsize)
    stored = math.prod(layout.chunk) * itemsize * rates.filters[layout.filters].share
    return chunked_demand(reads, shape, layout.chunk, stored)


def _is_read_one_at_a_time(layout: Layout, shape: Sequence[int]) -> bool:
    if layout.chunk is None:
        return False
    return math.prod(-(-extent // length) for extent, length in zip(shape, layout.chunk, strict=True)) > _MOST_PLACES


def predicted_s(
    layout: Layout, reads: Sequence[Index], shape: Sequence[int], itemsize: int, rates: Rates, team: Team
) -> float:
    """Return the predicted seconds until the last rank has finished its reads.

    A thread waits for the device, then decodes; threads and ranks do so concurrently. A rank therefore takes the sum of
    both, divided by its threads, and all ranks take at least as long as the device needs for the total demand.
    """
    crowd = max(1.0, team.streams / rates.cores)
    one_at_a_time = _is_read_one_at_a_time(layout, shape)
    slowest, asked = 0.0, Demand(0, 0)
    for part in divided(reads, team.ranks):
        if not part:
            continue
        decoded = 1.0 if layout.chunk is None else _decoded_share(layout, part, itemsize)
        busy_s = crowd * sum(
            _contiguous_s(index, shape, itemsize, rates, team)
            if layout.chunk is None
            else _chunks_s(layout, index, shape, itemsize, rates, team, decoded)
            for index in part
        )
        if rates.device is None:
            slowest = max(slowest, busy_s)
            continue
        demand = demand_of(layout, part, shape, itemsize, rates)
        asked += demand
        stream = rates.device.pieces if layout.chunk is None else rates.device.chunks
        waits_s = demand.size / stream.alone + demand.calls * rates.device.call_s
        threads = _useful_threads(layout, part[0], shape, itemsize, team.threads)
        took_s = busy_s + waits_s / threads
        slowest = max(slowest, took_s, waits_s if one_at_a_time else 0.0)
    if rates.device is None:
        return slowest
    stream = rates.device.pieces if layout.chunk is None else rates.device.chunks
    return max(slowest, asked.size / at_streams(stream.together, team.ranks if one_at_a_time else team.streams))
