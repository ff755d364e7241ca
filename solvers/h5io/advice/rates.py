"""Rates of this machine and file system, measured on a part of the user's own data."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.h5io import File, H5ArgumentError, OutputFile
from rooftop.solvers.h5io.advice.cost import FilterRates, Rates
from rooftop.solvers.h5io.advice.layouts import PIPELINES, balanced

_RUNS = 5
_LEAST_S = 0.002
_MOST_RUNS = 200
_SMALL_BYTES, _CHUNK_BYTES = 2 << 10, 256 << 10
_PIECES, _APART_BYTES = 512, 64 << 10


def timed(run: Callable[[], object]) -> float:
    """Return the median seconds of some runs, of at least so much time together, after one that is not counted."""
    run()
    times: list[float] = []
    while len(times) < _RUNS or (sum(times) < _LEAST_S and len(times) < _MOST_RUNS):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return median(times)


def _write(
    file: OutputFile, name: str, values: NDArray[Any], chunk: Sequence[int] | None, filters: Sequence[str]
) -> None:
    file.dataset(name, values.shape, values.dtype, chunks=chunk, filters=filters).write(values)


def _filter_rates(folder: Path, values: NDArray[Any], number: int, filters: tuple[str, ...]) -> FilterRates | None:
    """Return what filters do to the values; None where a plugin is missing."""
    chunk = balanced(values.shape, max(1, _CHUNK_BYTES // values.dtype.itemsize))
    path = folder / f"filters-{number}.h5"
    with OutputFile(path, replace=True) as file:
        try:
            new = file.dataset("x", values.shape, values.dtype, chunks=chunk, filters=filters)
        except H5ArgumentError:
            return None
        encode_s = timed(lambda: new.write(values))
    x = File(path)["x"]
    out = np.empty_like(values)
    decode_s = timed(lambda: x.read(out=out, threads=1))
    path.unlink()
    return FilterRates(values.nbytes / decode_s, values.nbytes / encode_s, x.stored_bytes / values.nbytes)


def _small_costs(folder: Path, threads: int) -> tuple[float, float, float]:
    """Return the seconds of a call, of a piece that is read by itself, and of a small chunk."""
    path = folder / "small.h5"
    width = _APART_BYTES // 4
    with OutputFile(path, replace=True) as file:
        _write(file, "apart", np.zeros((_PIECES, width), "<f4"), None, ())
        _write(file, "chunks", np.zeros((_PIECES, _SMALL_BYTES // 4), "<f4"), (1, _SMALL_BYTES // 4), ())
    apart, chunks = File(path)["apart"], File(path)["chunks"]
    one, many, all_chunks = np.empty((1,), "<f4"), np.empty((_PIECES,), "<f4"), np.empty(chunks.shape, "<f4")
    call_s = timed(lambda: apart.read(np.s_[0, :1], one, threads=threads))
    pieces_s = timed(lambda: apart.read(np.s_[:, 0], many, threads=threads))
    chunks_s = timed(lambda: chunks.read(out=all_chunks, threads=1))
    path.unlink()
    return call_s, max(0.0, pieces_s - call_s) / _PIECES, max(0.0, chunks_s - call_s) / _PIECES


def measured_rates(folder: Path, values: NDArray[Any], threads: int) -> Rates:
    """Return the rates for values of the user's, by files in a folder of the file system that is asked about."""
    path = folder / "whole.h5"
    with OutputFile(path, replace=True) as file:
        _write(file, "x", values, None, ())
    x, out = File(path)["x"], np.empty_like(values)
    whole_s = timed(lambda: x.read(out=out, threads=threads))
    path.unlink()
    call_s, piece_s, chunk_s = _small_costs(folder, threads)
    found = {filters: _filter_rates(folder, values, number, filters) for number, filters in enumerate(PIPELINES)}
    return Rates(
        read_bytes_s=values.nbytes / max(whole_s - call_s, whole_s * 0.1),
        call_s=call_s,
        piece_s=piece_s,
        chunk_s=chunk_s,
        filters={filters: rates for filters, rates in found.items() if rates is not None},
        threads=threads,
    )


def bytes_of(shape: Sequence[int], itemsize: int) -> int:
    """Return the bytes of an array."""
    return math.prod(shape) * itemsize
