"""Interleaved reads of two layouts, on a part of the user's data."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from rooftop.documents import Comparison
from rooftop.measure.compare import comparison, sharp, spread
from rooftop.measure.pairs import Pairs
from rooftop.measure.rules import Rules
from rooftop.solvers.h5io import Dataset, File, OutputFile
from rooftop.solvers.h5io.advice.access import Index, divided
from rooftop.solvers.h5io.advice.cost import Team
from rooftop.solvers.h5io.advice.crew import Crew, CrewPass
from rooftop.solvers.h5io.advice.layouts import Layout
from rooftop.solvers.h5io.advice.pass_over import Pass, opened

_MOST_PAIRS = 30
_LEAST_S = 0.001


class Budget:
    """Time for several comparisons. Each gets an equal share of what is left."""

    def __init__(self, seconds: float, comparisons: int) -> None:
        self._end, self._left = time.monotonic() + seconds, comparisons

    def deadline(self) -> float:
        """Return the deadline of the next comparison, in time.monotonic()."""
        now = time.monotonic()
        share = (self._end - now) / max(1, self._left)
        self._left -= 1
        return now + share


def written(path: Path, layout: Layout, values: NDArray[Any]) -> Dataset:
    """Write values with a layout to a new file, and return its dataset."""
    with OutputFile(path, replace=True) as file:
        file.dataset("x", values.shape, values.dtype, chunks=layout.chunk, filters=layout.filters).write(values)
    return File(path)["x"]


def readers(crew: Crew, dataset: Dataset, reads: Sequence[Index], team: Team) -> CrewPass:
    """Return a pass over all reads, run by this process alone or by the crew. Raises CrewFailed and H5FileError."""
    passes = [
        Pass(dataset.path, dataset.name, tuple(part), team.threads) for part in divided(reads, team.ranks) if part
    ]
    if len(passes) > 1:
        return crew.open(passes)
    return CrewPass(opened(passes[0]).run, None, lambda: None)


def after(before: Callable[[], None], run: Callable[[], float]) -> Callable[[], float]:
    """Return a function that calls `before` untimed, then runs a pass and returns its seconds."""

    def both() -> float:
        before()
        return run()

    return both


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
        if time.monotonic() > deadline or sharp(spread(Pairs.of((times[one], times[other])).log_ratios), rules):
            break
    return comparison(name, Pairs.of((times[one], times[other])), floor, rules)
