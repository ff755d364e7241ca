"""One timed pass over a dataset: all reads, by this solver or by h5py."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

from rooftop.solvers.h5io import File
from rooftop.solvers.h5io.advice.access import Index

By = Literal["h5io", "h5py"]


@dataclass(frozen=True)
class Pass:
    """The reads of one process.

    cache_bytes, cache_slots  size and slots of h5py's chunk cache; None: h5py's default
    """

    path: str
    name: str
    reads: tuple[Index, ...]
    threads: int
    by: By = "h5io"
    cache_bytes: int | None = None
    cache_slots: int | None = None


@dataclass(frozen=True)
class Opened:
    """A pass that can be run repeatedly.

    run          returns the seconds of a run
    cache_bytes  size of the chunk cache; None: there is none
    """

    run: Callable[[], float]
    cache_bytes: int | None = None


def _by_h5io(asked: Pass) -> Opened:
    File(asked.path)[asked.name].read(asked.reads[0], threads=1)  # fails where a filter is missing

    def run() -> float:
        # As of h5py: a newly opened dataset has an empty chunk cache.
        dataset = File(asked.path)[asked.name]
        start = time.perf_counter()
        for index in asked.reads:
            dataset.read(index, threads=asked.threads)
        return time.perf_counter() - start

    return Opened(run)


def _by_h5py(asked: Pass) -> Opened:
    h5py: Any = import_module("h5py")
    with suppress(ImportError):
        import_module("hdf5plugin")  # registers its filters with h5py
    sizes = {"rdcc_nbytes": asked.cache_bytes, "rdcc_nslots": asked.cache_slots}
    given = {name: value for name, value in sizes.items() if value is not None}

    def run() -> float:
        # A newly opened dataset has an empty chunk cache.
        with h5py.File(asked.path, "r", **given) as file:
            dataset = file[asked.name]
            start = time.perf_counter()
            for index in asked.reads:
                dataset[index]
            return time.perf_counter() - start

    with h5py.File(asked.path, "r", **given) as file:
        dataset = file[asked.name]
        cache = None if dataset.chunks is None else int(dataset.id.get_access_plist().get_chunk_cache()[1])
        dataset[asked.reads[0]]  # fails where a filter is missing
    return Opened(run, cache)


def opened(asked: Pass) -> Opened:
    """Open a pass. Raises the reader's error if the file, the dataset or a filter is missing."""
    return _by_h5io(asked) if asked.by == "h5io" else _by_h5py(asked)
