"""Read speed of the device under a folder, with nothing in the page cache."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

from rooftop.solvers.h5io import Dataset, File, OutputFile
from rooftop.solvers.h5io.advice.demand import PAGE_BYTES
from rooftop.solvers.h5io.advice.dropping import Means, dropping

_BYTES, _CHUNK_BYTES = 16 << 20, 256 << 10
_RUNS = 5
_SCATTERED = 64


@dataclass(frozen=True)
class StreamRates:
    """Bytes per second of sequential reads.

    alone     by one stream; the seconds are those in excess of a read from the page cache
    together  number of concurrent streams to their total rate
    """

    alone: float
    together: Mapping[int, float]


@dataclass(frozen=True)
class DeviceRates:
    """Rates of a device.

    pieces  reads of a contiguous dataset
    chunks  reads of consecutive chunks
    call_s  latency in seconds of a read at a random position, without the transfer of its bytes
    """

    pieces: StreamRates
    chunks: StreamRates
    call_s: float


def _median_s(run: Callable[[], object], before: Callable[[], None]) -> float:
    times = []
    for _ in range(_RUNS):
        before()
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return median(times)


def _stream_rates(dataset: Dataset, streams: Sequence[int], drop: Callable[[], None]) -> StreamRates:
    out = np.empty(dataset.shape, dataset.dtype)
    seconds = {
        threads: _median_s(lambda threads=threads: dataset.read(out=out, threads=threads), drop)  # type: ignore[misc]
        for threads in sorted({1, *streams})
    }
    cached_s = _median_s(lambda: dataset.read(out=out, threads=1), lambda: None)
    waited_s = max(seconds[1] - cached_s, 0.1 * seconds[1])
    return StreamRates(out.nbytes / waited_s, {threads: out.nbytes / took_s for threads, took_s in seconds.items()})


def _scattered_s(path: Path, drop: Callable[[], None]) -> float:
    """Return the seconds of a read of one page at a random position."""
    pages = path.stat().st_size // PAGE_BYTES
    places = np.random.default_rng(1).permutation(_SCATTERED) * (pages // _SCATTERED) * PAGE_BYTES
    descriptor = os.open(path, os.O_RDONLY)

    def read() -> None:
        for place in places.tolist():
            os.pread(descriptor, PAGE_BYTES, place)

    try:
        return _median_s(read, drop) / _SCATTERED
    finally:
        os.close(descriptor)


def device_rates(folder: Path, streams: Sequence[int], means: Means) -> DeviceRates:
    """Measure the rates with a file of random bytes, dropped from the page cache before each read. Raises OSError.

    streams  numbers of concurrent reads to measure
    """
    path = folder / "device.h5"
    rows, width = _BYTES // _CHUNK_BYTES, _CHUNK_BYTES
    values = np.random.default_rng(1).integers(0, 256, (rows, width), np.uint8)
    with OutputFile(path, replace=True) as file:
        for name, chunk in (("pieces", None), ("chunks", (1, width))):
            file.dataset(name, values.shape, values.dtype, chunks=chunk).write(values)
    drop = dropping([str(path)], means)
    file_read = File(path)
    pieces = _stream_rates(file_read["pieces"], streams, drop)
    chunks = _stream_rates(file_read["chunks"], streams, drop)
    call_s = max(0.0, _scattered_s(path, drop) - PAGE_BYTES / chunks.alone)
    path.unlink()
    return DeviceRates(pieces, chunks, call_s)
