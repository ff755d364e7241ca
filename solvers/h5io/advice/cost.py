"""Predicted time of reading a layout, from rates measured on the user's data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rooftop.solvers.h5io.advice.access import Index, chunks_of, divided, pieces_of
from rooftop.solvers.h5io.advice.demand import GAP_BYTES, Demand, chunked_demand, contiguous_demand
from rooftop.solvers.h5io.advice.device import DeviceRates
from rooftop.solvers.h5io.advice.layouts import Layout

_BUFFER_BYTES = 256 << 10
_LEAST_TASK_BYTES, _LEAST_TASK_PIECES = 64 << 10, 64  # what is worth a thread: contiguous.cpp
_MOST_PLACES = 2000  # beyond, the library reads chunks one at a time: chunk_places.cpp


@dataclass(frozen=True)
class FilterRates:
    """What filters do to the user's data.

    decoded  bytes per second by one thread, from the cache into the caller's memory
    encoded  bytes per second by all threads
    share    stored bytes for each byte
    """

    decoded: float
    encoded: float
    share: float


@dataclass(frozen=True)
class Team:
    """Who reads: processes, and threads of each."""

    ranks: int
    threads: int

    @property
    def streams(self) -> int:
        """Reads at once."""
        return self.ranks * self.threads


@dataclass(frozen=True)
class Rates:
    """Of this machine and file system, for the user's data.

    read_bytes_s  bytes per second of large reads from the cache, by so many threads
    call_s        of a read, however little it reads
    piece_s       of each piece of an array without chunks that is read by itself, by one thread
    chunk_s       of a chunk, whatever its size
    filters       by the filters of a layout
    cores         that can be kept busy
    device        None: what is read is in the cache
    """

    read_bytes_s: Mapping[int, float]
    call_s: float
    piece_s: float
    chunk_s: float
    filters: Mapping[tuple[str, ...], FilterRates]
    cores: int
    device: DeviceRates | None = None


def at_streams(rates: Mapping[int, float], streams: int) -> float:
    """Return what is known of so many streams, or of the next fewer, or of the fewest."""
    return rates[max((known for known in rates if known <= streams), default=min(rates))]


def _useful_threads(layout: Layout, index: Index, shape: Sequence[int], itemsize: int, threads: int) -> int:
    """Return how many threads a read keeps busy."""
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


def _chunks_s(layout: Layout, index: Index, itemsize: int, rates: Rates, team: Team) -> float:
    assert layout.chunk is not None
    chunks = chunks_of(index, layout.chunk)
    threads = min(team.threads, chunks)
    each_s = rates.chunk_s + math.prod(layout.chunk) * itemsize / rates.filters[layout.filters].decoded
    return rates.call_s + math.ceil(chunks / threads) * each_s


def demand_of(layout: Layout, reads: Sequence[Index], shape: Sequence[int], itemsize: int, rates: Rates) -> Demand:
    """Return what reads ask of the device."""
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
    """Return the seconds until the last rank has its part of the reads.

    A thread waits for the device, then decodes; threads and ranks do so beside each other. So a rank takes the sum of
    both, shared by its threads, and all of them together no less than the device takes for what they ask.
    """
    crowd = max(1.0, team.streams / rates.cores)
    one_at_a_time = _is_read_one_at_a_time(layout, shape)
    slowest, asked = 0.0, Demand(0, 0)
    for part in divided(reads, team.ranks):
        if not part:
            continue
        busy_s = crowd * sum(
            _contiguous_s(index, shape, itemsize, rates, team)
            if layout.chunk is None
            else _chunks_s(layout, index, itemsize, rates, team)
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
