"""A dataset and an access pattern, with what is needed to predict and measure them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from rooftop.documents import Comparison
from rooftop.measure.rules import Rules
from rooftop.solvers.h5io import Dataset
from rooftop.solvers.h5io.advice.access import Index
from rooftop.solvers.h5io.advice.cost import FilterRates, Rates, Team, predicted_s
from rooftop.solvers.h5io.advice.crew import Crew
from rooftop.solvers.h5io.advice.dropping import Means, dropping
from rooftop.solvers.h5io.advice.layouts import Layout
from rooftop.solvers.h5io.advice.trial import Budget, after, compared, readers, written


@dataclass(frozen=True)
class Study:
    """One dataset, read with one access pattern.

    values   the part of it that is read and copied into trial files
    current  its layout
    own      rates of its filters; None: only the HDF5 library decodes them, and their time is not predicted
    team     the first team, whose reads of the unchanged file all others are compared with
    now      runs a pass of that team over the unchanged file, and returns its seconds
    now_s    median seconds of such a pass
    means    how files are dropped from the page cache before each pass; None: they are not
    """

    dataset: Dataset
    reads: Sequence[Index]
    values: NDArray[Any]
    current: Layout
    rates: Rates
    own: FilterRates | None
    team: Team
    now: Callable[[], float]
    now_s: float
    floor: float
    crew: Crew
    folder: Path
    means: Means | None
    budget: Budget
    rules: Rules
    _numbers: itertools.count[int] = field(default_factory=itertools.count)

    @property
    def own_rates(self) -> Rates | None:
        """Rates including those of the dataset's filters; None if these are not known."""
        if self.own is None:
            return None
        return replace(self.rates, filters={**self.rates.filters, self.current.filters: self.own})

    def seconds(self, layout: Layout, team: Team) -> float:
        """Return the predicted seconds of all reads with a layout."""
        return predicted_s(layout, self.reads, self.values.shape, self.values.dtype.itemsize, self.rates, team)

    def seconds_now(self, team: Team) -> float:
        """Return the predicted seconds of all reads of the unchanged file; without a prediction, the measured ones."""
        if (rates := self.own_rates) is None:
            return self.now_s * self.team.ranks / min(team.ranks, max(self.rates.cores, self.team.ranks))
        shape, itemsize = self.dataset.shape, self.dataset.dtype.itemsize
        return predicted_s(self.current, self.reads, shape, itemsize, rates, team)

    def gain(self, layout: Layout | None, team: Team) -> float:
        """Return the predicted speed ratio of a layout read by a team to now. `layout` None: the current one."""
        seconds = self.seconds_now(team) if layout is None else self.seconds(layout, team)
        return self.seconds_now(self.team) / seconds

    def compare(self, layout: Layout | None, team: Team) -> tuple[Comparison | None, float | None]:
        """Return the measured speed ratio to now, and stored bytes per byte of data in the trial file."""
        path = self.folder / f"trial-{next(self._numbers)}.h5"
        dataset = self.dataset if layout is None else written(path, layout, self.values)
        run = readers(self.crew, dataset, self.reads, team)
        try:
            one = after(dropping([dataset.path], self.means), run.run)
            found = compared("now", one, self.now, self.floor, self.budget.deadline(), self.rules)
        finally:
            run.close()
            path.unlink(missing_ok=True)
        return found, None if layout is None else dataset.stored_bytes / self.values.nbytes
