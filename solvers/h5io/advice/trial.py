"""Reads of one layout beside those of another, interleaved, on a part of the user's data."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from rooftop.documents import Comparison
from rooftop.measure.compare import comparison, log_ratios, sharp, spread
from rooftop.measure.rules import Rules
from rooftop.solvers.h5io import Dataset, File, OutputFile
from rooftop.solvers.h5io.advice.access import Index
from rooftop.solvers.h5io.advice.layouts import Layout

_MOST_PAIRS = 30
_LEAST_S = 0.001


def written(path: Path, layout: Layout, values: NDArray[Any]) -> Dataset:
    """Return a new file's dataset of a layout."""
    with OutputFile(path, replace=True) as file:
        file.dataset("x", values.shape, values.dtype, chunks=layout.chunk, filters=layout.filters).write(values)
    return File(path)["x"]


def reader(dataset: Dataset, reads: Sequence[Index], threads: int, before: Callable[[], None]) -> Callable[[], float]:
    """Return what does all reads, after what comes before them untimed, and returns their seconds."""

    def run() -> float:
        before()
        start = time.perf_counter()
        for index in reads:
            dataset.read(index, threads=threads)
        return time.perf_counter() - start

    return run


def compared(
    name: str, one: Callable[[], float], other: Callable[[], float], floor: float, deadline: float, rules: Rules
) -> Comparison | None:
    """Return how many times as fast `one` is as `other`, by pairs in random order until they are sharp or it is time.

    deadline  by time.monotonic(); at least the fewest pairs are taken all the same
    """
    repeats = max(1, round(_LEAST_S / max(min(one(), other()), 1e-9)))
    times: dict[Callable[[], float], list[float]] = {one: [], other: []}
    while len(times[one]) < _MOST_PAIRS:
        for run in random.sample((one, other), 2):
            times[run].append(sum(run() for _ in range(repeats)))
        if len(times[one]) < rules.min_pairs:
            continue
        if time.monotonic() > deadline or sharp(spread(log_ratios(times[one], times[other])), rules):
            break
    return comparison(name, log_ratios(times[one], times[other]), floor, rules)
