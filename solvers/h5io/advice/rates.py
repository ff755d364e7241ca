"""Decode and read rates of this machine and file system, measured on a part of the user's data."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.h5io import Dataset, File, H5ArgumentError, OutputFile
from rooftop.solvers.h5io.advice.access import Index, chunks_of
from rooftop.solvers.h5io.advice.cost import FilterRates, Rates
from rooftop.solvers.h5io.advice.device import device_rates
from rooftop.solvers.h5io.advice.dropping import Means
from rooftop.solvers.h5io.advice.layouts import PIPELINES, balanced

_RUNS = 5
_ENCODING_RUNS, _DECODING_RUNS = 2, 9
_LEAST_S = 0.002
_MOST_RUNS = 200
_SMALL_BYTES, _CHUNK_BYTES = 2 << 10, 256 << 10
PIECES, _APART_BYTES = 512, 64 << 10


def timed(run: Callable[[], object], runs: int = _RUNS) -> float:
    """Return the median seconds of repeated runs, for at least a minimum total time, after one warm-up run."""
    run()
    times: list[float] = []
    while len(times) < runs or (sum(times) < _LEAST_S and len(times) < _MOST_RUNS):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return median(times)


def timed_anew(opened: Callable[[], Dataset], read: Callable[[Dataset], object], runs: int = _RUNS) -> float:
    """Return what `timed` does, of reads of a dataset that is opened anew each time: its chunk cache is empty then."""
    times: list[float] = []
    while len(times) < runs + 1 or (sum(times[1:]) < _LEAST_S and len(times) < _MOST_RUNS):
        dataset = opened()
        start = time.perf_counter()
        read(dataset)
        times.append(time.perf_counter() - start)
    return median(times[1:])


def _write(
    file: OutputFile, name: str, values: NDArray[Any], chunk: Sequence[int] | None, filters: Sequence[str]
) -> None:
    file.dataset(name, values.shape, values.dtype, chunks=chunk, filters=filters).write(values)


def _encoded(folder: Path, values: NDArray[Any], number: int, filters: tuple[str, ...]) -> tuple[Dataset, float] | None:
    """Write values to a new file. Return its dataset and the seconds of the write; None if a plugin is missing."""
    chunk = balanced(values.shape, max(1, _CHUNK_BYTES // values.dtype.itemsize))
    path = folder / f"filters-{number}.h5"
    with OutputFile(path, replace=True) as file:
        try:
            new = file.dataset("x", values.shape, values.dtype, chunks=chunk, filters=filters)
        except H5ArgumentError:
            return None
        encode_s = timed(lambda: new.write(values), _ENCODING_RUNS)
    return File(path)["x"], encode_s


def _filter_rates(
    folder: Path, values: NDArray[Any], pipelines: Sequence[tuple[str, ...]]
) -> dict[tuple[str, ...], FilterRates]:
    """Measure filters on the values, except those whose plugin is missing.

    They are decoded in turn, so that a drift of the machine's speed favours none of them.
    """
    encoded = {filters: _encoded(folder, values, number, filters) for number, filters in enumerate(pipelines)}
    found = {filters: one for filters, one in encoded.items() if one is not None}
    out = np.empty_like(values)
    times: dict[tuple[str, ...], list[float]] = {filters: [] for filters in found}
    for _ in range(1 + _DECODING_RUNS):
        for filters, (x, _) in found.items():
            anew = File(x.path)["x"]  # whose chunk cache is empty
            start = time.perf_counter()
            anew.read(out=out, threads=1)
            times[filters].append(time.perf_counter() - start)
    for x, _ in found.values():
        Path(x.path).unlink()
    return {
        filters: FilterRates(
            values.nbytes / median(times[filters][1:]), values.nbytes / encode_s, x.stored_bytes / values.nbytes
        )
        for filters, (x, encode_s) in found.items()
    }


def write_small(path: Path) -> None:
    """Write a file by which the costs of calls are measured: a contiguous dataset "apart", and small "chunks"."""
    with OutputFile(path, replace=True) as file:
        _write(file, "apart", np.zeros((PIECES, _APART_BYTES // 4), "<f4"), None, ())
        _write(file, "chunks", np.zeros((PIECES, _SMALL_BYTES // 4), "<f4"), (1, _SMALL_BYTES // 4), ())


def _small_costs(folder: Path) -> tuple[float, float, float]:
    """Return the seconds of a read call, of a separately read piece, and of a small chunk, by one thread."""
    path = folder / "small.h5"
    write_small(path)
    apart = File(path)["apart"]
    one, many = np.empty((1,), "<f4"), np.empty((PIECES,), "<f4")
    all_chunks = np.empty((PIECES, _SMALL_BYTES // 4), "<f4")
    call_s = timed(lambda: apart.read(np.s_[0, :1], one, threads=1), _MOST_RUNS)
    pieces_s = timed(lambda: apart.read(np.s_[:, 0], many, threads=1))
    chunks_s = timed_anew(lambda: File(path)["chunks"], lambda chunks: chunks.read(out=all_chunks, threads=1))
    path.unlink()
    return call_s, max(0.0, pieces_s - call_s) / PIECES, max(0.0, chunks_s - call_s) / PIECES


def measured_rates(
    folder: Path,
    values: NDArray[Any],
    streams: Sequence[int],
    cores: int,
    means: Means | None = None,
    pipelines: Sequence[tuple[str, ...]] = PIPELINES,
) -> Rates:
    """Measure the rates for the user's values, with files in a folder on the user's file system.

    streams    numbers of concurrent reads to measure
    means      how files are dropped from the page cache; None: the device is not measured
    pipelines  lists of filters to measure
    """
    path = folder / "whole.h5"
    with OutputFile(path, replace=True) as file:
        _write(file, "x", values, None, ())
    x, out = File(path)["x"], np.empty_like(values)
    whole_s = {
        threads: timed(lambda threads=threads: x.read(out=out, threads=threads))  # type: ignore[misc]
        for threads in sorted({1, *(min(one, cores) for one in streams)})
    }
    path.unlink()
    call_s, piece_s, chunk_s = _small_costs(folder)
    return Rates(
        read_bytes_s={
            threads: values.nbytes / max(took_s - call_s, took_s * 0.1) for threads, took_s in whole_s.items()
        },
        call_s=call_s,
        piece_s=piece_s,
        chunk_s=chunk_s,
        filters=_filter_rates(folder, values, pipelines),
        cores=cores,
        device=None if means is None else device_rates(folder, streams, means),
    )


def rates_now(dataset: Dataset, region: Index, rates: Rates) -> FilterRates:
    """Measure a dataset's own filters by reading a region of it from the page cache with one thread."""
    share = dataset.stored_bytes / max(dataset.nbytes, 1)
    if dataset.chunks is None:
        return FilterRates(at_one := rates.read_bytes_s[1], at_one, share)
    took_s = timed_anew(lambda: File(dataset.path)[dataset.name], lambda anew: anew.read(region, threads=1))
    chunks = chunks_of(region, dataset.chunks)
    decoding_s = max(took_s - rates.call_s - chunks * rates.chunk_s, 0.1 * took_s)
    decoded = chunks * bytes_of(dataset.chunks, dataset.dtype.itemsize) / decoding_s
    return FilterRates(decoded, decoded, share)


def bytes_of(shape: Sequence[int], itemsize: int) -> int:
    """Return the size of an array in bytes."""
    return math.prod(shape) * itemsize
